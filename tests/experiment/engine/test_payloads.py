"""M3, M8: what is timed gets the copies that its fixture promises, made outside the clock."""

import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

from lunaflow.experiment import (
    Fixture,
    Implementation,
    InfrastructureFailure,
    Invalid,
    OperationResult,
    SetupPolicy,
    Value,
    WorkerSpec,
)
from lunaflow.experiment.engine._parcel import Parts
from lunaflow.experiment.engine._payloads import LocalPayload, NotTimed, WorkerPayload
from lunaflow.experiment.processes._worker import Worker
from lunaflow.experiment.processes.standalone._batch import ClockError

RNG = np.random.default_rng(0)


class Machine:
    """A clock that the implementation and the fixture move by known amounts."""

    def __init__(self) -> None:
        self.now = 0

    def clock(self) -> int:
        return self.now

    def taking(self, nanoseconds: int, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any) -> Any:
            self.now += nanoseconds
            return function(*given)

        return timed


def parts_of(machine: Machine, one: Implementation, fixture: Fixture, steps: int = 1) -> Parts:
    return Parts((one,), fixture, steps, machine.clock)


def placed(payload: LocalPayload, master: Any) -> LocalPayload:
    payload.begin(master)
    payload.place("slot", RNG)
    return payload


def test_m3_only_the_call_is_inside_the_clock() -> None:
    machine = Machine()
    fixture = Fixture(
        lambda size, rng: [size],
        clone=machine.taking(10**6, list),
        prepare=machine.taking(10**6, tuple),
    )
    one = Implementation.stateless("f", "", machine.taking(7, sum))
    payload = placed(LocalPayload(one, parts_of(machine, one, fixture)), [1, 2])
    assert payload.seconds("slot", 200) == 200 * 7e-9


def test_m3_waiting_for_the_work_behind_a_call_is_inside_the_clock() -> None:
    machine = Machine()
    one = Implementation.in_process(
        "f", "", machine.taking(2, lambda *_: 0), synchronize=machine.taking(30, lambda _: None)
    )
    fixture = Fixture.immutable(lambda size, rng: size)
    payload = placed(LocalPayload(one, parts_of(machine, one, fixture)), 1)
    assert payload.seconds("slot", 5) == pytest.approx(5 * 32e-9)


def test_each_call_gets_a_copy_of_its_own() -> None:
    seen: list[list[int]] = []

    def popping(x: list[int]) -> int:
        seen.append(x)
        return x.pop()

    machine, one = Machine(), Implementation.stateless("f", "", popping)
    payload = placed(
        LocalPayload(one, parts_of(machine, one, Fixture(lambda size, rng: [size]))), [1, 2, 3]
    )
    payload.seconds("slot", 100)
    payload.check("slot")
    assert len({id(x) for x in seen}) == 100
    assert all(x == [1, 2] for x in seen)


class Keeping:
    """A function that keeps memory for its results, and knows what was made of it."""

    made: ClassVar[list["Keeping"]] = []
    first_call = 1_000

    def __init__(self) -> None:
        self.results: list[int] = []

    def __getstate__(self) -> dict[str, Any]:
        return {"results": []}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self.made.append(self)

    def __call__(self, x: int) -> int:
        CLOCK.now += 1_000 if self.results else self.first_call
        self.results.append(x)
        return x


CLOCK = Machine()


def by_name(x: int) -> int:
    CLOCK.now += 1_000
    return x


def unpacked(one: Any) -> LocalPayload:
    implementation = Implementation.stateless("f", "", one)
    packed = pickle.dumps(implementation)
    fixture = Fixture.immutable(lambda size, rng: size)
    parts = Parts((pickle.loads(packed),), fixture, 1, CLOCK.clock, (packed,))
    return LocalPayload(parts.implementation("f"), parts)


def test_m14_what_a_function_keeps_is_placed_anew_with_each_copy() -> None:
    Keeping.made.clear()
    payload = placed(unpacked(Keeping()), 5)
    payload.seconds("slot", 3)
    (first,) = Keeping.made
    payload.renew("slot")
    for slot in ("slot", "f (control)"):
        payload.place(slot, RNG)
        assert payload.seconds(slot, 2) == 2e-6
    _, renewed, *others = Keeping.made
    assert [len(one.results) for one in (first, renewed, *others)] == [3, 1, 2, 2]
    payload.begin(6)
    payload.place("slot", RNG)
    payload.seconds("slot", 1)
    assert len(first.results) == 4  # another size decides anew


def test_m14_what_takes_long_to_be_ready_is_not_made_anew(monkeypatch: Any) -> None:
    Keeping.made.clear()
    monkeypatch.setattr(Keeping, "first_call", 10_000_001)
    payload = placed(unpacked(Keeping()), 5)
    payload.seconds("slot", 1)
    payload.renew("slot")
    payload.place("slot", RNG)
    payload.seconds("slot", 7)
    assert [len(one.results) for one in Keeping.made] == [8, 1]


def test_m14_what_is_imported_by_its_name_or_never_travelled_is_one_for_all() -> None:
    payload = placed(unpacked(by_name), 5)
    payload.renew("slot")
    assert payload.seconds("slot", 3) == 3e-6
    Keeping.made.clear()
    one = Implementation.stateless("f", "", Keeping())
    payload = placed(LocalPayload(one, parts_of(CLOCK, one, Fixture.immutable(max))), 5)
    payload.renew("slot")
    payload.place("slot", RNG)
    payload.seconds("slot", 1)
    assert Keeping.made == []


def test_m14_another_instance_that_fails_is_a_failure_of_the_function() -> None:
    payload = placed(unpacked(Failing()), 5)
    assert payload.seconds("slot", 1) >= 0
    with pytest.raises(NotTimed, match="FloatingPointError: instance 2"):
        payload.renew("slot")
    payload = placed(unpacked(Unpacked()), 5)
    with pytest.raises(NotTimed, match="ValueError: once is enough"):
        payload.renew("slot")


class Unpacked:
    """A function that is unpacked once and never again."""

    times = 0

    def __setstate__(self, state: dict[str, int]) -> None:
        Unpacked.times += 1
        if Unpacked.times > 1:
            raise ValueError("once is enough")

    def __getstate__(self) -> dict[str, int]:
        return {"some": 1}

    def __call__(self, x: int) -> int:
        return x


class Failing:
    """A function that works in its first instance alone."""

    instances = 0

    def __init__(self) -> None:
        self.number = 0

    def __setstate__(self, state: dict[str, Any]) -> None:
        Failing.instances += 1
        self.number = Failing.instances

    def __call__(self, x: int) -> int:
        if self.number > 1:
            raise FloatingPointError(f"instance {self.number}")
        return x


def test_each_block_gets_a_copy_that_calls_may_use_up() -> None:
    def popping(x: list[int]) -> int:
        return x.pop()

    fixture = Fixture(lambda size, rng: [size], setup_policy=SetupPolicy.EACH_BLOCK)
    machine, one = Machine(), Implementation.stateless("f", "", popping)
    payload = placed(LocalPayload(one, parts_of(machine, one, fixture)), [1, 2, 3])
    payload.seconds("slot", 3)
    payload.check("slot")
    with pytest.raises(NotTimed) as caught:
        payload.seconds("slot", 1)
    assert caught.value.status == Invalid(
        "raised while it was timed: IndexError: pop from empty list"
    )


def test_one_copy_is_reset_before_each_call_outside_the_clock() -> None:
    machine = Machine()
    seen: list[int] = []

    def reset(x: list[int]) -> None:
        machine.now += 10**6
        x[:] = [1, 2, 3]

    def popping(x: list[int]) -> int:
        machine.now += 3
        seen.append(id(x))
        return x.pop()

    one = Implementation.stateless("f", "", popping)
    fixture = Fixture(lambda size, rng: [size], reset=reset)
    payload = placed(LocalPayload(one, parts_of(machine, one, fixture)), [1, 2, 3])
    assert payload.seconds("slot", 50) == pytest.approx(50 * 3e-9)
    payload.check("slot")
    assert len(set(seen)) == 1


def test_m8_who_changes_what_is_shared_is_invalid() -> None:
    one = Implementation.stateless("f", "", list.pop)
    fixture = Fixture.immutable(lambda size, rng: [size])
    payload = placed(LocalPayload(one, parts_of(Machine(), one, fixture)), [1, 2, 3])
    payload.seconds("slot", 1)
    with pytest.raises(NotTimed) as caught:
        payload.check("slot")
    assert caught.value.status == Invalid("changed its input")
    assert not caught.value.blames_setup


def test_m8_a_clone_that_is_another_input_is_the_fixtures_fault() -> None:
    one = Implementation.stateless("f", "", sum)
    fixture = Fixture(lambda size, rng: [size], clone=lambda x: x[:-1])
    payload = LocalPayload(one, parts_of(Machine(), one, fixture))
    payload.begin([1, 2, 3])
    with pytest.raises(NotTimed) as caught:
        payload.place("slot", RNG)
    assert caught.value.status == InfrastructureFailure("the fixture: clone gave another input")
    assert caught.value.blames_setup


def test_m8_a_reset_that_does_not_bring_the_input_back_is_the_fixtures_fault() -> None:
    one = Implementation.stateless("f", "", list.pop)
    fixture = Fixture(lambda size, rng: [size], reset=lambda x: x.append(0))
    payload = placed(LocalPayload(one, parts_of(Machine(), one, fixture)), [1, 2, 3])
    payload.seconds("slot", 2)
    with pytest.raises(NotTimed) as caught:
        payload.check("slot")
    assert caught.value.blames_setup
    assert "reset does not bring the input back" in str(caught.value.status)


def test_a_sequence_is_timed_as_a_whole_and_starts_from_the_first_context_each_time() -> None:
    machine = Machine()
    contexts: list[list[int]] = []

    def step(given: Any, step: int, context: list[int]) -> OperationResult:
        machine.now += 5
        contexts.append([*context])
        context.append(step)
        return OperationResult(Value(given), context)

    one = Implementation.in_process("f", "", step, initial_context=[9])
    fixture = Fixture.immutable(lambda size, rng: size)
    payload = placed(LocalPayload(one, parts_of(machine, one, fixture, steps=3)), 1)
    assert payload.seconds("slot", 4) == pytest.approx(4 * 3 * 5e-9)
    assert contexts == [[9], [9, 0], [9, 0, 1]] * 4
    assert one.initial_context == [9]


def test_m4_a_clock_that_goes_back_is_passed_on() -> None:
    machine = Machine()
    one = Implementation.stateless("f", "", machine.taking(-5, abs))
    fixture = Fixture.immutable(lambda size, rng: size)
    payload = placed(LocalPayload(one, parts_of(machine, one, fixture)), 1)
    with pytest.raises(ClockError):
        payload.seconds("slot", 1)


def test_a_custom_fingerprint_says_what_is_the_same() -> None:
    one = Implementation.stateless("f", "", list.sort)
    fixture = Fixture.immutable(lambda size, rng: [size], lambda x: str(sorted(x)))
    payload = placed(LocalPayload(one, parts_of(Machine(), one, fixture)), [3, 1, 2])
    payload.seconds("slot", 1)
    payload.check("slot")


def test_m8_workers_are_held_to_the_same(functions: Any) -> None:
    fixture = Fixture.immutable(lambda size, rng: rng.random(size))
    master = np.array([3, 1, 2])
    for name, reason in (
        ("total", None),
        ("sorting_in_place", "changed its input"),
        ("overflowing", "raised while it was timed: OverflowError: too much at 3"),
    ):
        spec = WorkerSpec(call=f"measured_functions:{name}")
        parts = Parts((Implementation.worker("w", "", spec),), fixture, 1, abs)  # type: ignore[arg-type]
        with Worker(spec, 1) as worker:
            payload = WorkerPayload(worker, parts)
            payload.begin(master)
            payload.place("slot", RNG)
            assert outcome_of(payload) == (None if reason is None else Invalid(reason))


def outcome_of(payload: WorkerPayload) -> Any:
    try:
        assert payload.seconds("slot", 3) > 0
        payload.check("slot")
    except NotTimed as error:
        return error.status
    return None
