"""Running one experiment: validate, measure in fresh interpreters, conclude. All goes to events."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lunaflow.experiment._crossover import CrossoverResult, Found
from lunaflow.experiment._event_values import (
    outcome_to_event,
    protocol_to_event,
    status_from_event,
    status_to_event,
)
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment._observations import CONTROL_SUFFIX, Failure, SizeComparison
from lunaflow.experiment._oracles import outcome_text, reference_raised
from lunaflow.experiment._outcomes import OperationResult, Trapped
from lunaflow.experiment._record import build_experiments
from lunaflow.experiment._recorder import Recorder
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._statuses import InfrastructureFailure, Invalid, classify
from lunaflow.experiment.engine._calls import CallsApart, CallsHere
from lunaflow.experiment.engine._inputs import UnusableInput, make_input, require_usable
from lunaflow.experiment.engine._measure import Task, measure
from lunaflow.experiment.engine._progress import Report, StepCounter
from lunaflow.experiment.engine._validation import Judged, examine, expected_for, explain
from lunaflow.experiment.engine._williams import williams_square
from lunaflow.experiment.processes._pipes import Message
from lunaflow.experiment.processes._supervised import fresh_interpreter_with
from lunaflow.experiment.processes._transport import Packed, pack_job

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
        The callables for fresh interpreters; None to validate and measure in this one.
    recorder : Recorder
        Takes the events.
    report : callable
        Is told how far the run is.

    Raises
    ------
    UnusableInput
        Before anything runs, if the first input cannot be copied and compared.
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
        self._reference = _reference_name(experiment)
        self._slowest_validation = 0.0
        self._ended_at: Counter[int] = Counter()
        self._blocks: Counter[tuple[int, int]] = Counter()

    def run(self) -> None:
        experiment = self._experiment
        require_usable(self._input(self._sizes[0]), self._sizes[0])
        self._write(
            "experiment_started",
            implementations=list(experiment.implementations),
            sizes=list(self._sizes),
            protocol=protocol_to_event(self._protocol),
            oracle=self._oracle.id,
            controls=[name + CONTROL_SUFFIX for name in experiment.implementations],
            seed=experiment.seed,
        )
        with self._calls() as calls:
            for size in self._sizes:
                self._validate(size, calls)
        for process in range(self._protocol.processes):
            self._measure(process)
        self._conclude(build_experiments(self._recorder.events)[-1])
        self._write("experiment_finished")
        self._counter.finish(f"{experiment.name}: finished")

    def _steps(self) -> int:
        count = len(self._experiment.implementations)
        blocks = self._protocol.blocks_per_process(len(williams_square(2 * count)))
        return len(self._sizes) * (count + blocks * self._protocol.processes)

    def _input(self, size: int) -> Any:
        experiment = self._experiment
        return make_input(experiment.make, experiment.seed, experiment.name, size)

    def _calls(self) -> CallsHere:
        implementations = self._experiment.implementations
        if self._callables is None:
            return CallsHere(implementations)
        return CallsApart(implementations, self._callables, self._protocol)

    def _validate(self, size: int, calls: CallsHere) -> None:
        argument = self._input(size)
        try:
            require_usable(argument, size)
        except UnusableInput as error:
            self._write_failure(Failure(None, size, InfrastructureFailure(str(error))))
            return
        self._fingerprints[size] = fingerprint(argument)
        expected = self._expected(calls, argument)
        timed, seconds = [], 0.0
        for name in self._experiment.implementations:
            found = examine(partial(calls, name), self._oracle, argument, expected)
            self._write_validation(name, size, found)
            if found.failure_kind is not None:
                self._explain(name, size, found, argument, calls)
            elif found.timed:
                timed.append(name)
                seconds += found.seconds
            self._counter.advance(f"{self._experiment.name}: validating {name} at size {size}")
        if timed:
            self._timed[size] = tuple(timed)
            self._slowest_validation = max(self._slowest_validation, seconds)

    def _explain(
        self, name: str, size: int, found: Judged, argument: Any, calls: CallsHere
    ) -> None:
        def check(candidate: Any) -> Judged:
            expected = self._expected(calls, candidate)
            return examine(partial(calls, name), self._oracle, candidate, expected)

        for failure in explain(name, size, found, argument, check, self._experiment.shrinker):
            self._write_failure(failure)

    def _expected(self, calls: CallsHere, argument: Any) -> OperationResult | InfrastructureFailure:
        if self._reference is None:
            return expected_for(self._oracle, argument)
        # an implementation is the reference: what may end a process is not called in this one
        outcome = calls(self._reference, argument).outcome
        status = classify(outcome)
        if isinstance(status, InfrastructureFailure):
            return InfrastructureFailure(f"the reference {self._reference}: {status.reason}")
        if isinstance(outcome, Trapped):
            hint = reference_raised(self._experiment.implementations[self._reference])
            return InfrastructureFailure(f"{outcome_text(outcome)}\n{hint}")
        return OperationResult(outcome)

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
        """Measure in a fresh interpreter; if it dies, in another.

        That one goes on without the implementation that was being timed, or, if none was, from the
        next size on.
        """
        while task.timed:
            job = pack_job(task, callables)
            size: int | None = None
            with fresh_interpreter_with(job) as child:
                for message in child.messages(self._silence_seconds()):
                    size = message["size"]
                    self._take(message, task.process)
            if child.failure is None:
                return
            name = child.was_timing
            if size is None or name not in self._timed.get(size, ()):
                name = None
            status = InfrastructureFailure(child.failure)
            self._write_failure(Failure(name, size, status, process=task.process))
            if size is None:
                return  # it died before it began: so would the next
            task = replace(task, timed=self._left_after_death(name, size))

    def _left_after_death(self, name: str | None, size: int) -> dict[int, tuple[str, ...]]:
        if name is None:
            self._give_up_after_two(size)
            return {s: names for s, names in self._timed.items() if s > size}
        self._drop(name, size)
        return {s: names for s, names in self._timed.items() if s >= size}

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
                size = fields["size"]
                block = self._blocks[size, process]
                self._blocks[size, process] += 1
                identity = f"{self._experiment.name}/{size}/p{process}/b{block}"
                self._write("block", id=identity, process=process, block=block, **fields)
            case "block_done":
                where = f"size {fields['size']}, process {process + 1}"
                self._counter.advance(f"{self._experiment.name}: {where}")
            case "calibration":
                self._write("calibration", process=process, **fields)
            case "failure":
                status = status_from_event(fields["status"])
                # no later process spends time on figures that nobody may see
                if isinstance(status, Invalid):
                    self._drop(fields["implementation"], fields["size"])
                failure = Failure(fields["implementation"], fields["size"], status, process=process)
                self._write_failure(failure)

    def _drop(self, implementation: str, size: int) -> None:
        # in its place: an interpreter that follows one that died goes on from a size
        self._timed[size] = tuple(name for name in self._timed[size] if name != implementation)
        if not self._timed[size]:
            del self._timed[size]

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


def _reference_name(experiment: "Experiment") -> str | None:
    """Return the name of the implementation that is the reference, None if none is."""
    if experiment.oracle is not None:
        return None
    names = iter(experiment.implementations)
    if experiment.reference is None:
        return next(names)
    given = experiment.reference
    return next((name for name in names if experiment.implementations[name] is given), None)


def _pairs(scales: Iterable[Any], labels: Iterable[str]) -> list[list[Any]]:
    return [[scale, label] for scale, label in zip(scales, labels, strict=True)]
