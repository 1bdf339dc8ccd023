"""Measuring a plan over its processes, and what becomes of it when one of them ends."""

from dataclasses import replace
from typing import Any

from lunaflow._texts import text_of
from lunaflow.experiment._event_values import status_from_event
from lunaflow.experiment._observations import Failure
from lunaflow.experiment._statuses import InfrastructureFailure
from lunaflow.experiment.engine._inputs import make_input
from lunaflow.experiment.engine._measure import Task, measure
from lunaflow.experiment.engine._parcel import Parcel
from lunaflow.experiment.engine._replayable import (
    Replayable,
    ReplayableTiming,
    Timing,
    Unreplayable,
)
from lunaflow.experiment.engine._session import Session
from lunaflow.experiment.engine._validation import INPUT_SHOWN
from lunaflow.experiment.processes._pipes import Message
from lunaflow.experiment.processes._supervised import fresh_interpreter_with
from lunaflow.experiment.processes._transport import pack_job


def time_all(session: Session) -> None:
    """Measure in every process the scales that it has not measured yet."""
    for process in range(session.protocol.processes):
        _Timing(session).run(process)


class _Timing:
    """The measuring of one process."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._standing = session.standing
        self._story = session.story

    def run(self, process: int) -> None:
        """Measure all scales that this process has not measured yet."""
        task = Task(
            case=self._session.plan.case_id,
            timed=self._standing.to_measure(process, self._session.plan.scales),
            inputs=self._standing.validated,
            protocol=self._session.protocol,
            seed=self._session.seed,
            process=process,
        )
        if not task.timed:
            return
        if self._session.parcel is not None:
            self._measure_apart(task, self._session.parcel)
            return
        for message in measure(task, self._session.parts):
            self._take(message, process)

    def _measure_apart(self, task: Task, parcel: Parcel) -> None:
        """Measure in a fresh interpreter; if it dies, in another.

        That one goes on without the implementation that was being timed, or, if none was, from the
        next scale on.
        """
        while task.timed:
            size: int | None = None
            with fresh_interpreter_with(pack_job((task, parcel))) as child:
                for message in child.messages(self._silence_seconds()):
                    size = message["size"]
                    self._take(message, task.process)
            if child.failure is None:
                self._story.left_behind(None, child.left_behind)
                return
            name = child.was_timing
            if size is None or name not in self._standing.timed.get(size, ()):
                name = None
            status = InfrastructureFailure(child.failure)
            self._fail(Failure(name, size, status, process=task.process))
            if size is None:
                return  # it died before it began: so would the next
            task = replace(task, timed=self._left_after(name, size, task))

    def _left_after(self, name: str | None, size: int, task: Task) -> dict[int, tuple[str, ...]]:
        """Return what is left to measure after a death in a scale, which ends it if nobody did."""
        if name is None:
            self._close(size, task.process)
        return self._standing.to_measure(task.process, self._session.plan.scales)

    def _close(self, size: int, process: int) -> None:
        self._standing.cells.add((size, process))
        self._story.cell_finished(size, process)

    def _silence_seconds(self) -> float:
        # a block calls each implementation and its control at least once, however long that takes
        specs = [one.spec for one in self._session.parts.implementations if one.spec is not None]
        of_workers = sum(spec.start_limit + 2 * spec.time_limit for spec in specs)
        return self._session.protocol.silence_seconds + 10 * self._standing.slowest + of_workers

    def _take(self, message: Message, process: int) -> None:
        fields = {name: value for name, value in message.items() if name != "message"}
        match message["message"]:
            case "block":
                self._story.block(process, fields)
            case "block_done":
                where = f"size {fields['size']}, process {process + 1}"
                self._session.counter.advance(f"{self._session.plan.case_id}: {where}")
            case "calibration":
                self._story.calibration(process, fields)
            case "size_done":
                self._close(fields["size"], process)
            case "failure":
                status = status_from_event(fields["status"])
                name, size = fields["implementation"], fields["size"]
                self._fail(Failure(name, size, status, process=process))

    def _fail(self, failure: Failure) -> None:
        failure, replayable = self._with_its_input(failure)
        # no later process spends time on figures that nobody may see
        self._standing.take_failure(failure.implementation, failure.size)
        self._story.failure(failure, replayable)

    def _with_its_input(self, failure: Failure) -> tuple[Failure, Replayable]:
        """Return a failure with the input that was timed, and how it is timed again."""
        scale, process = failure.size, failure.process
        if scale is None or process is None:
            return failure, Unreplayable("its process ended before anything was timed")
        session, inputs = self._session, self._standing.validated[scale]
        number, mark = inputs[process % len(inputs)]
        argument = self._made_again(scale, number, mark)
        task = Task(
            case=session.plan.case_id,
            timed={scale: self._standing.timed.get(scale, ())},
            inputs={scale: inputs},
            protocol=session.protocol,
            seed=session.seed,
            process=process,
        )
        timing = Timing(task, self._silence_seconds())
        clock = session.parts.clock
        replayable = ReplayableTiming(
            session.plan, failure.implementation, timing, number, argument, clock
        )
        text = None if argument is None else text_of(argument, INPUT_SHOWN)
        return replace(failure, input_text=text, fingerprint=mark), replayable

    def _made_again(self, scale: int, number: int, mark: str) -> Any:
        plan = self._session.plan
        try:
            argument = make_input(plan.fixture, self._session.seed, plan.case_id, scale, number)
            return argument if plan.fixture.fingerprint(argument) == mark else None
        except Exception:
            return None  # a make that works only at times is told where it was timed
