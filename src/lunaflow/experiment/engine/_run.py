"""Running a plan: validate, measure in fresh interpreters, conclude. All goes to events."""

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import KW_ONLY, dataclass, field
from itertools import combinations
from typing import Any

from lunaflow._arguments import as_count, reject_type, require, require_callable
from lunaflow.experiment._environment import environment
from lunaflow.experiment._protocol import (
    DEVELOPMENT,
    Protocol,
    ProtocolPreset,
    as_protocol,
)
from lunaflow.experiment._record import build_experiments
from lunaflow.experiment._recorder import Recorder, recorded_run
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._spec import ValidatedBenchPlan
from lunaflow.experiment._summary import RunSummary, summary_of
from lunaflow.experiment.engine._inputs import make_input, require_usable
from lunaflow.experiment.engine._parcel import Parcel, pack_parts, parts_of
from lunaflow.experiment.engine._progress import Report, StepCounter, reporting
from lunaflow.experiment.engine._resume import Earlier, earlier_run
from lunaflow.experiment.engine._session import Session
from lunaflow.experiment.engine._standing import Standing
from lunaflow.experiment.engine._story import Story
from lunaflow.experiment.engine._timing import time_all
from lunaflow.experiment.engine._validating import validate
from lunaflow.experiment.engine._williams import williams_square
from lunaflow.experiment.events import Event, EventWriter
from lunaflow.experiment.processes._transport import CannotTravel
from lunaflow.experiment.processes.standalone._batch import Clock


@dataclass(frozen=True, slots=True, eq=False)
class RunContext:
    """What a run has besides its plan.

    Parameters
    ----------
    seed : int
        Seed of inputs, orders and intervals, at least 0.
    environment : mapping, optional
        Facts of the machine, for the record; by default what this interpreter finds out.
    sink : str, path-like, EventWriter or None
        Where the events are appended, one JSON line each, as they happen.
    protocol : Protocol or ProtocolPreset
        How much is validated and measured.
    progress : bool or callable
        Whether to show a bar (on a terminal, if rich is installed), or a function to call with
        ``(done, total, text)``.
    resume : bool
        Whether to go on from what the sink holds of this case, see `Experiment.run`.
    clock : callable
        Returns nanoseconds that never go back. Workers have clocks of their own.
    timing : bool
        Whether to time what is right; if not, the implementations are only validated.

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong type or value.
    """

    seed: int = 0
    environment: Mapping[str, Any] = field(default_factory=environment)
    sink: str | os.PathLike[str] | EventWriter | None = None
    protocol: Protocol | ProtocolPreset = DEVELOPMENT
    _: KW_ONLY
    progress: bool | Report = False
    resume: bool = False
    clock: Clock = time.perf_counter_ns
    timing: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", as_count("seed", self.seed, 0))
        require("environment", self.environment, Mapping, "a mapping")
        if self.sink is not None:
            require("sink", self.sink, (str, os.PathLike, EventWriter), "a path or EventWriter")
        object.__setattr__(self, "protocol", as_protocol(self.protocol))
        progress: Any = self.progress
        if not isinstance(progress, bool) and not callable(progress):
            accepted = "a bool or a callable (done, total, text)"
            raise reject_type("progress", progress, accepted)
        require("resume", self.resume, bool, "a bool")
        require_callable("clock", self.clock)
        require("timing", self.timing, bool, "a bool")
        if self.resume and self.sink is None:
            raise ValueError("to resume, give the events file of the run as the sink")


def run(plan: ValidatedBenchPlan, context: RunContext) -> RunSummary:
    """Validate the implementations of a plan, measure those that are right, and conclude.

    Parameters
    ----------
    plan : ValidatedBenchPlan
        What `BenchSpec.compile` returns.
    context : RunContext
        Seed, protocol, where the events go.

    Returns
    -------
    RunSummary
        What was validated and found; its ``result`` is built from the events alone.

    Raises
    ------
    CannotTravel
        Before anything runs, if a function cannot be sent to a fresh interpreter and more than one
        process is to measure.
    CannotResume
        Before anything runs, if the events are of another case, seed, version or machine.
    EventFileError
        If the events cannot be read or written.
    UnusableInput
        Before anything runs, if the first input cannot be copied and compared.
    """
    require("plan", plan, ValidatedBenchPlan, "what BenchSpec.compile returns in an Ok")
    require("context", context, RunContext, "a RunContext")
    protocol: Any = context.protocol
    parcel = _parcel(plan, context, protocol)
    with ExitStack() as stack:
        earlier = earlier_run(plan, context, protocol) if context.resume else Earlier()
        if earlier.is_finished:
            return summary_of(_result(earlier.events, plan))
        recorder = Recorder(_writer(context.sink, stack), earlier.events)
        report = stack.enter_context(reporting(context.progress))
        _require_first_input(plan, context)
        bracket = recorded_run(recorder, seed=context.seed, environment=context.environment)
        stack.enter_context(bracket)
        _run(plan, context, protocol, parcel, earlier, recorder, report)
    return summary_of(_result(recorder.events, plan))


def _run(
    plan: ValidatedBenchPlan,
    context: RunContext,
    protocol: Protocol,
    parcel: Parcel | None,
    earlier: Earlier,
    recorder: Recorder,
    report: Report,
) -> None:
    story = Story(plan.case_id, recorder)
    standing = Standing.after(earlier.closed, plan.ids) if earlier.closed else Standing()
    counter = StepCounter(report, _steps(plan, protocol))
    counter.skip(_steps_done(plan, protocol, standing))
    parts = parts_of(plan, context.clock)
    session = Session(plan, parts, parcel, protocol, context.seed, standing, story, counter)
    if earlier.closed:
        story.goes_on(earlier.mended)
    else:
        story.begins(plan, protocol, context.seed)
    validate(session)
    if context.timing:
        time_all(session)
        _conclude(_result(recorder.events, plan), story)
    story.ends()
    counter.finish(f"{plan.case_id}: finished")


def _conclude(result: ExperimentResult, story: Story) -> None:
    for comparison in result.comparisons():
        story.comparison(comparison)
    for a, b in combinations(result.implementations, 2):
        story.crossover(a, b, result.crossover(a, b))


def _parcel(plan: ValidatedBenchPlan, context: RunContext, protocol: Protocol) -> Parcel | None:
    """Return the plan for fresh interpreters, None if it is to be measured in this one."""
    try:
        return pack_parts(parts_of(plan, context.clock))
    except CannotTravel:
        if protocol.processes == 1:
            return None
        raise


def _require_first_input(plan: ValidatedBenchPlan, context: RunContext) -> None:
    scale = plan.scales[0]
    first = make_input(plan.fixture, context.seed, plan.case_id, scale)
    require_usable(plan.fixture, first, scale)


def _writer(
    sink: str | os.PathLike[str] | EventWriter | None, stack: ExitStack
) -> EventWriter | None:
    if sink is None or isinstance(sink, EventWriter):
        return sink
    return stack.enter_context(EventWriter(sink))


def _result(events: Iterable[Event], plan: ValidatedBenchPlan) -> ExperimentResult:
    found = [one for one in build_experiments(events) if one.name == plan.case_id]
    return found[-1]


def _steps(plan: ValidatedBenchPlan, protocol: Protocol) -> int:
    return len(plan.scales) * (_steps_of_scale(plan, protocol) + _blocks(plan, protocol))


def _steps_done(plan: ValidatedBenchPlan, protocol: Protocol, standing: Standing) -> int:
    cells = len(standing.cells) * _blocks(plan, protocol) // protocol.processes
    return len(standing.validated) * _steps_of_scale(plan, protocol) + cells


def _steps_of_scale(plan: ValidatedBenchPlan, protocol: Protocol) -> int:
    return len(plan.implementations) * protocol.inputs


def _blocks(plan: ValidatedBenchPlan, protocol: Protocol) -> int:
    rows = len(williams_square(2 * len(plan.implementations)))
    return protocol.blocks_per_process(rows) * protocol.processes
