"""Validating a plan, scale after scale, on all inputs that differ."""

from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from lunaflow.experiment._observations import Failure
from lunaflow.experiment._shrink import Shrinker
from lunaflow.experiment._statuses import InfrastructureFailure, Invalid, Valid
from lunaflow.experiment.engine._calls import Calls, CallsApart, CallsHere, CallsOfWorkers
from lunaflow.experiment.engine._default_shrinker import default_shrinker
from lunaflow.experiment.engine._inputs import UnusableInput, make_input, require_usable
from lunaflow.experiment.engine._replayable import ReplayableCall, Unreplayable
from lunaflow.experiment.engine._session import Session
from lunaflow.experiment.engine._validation import (
    Explained,
    Judged,
    examine,
    explain,
    is_alone,
    needed_to_judge,
)


def validate(session: Session) -> None:
    """Validate the scales that were not validated yet."""
    open_scales = [s for s in session.plan.scales if s not in session.standing.validated]
    if not open_scales:
        return
    with ExitStack() as stack:
        others: Calls = CallsHere(session.parts)
        apart = None
        if session.parcel is not None:
            apart = CallsApart(session.parts, session.parcel, session.protocol)
            others = stack.enter_context(apart)
        workers = stack.enter_context(CallsOfWorkers(session.parts, others))
        for scale in open_scales:
            _OneScale(session, scale, workers).run()
    if apart is not None:
        session.story.left_behind(None, apart.left_behind)
    for name, names in workers.left_behind().items():
        session.story.left_behind(name, names)


class _OneScale:
    """The validation of one scale."""

    def __init__(self, session: Session, scale: int, calls: Calls) -> None:
        self._session = session
        self._plan = session.plan
        self._scale = scale
        self._calls = calls
        self._inputs: list[tuple[int, str]] = []
        self._judged: dict[str, Judged] = {}
        self._validated: dict[str, int] = dict.fromkeys(session.plan.ids, 0)
        self._explained: list[tuple[int, Explained]] = []
        self._slowest = 0.0

    def run(self) -> None:
        """Validate on every input that is another one, and tell what was found."""
        session = self._session
        try:
            for number in range(session.protocol.inputs):
                argument = self._made(number)
                mark = self._plan.fixture.fingerprint(argument)
                if mark not in (known for _, known in self._inputs):
                    self._inputs.append((number, mark))
                    self._validate(number, argument, mark)
                for name in self._plan.ids:
                    where = f"validating {name} at size {self._scale}"
                    session.counter.advance(f"{self._plan.case_id}: {where}")
        except UnusableInput as error:
            failure = Failure(None, self._scale, InfrastructureFailure(str(error)))
            session.story.failure(failure, Unreplayable("the input could not be used"))
            self._close(())
            return
        self._tell()
        self._close(tuple(name for name, found in self._judged.items() if found.timed))

    def _made(self, number: int) -> Any:
        session, fixture = self._session, self._plan.fixture
        argument = make_input(fixture, session.seed, self._plan.case_id, self._scale, number)
        require_usable(fixture, argument, self._scale)
        return argument

    def _validate(self, number: int, argument: Any, mark: str) -> None:
        names = [name for name in self._plan.ids if not self._has_failed(name)]
        called = names if is_alone(self._plan.oracle) else self._plan.ids
        examined = examine(self._plan, self._calls, argument, called)
        for step, pairs in examined.relations:
            oracle = self._plan.oracle_id
            self._session.story.relation(self._scale, number, step, oracle, pairs)
        for name in names:
            found = examined.judged[name]
            self._take(name, found)
            if found.failure_kind is not None:
                self._explain(name, found, number, argument, mark)
        seconds = sum(one.seconds for one in examined.judged.values() if one.timed)
        self._slowest = max(self._slowest, seconds)

    def _has_failed(self, name: str) -> bool:
        return name in self._judged and self._judged[name].failure_kind is not None

    def _take(self, name: str, found: Judged) -> None:
        self._validated[name] += 1
        before = self._judged.get(name)
        # the first thing that is more than Valid is what is told
        if before is None or isinstance(before.status, Valid) or found.failure_kind is not None:
            timed = found.timed and (before is None or before.timed)
            self._judged[name] = replace(found, timed=timed)
        elif not found.timed:
            self._judged[name] = replace(before, timed=False)

    def _explain(self, name: str, found: Judged, number: int, argument: Any, mark: str) -> None:
        def check(candidate: Any) -> Judged:
            needed = needed_to_judge(self._plan, name)
            return examine(self._plan, self._calls, candidate, needed).judged[name]

        given = self._plan.shrinker
        shrinker = self._default_shrinker(found) if given is None else given
        explained = explain(name, self._scale, found, argument, check, shrinker, mark)
        if given is None:
            # inputs that nobody has called possible: what no oracle could judge says nothing
            others = (one for one in explained[1:] if isinstance(one.failure.status, Invalid))
            explained = [explained[0], *others]
        self._explained += [(number, one) for one in explained]

    def _default_shrinker(self, found: Judged) -> Shrinker | None:
        """Return how inputs get simpler unasked.

        None where such a call might end this process, and where the oracle is what failed.
        """
        fixture = self._plan.fixture
        own = fixture.clone is not None or fixture.prepare is not None
        if own or self._session.parcel is None or found.is_of_the_oracle:
            return None
        return default_shrinker(fixture.materialize)

    def _tell(self) -> None:
        story, oracle = self._session.story, self._plan.oracle_id
        for name, found in self._judged.items():
            story.validation(name, self._scale, oracle, found, self._validated[name])
            for number, one in self._explained:
                if one.failure.implementation == name:
                    story.failure(one.failure, self._replayable(number, one, name))

    def _replayable(self, number: int, one: Explained, name: str) -> ReplayableCall:
        needed = needed_to_judge(self._plan, name)
        return ReplayableCall(
            plan=self._plan,
            name=name,
            needed=needed,
            argument=one.argument,
            is_original=one.is_original,
            seed=self._session.seed,
            scale=self._scale,
            draw=number,
            step=one.step,
            clock=self._session.parts.clock,
        )

    def _close(self, timed: tuple[str, ...]) -> None:
        inputs, scale = tuple(self._inputs), self._scale
        self._session.story.validated(scale, inputs, timed, self._slowest)
        self._session.standing.close_scale(scale, inputs, timed, self._slowest)
