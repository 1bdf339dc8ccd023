"""Running one experiment: validate, measure in fresh interpreters, conclude. All goes to events."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lunaflow.experiment._crossover import CrossoverResult, Found
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment._inputs import make_input
from lunaflow.experiment._measure import Message, Task, measure
from lunaflow.experiment._processes import MeasuringProcess
from lunaflow.experiment._progress import Report, StepCounter
from lunaflow.experiment._record import (
    build_experiments,
    outcome_to_event,
    protocol_to_event,
    status_from_event,
    status_to_event,
)
from lunaflow.experiment._recorder import Recorder
from lunaflow.experiment._results import (
    CONTROL_SUFFIX,
    ExperimentResult,
    Failure,
    SizeComparison,
)
from lunaflow.experiment._statuses import InfrastructureFailure, Invalid, Status
from lunaflow.experiment._transport import Packed, pack_job
from lunaflow.experiment._validation import Judged, examine, expected_for, explain
from lunaflow.experiment._williams import williams_square

if TYPE_CHECKING:
    from lunaflow.experiment._experiment import Experiment


def run_experiment(
    experiment: "Experiment", callables: Packed | None, recorder: Recorder, report: Report
) -> None:
    """Run an experiment and write its events.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    callables : Packed or None
        The callables for fresh interpreters; None to measure in this one.
    recorder : Recorder
        Takes the events.
    report : callable
        Is told how far the run is.
    """
    _Run(experiment, callables, recorder, report).run()


class _Run:
    def __init__(
        self, experiment: "Experiment", callables: Packed | None, recorder: Recorder, report: Report
    ) -> None:
        self._experiment = experiment
        self._sizes = tuple(experiment.sizes)
        self._protocol = experiment.resolved_protocol()
        self._oracle = experiment.resolved_oracle()
        self._callables = callables
        self._recorder = recorder
        self._counter = StepCounter(report, self._steps())
        self._timed: dict[int, tuple[str, ...]] = {}
        self._fingerprints: dict[int, str] = {}
        self._slowest_validation = 0.0
        self._ended_at: Counter[int] = Counter()

    def run(self) -> None:
        experiment = self._experiment
        self._write(
            "experiment_started",
            implementations=list(experiment.implementations),
            sizes=list(self._sizes),
            protocol=protocol_to_event(self._protocol),
            oracle=self._oracle.id,
            controls=[name + CONTROL_SUFFIX for name in experiment.implementations],
            seed=experiment.seed,
        )
        for size in self._sizes:
            self._validate(size)
        for process in range(self._protocol.processes):
            self._measure(process)
        self._conclude(build_experiments(self._recorder.events)[-1])
        self._write("experiment_finished")
        self._counter.finish(f"{experiment.name}: finished")

    def _steps(self) -> int:
        count = len(self._experiment.implementations)
        blocks = self._protocol.blocks_per_process(len(williams_square(2 * count)))
        return len(self._sizes) * (count + blocks * self._protocol.processes)

    def _validate(self, size: int) -> None:
        experiment = self._experiment
        start = time.monotonic()
        argument = make_input(experiment.make, experiment.seed, experiment.name, size)
        self._fingerprints[size] = fingerprint(argument)
        expected = expected_for(self._oracle, argument)
        timed = []
        for name, implementation in experiment.implementations.items():
            found = examine(implementation, self._oracle, argument, expected)
            self._write_validation(name, size, found)
            if found.failure_kind is not None:
                check = self._check(implementation)
                for failure in explain(name, size, found, argument, check, experiment.shrinker):
                    self._write_failure(failure)
            elif found.timed:
                timed.append(name)
            self._counter.advance(f"{experiment.name}: validating {name} at size {size}")
        self._slowest_validation = max(self._slowest_validation, time.monotonic() - start)
        if timed:
            self._timed[size] = tuple(timed)

    def _check(self, implementation: Callable[[Any], Any]) -> Callable[[Any], Judged]:
        def check(argument: Any) -> Judged:
            return examine(
                implementation, self._oracle, argument, expected_for(self._oracle, argument)
            )

        return check

    def _measure(self, process: int) -> None:
        experiment = self._experiment
        task = Task(
            experiment=experiment.name,
            timed=dict(self._timed),
            fingerprints=self._fingerprints,
            protocol=self._protocol,
            seed=experiment.seed,
            process=process,
        )
        if self._callables is None:
            for message in measure(task, experiment.implementations, experiment.make):
                self._take(message, process)
        else:
            self._measure_apart(task, self._callables)

    def _measure_apart(self, task: Task, callables: Packed) -> None:
        """Measure in a fresh interpreter; if it dies, in another from the next size on."""
        while task.timed:
            job = pack_job(task, callables)
            size: int | None = None
            with MeasuringProcess(job, silence_seconds=self._silence_seconds()) as child:
                for message in child.messages():
                    size = message["size"]
                    self._take(message, task.process)
            if child.failure is None:
                return
            status = InfrastructureFailure(child.failure)
            self._write_failure(Failure(None, size, status, process=task.process))
            if size is None:
                return  # it died before it began: so would the next
            self._give_up_after_two(size)
            task = replace(task, timed={s: n for s, n in task.timed.items() if s > size})

    def _silence_seconds(self) -> float:
        # a block calls each implementation at least once, however long that takes
        return self._protocol.silence_seconds + 10 * self._slowest_validation

    def _give_up_after_two(self, size: int) -> None:
        # once may be bad luck; a size that ends every process would cost its time limit in each
        self._ended_at[size] += 1
        if self._ended_at[size] == 2:
            self._timed.pop(size, None)

    def _take(self, message: Message, process: int) -> None:
        fields = {name: value for name, value in message.items() if name != "message"}
        match message["message"]:
            case "block":
                experiment, size, block = self._experiment.name, fields["size"], fields["block"]
                identity = f"{experiment}/{size}/p{process}/b{block}"
                self._write("block", id=identity, process=process, **fields)
            case "block_done":
                where = f"size {fields['size']}, process {process + 1}"
                self._counter.advance(f"{self._experiment.name}: {where}")
            case "calibration":
                self._write("calibration", process=process, **fields)
            case "failure":
                status = status_from_event(fields["status"])
                self._drop(fields["implementation"], fields["size"], status)
                failure = Failure(fields["implementation"], fields["size"], status, process=process)
                self._write_failure(failure)

    def _drop(self, implementation: str | None, size: int, status: Status) -> None:
        # no later process spends time on figures that nobody may see
        if isinstance(status, Invalid):
            left = tuple(name for name in self._timed.pop(size) if name != implementation)
            if left:
                self._timed[size] = left

    def _conclude(self, result: ExperimentResult) -> None:
        for comparison in result.comparisons():
            self._write_comparison(comparison)
        for a, b in combinations(result.implementations, 2):
            self._write_crossover(a, b, result.crossover(a, b))

    def _write(self, kind: str, /, **fields: Any) -> None:
        self._recorder.write(kind, experiment=self._experiment.name, **fields)

    def _write_validation(self, name: str, size: int, found: Judged) -> None:
        self._write(
            "validation",
            implementation=name,
            size=size,
            oracle=self._oracle.id,
            status=status_to_event(found.status),
            outcome=outcome_to_event(found.outcome),
        )

    def _write_failure(self, failure: Failure) -> None:
        self._write(
            "failure",
            implementation=failure.implementation,
            size=failure.size,
            process=failure.process,
            status=status_to_event(failure.status),
            input=failure.input_text,
            path=failure.path,
            flaky=failure.flaky,
            fingerprint=failure.fingerprint,
        )

    def _write_comparison(self, found: SizeComparison) -> None:
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

    def _write_crossover(self, a: str, b: str, found: CrossoverResult) -> None:
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


def _pairs(scales: Iterable[Any], labels: Iterable[str]) -> list[list[Any]]:
    return [[scale, label] for scale, label in zip(scales, labels, strict=True)]
