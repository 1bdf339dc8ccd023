"""Writing the events of one case."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from lunaflow.experiment._crossover import CrossoverResult, Found
from lunaflow.experiment._event_values import (
    outcome_to_event,
    protocol_to_event,
    status_to_event,
)
from lunaflow.experiment._observations import CONTROL_SUFFIX, Failure, SizeComparison
from lunaflow.experiment._pairs import PairsJudged
from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment._recorder import Recorder
from lunaflow.experiment._spec import ValidatedBenchPlan
from lunaflow.experiment.engine._replayable import Replayable
from lunaflow.experiment.engine._validation import Judged


class Story:
    """The events of one case, on their way to a recorder.

    Parameters
    ----------
    case : str
        Name of the case.
    recorder : Recorder
        Takes them.
    """

    def __init__(self, case: str, recorder: Recorder) -> None:
        self._case = case
        self._recorder = recorder
        self._validations: Counter[int] = Counter()
        self._validation_failures: Counter[int] = Counter()
        self._blocks: Counter[tuple[int, int, str]] = Counter()
        self._cell_failures: Counter[tuple[int | None, int]] = Counter()
        self._failures = sum(event["event"] == "failure" for event in recorder.events)

    def begins(self, plan: ValidatedBenchPlan, protocol: Protocol, seed: int) -> None:
        """Tell that the case begins."""
        self._write(
            "experiment_started",
            implementations=list(plan.ids),
            versions=[one.version for one in plan.implementations],
            sizes=list(plan.scales),
            steps=plan.sequence_length,
            protocol=protocol_to_event(protocol),
            oracle=plan.oracle_id,
            controls=[name + CONTROL_SUFFIX for name in plan.ids],
            seed=seed,
        )

    def goes_on(self, mended: Sequence[int]) -> None:
        """Tell that the case goes on after an interruption."""
        self._write("experiment_resumed", mended=list(mended))

    def ends(self) -> None:
        """Tell that the case has ended."""
        self._write("experiment_finished")

    def validation(self, name: str, size: int, oracle: str, found: Judged, inputs: int) -> None:
        """Tell what the oracle said of an implementation at a size."""
        self._validations[size] += 1
        self._write(
            "validation",
            implementation=name,
            size=size,
            oracle=oracle,
            status=status_to_event(found.status),
            outcome=outcome_to_event(found.outcome),
            inputs=inputs,
            steps=found.steps,
        )

    def validated(
        self, size: int, inputs: Sequence[tuple[int, str]], timed: Sequence[str], seconds: float
    ) -> None:
        """Tell that a size was validated to the end."""
        self._write(
            "validated",
            size=size,
            validations=self._validations[size],
            failures=self._validation_failures[size],
            inputs=[list(one) for one in inputs],
            timed=list(timed),
            seconds=seconds,
        )

    def relation(self, size: int, number: int, step: int, oracle: str, pairs: PairsJudged) -> None:
        """Tell which pairs do not fit together."""
        failing = [
            [pair.a, pair.b, getattr(pair.status, "reason", "")]
            for pair in pairs.pairs
            if pair.failing
        ]
        self._write(
            "relation",
            size=size,
            input=number,
            step=step,
            oracle=oracle,
            pairs=len(pairs.pairs),
            failing=failing,
            odd_one_out=pairs.odd_one_out,
        )

    def left_behind(self, name: str | None, names: Sequence[str]) -> None:
        """Tell of processes that were left running, if there are any."""
        if names:
            self._write("left_behind", implementation=name, names=list(names))

    def failure(self, failure: Failure, replayable: Replayable) -> None:
        """Tell a failure, and how it is replayed or why it cannot be."""
        if failure.process is None and failure.size is not None:
            self._validation_failures[failure.size] += 1
        elif failure.process is not None:
            self._cell_failures[failure.size, failure.process] += 1
        self._failures += 1
        identity = f"f{self._failures}"
        self._write(
            "failure",
            id=identity,
            implementation=failure.implementation,
            size=failure.size,
            process=failure.process,
            status=status_to_event(failure.status),
            input=failure.input_text,
            path=failure.path,
            flaky=failure.flaky,
            fingerprint=failure.fingerprint,
            **replayable.fields(self._recorder.path, identity),
        )

    def calibration(self, process: int, fields: dict[str, Any]) -> None:
        """Tell how many calls fill a batch."""
        self._write("calibration", process=process, **fields)

    def block(self, process: int, fields: dict[str, Any]) -> None:
        """Tell a block, with its number in its phase."""
        size, phase = fields["size"], fields["phase"]
        number = self._blocks[size, process, phase]
        self._blocks[size, process, phase] += 1
        letter = "b" if phase == "confirmatory" else "x"
        identity = f"{self._case}/{size}/p{process}/{letter}{number}"
        self._write("block", id=identity, process=process, block=number, **fields)

    def cell_finished(self, size: int, process: int) -> None:
        """Tell that a process has measured a size to the end."""
        blocks = sum(
            count for (s, p, _), count in self._blocks.items() if (s, p) == (size, process)
        )
        failures = self._cell_failures[size, process]
        self._write("cell_finished", size=size, process=process, blocks=blocks, failures=failures)

    def comparison(self, found: SizeComparison) -> None:
        """Tell a comparison."""
        self._write(
            "comparison",
            id=found.id,
            size=found.size,
            a=found.a,
            b=found.b,
            relative_delta_pct=found.relative_delta_pct,
            interval=found.interval,
            decision=found.decision.value,
            label=str(found.label),
            noise_floor_pct=found.noise_floor_pct,
            threshold_pct=found.threshold_pct,
            grouping=found.grouping,
            evidence=found.evidence,
        )

    def crossover(self, a: str, b: str, found: CrossoverResult) -> None:
        """Tell where the faster one of two changes."""
        evidence = found.evidence
        boundary = found.boundary if isinstance(found, Found) else None
        self._write(
            "crossover",
            a=a,
            b=b,
            kind=type(found).__name__,
            below=None if boundary is None else boundary.below,
            at_or_above=None if boundary is None else boundary.at_or_above,
            band=found.undecided if isinstance(found, Found) else [],
            labels=_pairs(evidence.scales, map(str, evidence.labels)),
            reason=getattr(found, "reason", None),
        )

    def _write(self, kind: str, /, **fields: Any) -> None:
        self._recorder.write(kind, experiment=self._case, **fields)


def _pairs(scales: Iterable[Any], labels: Iterable[str]) -> list[list[Any]]:
    return [[scale, label] for scale, label in zip(scales, labels, strict=True)]
