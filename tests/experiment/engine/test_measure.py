"""Measuring one process's task with a clock of our own: balance, findings, and no false figures."""

import functools
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.experiment.kit import parts_with

from lunaflow.experiment import Fixture, Protocol
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment.engine._calibration import calibrate
from lunaflow.experiment.engine._inputs import make_input
from lunaflow.experiment.engine._measure import Task, measure
from lunaflow.experiment.engine._standing import Inputs
from lunaflow.experiment.processes._pipes import Message

PROTOCOL = Protocol("TEST", pairs=12, processes=2, batch_seconds=1e-3, exploratory_blocks=0)
FIXTURE = Fixture.immutable(lambda size, rng: rng.integers(0, 100, size))


class Machine:
    """A clock, and implementations that each take their known time on it."""

    def __init__(self, **costs: int) -> None:
        self.now = 0
        self.inputs: dict[str, list[Any]] = {}
        self.implementations = {n: self.implementation(n, cost) for n, cost in costs.items()}

    def clock(self) -> int:
        return self.now

    def caller(self, name: str) -> Callable[[Any], int]:
        return lambda x: self.implementations[name](x)

    def implementation(self, name: str, cost: int) -> Callable[[Any], int]:
        def run(x: Any) -> int:
            self.now += cost
            seen = self.inputs.setdefault(name, [])
            if not any(x is one for one in seen[-1:]):
                seen.append(x)
            return 0

        run.__name__ = name
        return run


def inputs_of(seed: int, sizes: tuple[int, ...]) -> dict[int, Inputs]:
    made = {size: make_input(FIXTURE, seed, "e", size) for size in sizes}
    return {size: ((0, fingerprint(value)),) for size, value in made.items()}


def task(*names: str, sizes: tuple[int, ...] = (4,), process: int = 0) -> Task:
    timed = dict.fromkeys(sizes, names)
    return Task("e", timed, inputs_of(1, sizes), PROTOCOL, seed=1, process=process)


def messages(machine: Machine, of: Task, fixture: Fixture = FIXTURE) -> Iterator[Message]:
    # looked up at each call: a test may put another one in its place
    functions = {name: machine.caller(name) for name in machine.implementations}
    parts = parts_with(functions, fixture.materialize, fixture=fixture, clock=machine.clock)
    return measure(of, parts)


def only(kind: str, found: list[Message]) -> list[Message]:
    return [message for message in found if message["message"] == kind]


def test_the_seconds_per_call_are_the_known_costs() -> None:
    found = list(messages(Machine(f=200_000, g=600_000), task("f", "g")))
    calibrations = {m["implementation"]: m["iterations"] for m in only("calibration", found)}
    assert calibrations == {"f": 8, "g": 2}
    for block in only("block", found):
        per_call = {
            name: seconds / count
            for name, seconds, count in zip(
                block["order"], block["seconds"], block["iterations"], strict=True
            )
        }
        costs = {"f": 2e-4, "f (control)": 2e-4, "g": 6e-4, "g (control)": 6e-4}
        assert per_call == pytest.approx(costs)


def test_m2_and_m14_blocks_are_balanced_and_each_implementation_has_a_twin() -> None:
    blocks = only("block", list(messages(Machine(f=200_000, g=600_000), task("f", "g"))))
    # 12 pairs over 2 processes are 8 blocks, two whole squares of 4 treatments
    assert len(blocks) == 8
    orders = [block["order"] for block in blocks]
    assert {t for order in orders for t in order} == {"f", "f (control)", "g", "g (control)"}
    positions = Counter((i, t) for order in orders for i, t in enumerate(order))
    neighbours = Counter(pair for order in orders for pair in pairwise(order))
    assert set(positions.values()) == {2}
    assert len(positions) == 16
    assert set(neighbours.values()) == {2}
    assert len(neighbours) == 12


@pytest.mark.parametrize("last_good_call", range(9, 40, 3))
def test_m2_a_square_that_is_broken_off_leaves_no_block(last_good_call: int) -> None:
    machine = Machine(f=200_000, g=600_000)
    calls = [0]

    def raising(_x: Any) -> int:
        machine.now += 2_000_000
        calls[0] += 1
        if calls[0] > last_good_call:
            raise OverflowError("late")
        return 0

    machine.implementations["h"] = raising
    found = list(messages(machine, task("f", "g", "h")))
    blocks = only("block", found)
    for treatments in (4, 6):
        orders = [block["order"] for block in blocks if len(block["order"]) == treatments]
        positions = Counter((i, t) for order in orders for i, t in enumerate(order))
        neighbours = Counter(pair for order in orders for pair in pairwise(order))
        assert len(set(positions.values())) <= 1
        assert len(set(neighbours.values())) <= 1


def test_processes_measure_in_different_orders() -> None:
    def orders(process: int) -> list[Any]:
        machine = Machine(f=200_000, g=600_000, h=100_000)
        of = task("f", "g", "h", process=process)
        return [block["order"] for block in only("block", list(messages(machine, of)))]

    assert orders(0) == orders(0)
    assert len({str(orders(process)) for process in range(5)}) > 1


def test_m14_inputs_are_placed_anew_in_each_block_and_never_shared() -> None:
    machine = Machine(f=200_000, g=600_000)
    list(messages(machine, task("f", "g")))
    f, g = machine.inputs["f"], machine.inputs["g"]
    assert len({id(x) for x in [*f, *g]}) == len(f) + len(g)
    # calibration, one in each of 8 blocks, and another for the twin
    assert (len(f), len(g)) == (17, 17)
    assert not any(np.shares_memory(a, b) for a in f for b in g)
    assert all(np.array_equal(x, f[0]) for x in [*f, *g])


def test_m14_every_input_lies_on_a_line_at_the_offset_drawn() -> None:
    def offsets(seed: int) -> list[int]:
        machine = Machine(f=200_000, g=600_000)
        list(messages(machine, replace(task("f", "g"), inputs=inputs_of(seed, (4,)), seed=seed)))
        kept.append(machine)
        return [x.ctypes.data % 4096 for xs in machine.inputs.values() for x in xs]

    # all inputs are kept alive, so that no address comes again by chance
    kept: list[Machine] = []
    found = offsets(1)
    assert len(found) == 34
    assert all(offset % 64 == 0 for offset in found)
    assert len(set(found)) > 17
    assert offsets(1) == found
    assert offsets(2) != found


def test_m14_the_heap_is_shifted_from_block_to_block_and_kept_so_within_one() -> None:
    machine = Machine()
    in_use: list[int] = []

    def run(_x: Any) -> int:
        machine.now += 2_000_000
        in_use.append(tracemalloc.get_traced_memory()[0])
        return 0

    machine.implementations["f"] = run
    tracemalloc.start()
    try:
        list(messages(machine, task("f")))
    finally:
        tracemalloc.stop()
    # 4 calls calibrate; 6 blocks of the original and its twin follow
    blocks = np.array(in_use[4:]).reshape(6, 2)
    assert np.ptp(blocks[:, 0]) > 2**14
    assert np.ptp(blocks, axis=1).max() < 2**12


def test_m14_each_process_calls_the_implementations_first_in_an_order_of_its_own() -> None:
    def order(process: int) -> list[Any]:
        machine = Machine(f=200_000, g=600_000, h=100_000)
        found = list(messages(machine, task("f", "g", "h", process=process)))
        return [m["implementation"] for m in only("calibration", found)]

    orders = [order(process) for process in range(10)]
    assert {one[0] for one in orders} == {"f", "g", "h"}
    assert all(sorted(one) == ["f", "g", "h"] for one in orders)
    assert order(3) == orders[3]


def test_m14_the_heap_is_shifted_before_an_implementation_is_called_first() -> None:
    def in_use_at_first(process: int) -> int:
        machine = Machine()
        in_use: list[int] = []

        def run(_x: Any) -> int:
            machine.now += 2_000_000
            in_use.append(tracemalloc.get_traced_memory()[0])
            return 0

        machine.implementations["f"] = run
        tracemalloc.start()
        try:
            list(messages(machine, task("f", process=process)))
        finally:
            tracemalloc.stop()
        return in_use[0]

    assert np.ptp([in_use_at_first(process) for process in range(5)]) > 2**16


def test_a_short_call_on_a_fresh_copy_is_made_once_before_the_clock_starts() -> None:
    machine = Machine()
    last: list[Any] = [None]

    def cold_at_first(x: Any) -> int:
        machine.now += 200_000 if x is last[0] else 700_000
        last[0] = x
        return 0

    machine.implementations["f"] = cold_at_first
    blocks = only("block", list(messages(machine, task("f"))))
    assert len(blocks) == 6
    for block in blocks:
        assert block["seconds"] == pytest.approx([2e-4 * n for n in block["iterations"]])


def test_a_long_call_is_made_no_more_often_than_it_is_timed() -> None:
    machine = Machine(f=3_000_000)
    list(messages(machine, task("f")))
    # 4 calls calibrate; 6 blocks of the original and its twin follow
    assert machine.now == (4 + 6 * 2) * 3_000_000


def test_m4_what_takes_no_time_is_below_resolution_and_not_in_the_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = functools.partial(calibrate, max_iterations=16)
    monkeypatch.setattr("lunaflow.experiment.engine._measure.calibrate", short)
    found = list(messages(Machine(free=0, f=200_000), task("free", "f")))
    below = {m["implementation"]: m["below_resolution"] for m in only("calibration", found)}
    assert below == {"free": True, "f": False}
    blocks = only("block", found)
    assert blocks
    assert all(set(block["order"]) == {"f", "f (control)"} for block in blocks)


@pytest.mark.parametrize("on_call", [5, 6, 9])
def test_m8_who_changes_its_input_in_a_block_is_dropped_and_the_rest_measured_anew(
    on_call: int,
) -> None:
    machine = Machine(f=200_000, g=600_000)
    calls = [0]

    def changing(x: Any) -> int:
        machine.now += 2_000_000
        calls[0] += 1
        if calls[0] == on_call:
            x[0] += 1
        return 0

    machine.implementations["h"] = changing
    found = list(messages(machine, task("f", "g", "h")))
    (failure,) = only("failure", found)
    # it was well when it was calibrated, by 4 calls
    assert "h" in [m["implementation"] for m in only("calibration", found[: found.index(failure)])]
    assert failure["implementation"] == "h"
    assert failure["status"] == {"kind": "Invalid", "reason": "changed its input"}
    after = only("block", found[found.index(failure) :])
    assert all("h" not in block["order"] for block in after)
    assert len(after) == 8


def test_a_change_during_calibration_is_found_before_any_block() -> None:
    machine = Machine(f=200_000)

    def changing(x: Any) -> int:
        machine.now += 2_000_000
        x[0] += 1
        return 0

    machine.implementations["h"] = changing
    found = list(messages(machine, task("f", "h")))
    assert [m["implementation"] for m in only("failure", found)] == ["h"]
    assert all("h" not in block["order"] for block in only("block", found))


@pytest.mark.parametrize("on_call", [1, 3, 6])
def test_who_raises_while_timed_is_invalid_and_dropped(on_call: int) -> None:
    machine = Machine(f=200_000)
    calls = [0]

    def raising(_x: Any) -> int:
        machine.now += 2_000_000
        calls[0] += 1
        if calls[0] == on_call:
            raise OverflowError("late")
        return 0

    machine.implementations["h"] = raising
    found = list(messages(machine, task("f", "h")))
    (failure,) = only("failure", found)
    assert failure["status"]["reason"] == "raised while it was timed: OverflowError: late"
    assert all("h" not in block["order"] for block in only("block", found)[-2:])


def test_m7_who_is_being_timed_is_told_before_and_that_it_is_over_after() -> None:
    machine = Machine(f=200_000, g=600_000)
    timing: list[str | None] = []
    seen: list[str | None] = []
    for name, run in list(machine.implementations.items()):
        machine.implementations[name] = told_of(run, timing, seen)
    for message in messages(machine, task("f", "g")):
        if message["message"] == "timing":
            timing.append(message["implementation"])
        if message["message"] == "block_done":
            assert timing[-1] is None
    assert set(seen) == {"f", "g"}
    assert timing.count(None) == 8
    assert timing.count("f") == timing.count("g") == 1 + 2 * 8


def told_of(
    run: Callable[[Any], int], timing: list[str | None], seen: list[str | None]
) -> Callable[[Any], int]:
    name = run.__name__

    def told(x: Any) -> int:
        seen.append(timing[-1])
        assert timing[-1] == name
        return run(x)

    return told


def test_a_clock_that_goes_back_ends_the_size_and_not_the_next() -> None:
    machine = Machine(f=200_000)
    of = task("f", sizes=(4, 8))
    found = []
    for message in messages(machine, of):
        found.append(message)
        if message["message"] == "block" and message["size"] == 4:
            machine.implementation("back", -(10**9))(None)
            machine.implementations["f"] = machine.implementation("f", -5)
        if message["message"] == "size":
            machine.implementations["f"] = machine.implementation("f", 200_000)
    (failure,) = only("failure", found)
    assert failure["implementation"] is None
    assert failure["size"] == 4
    assert failure["status"]["kind"] == "InfrastructureFailure"
    assert "the clock went backwards" in failure["status"]["reason"]
    assert [b["size"] for b in only("block", found)].count(8) == 6


def test_m8_a_make_that_gives_another_input_is_found_out() -> None:
    of = task("f", sizes=(4,))
    machine = Machine(f=200_000)
    found = list(messages(machine, of, Fixture.immutable(lambda size, _rng: np.zeros(size))))
    (failure,) = only("failure", found)
    assert "another input" in failure["status"]["reason"]
    assert not only("block", found)
