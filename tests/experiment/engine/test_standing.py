"""Who is timed where, after whatever has failed, in this run or in the one that it goes on from."""

from typing import Any

from lunaflow.experiment.engine._standing import Standing


def standing() -> Standing:
    found = Standing()
    found.close_scale(4, ((0, "x"),), ["f", "g"], 1.0)
    found.close_scale(8, ((0, "y"),), ["f"], 3.0)
    found.close_scale(16, ((0, "z"),), [], 2.0)
    return found


def test_only_what_is_right_is_measured_and_only_once() -> None:
    found = standing()
    assert found.to_measure(0, (4, 8, 16)) == {4: ("f", "g"), 8: ("f",)}
    found.cells.add((4, 0))
    assert found.to_measure(0, (4, 8, 16)) == {8: ("f",)}
    assert found.to_measure(1, (4, 8, 16)) == {4: ("f", "g"), 8: ("f",)}
    assert found.slowest == 3.0


def test_m1_who_fails_is_timed_no_more_at_that_size() -> None:
    found = standing()
    found.take_failure("f", 4)
    found.take_failure("f", 8)
    assert found.to_measure(0, (4, 8)) == {4: ("g",)}
    found.take_failure("f", 8)
    found.take_failure("h", None)


def test_m7_a_size_that_fails_twice_without_anybody_to_blame_is_given_up() -> None:
    found = standing()
    found.take_failure(None, 4)
    assert 4 in found.to_measure(1, (4,))
    found.take_failure(None, 4)
    assert found.to_measure(2, (4, 8)) == {8: ("f",)}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"event": kind, **fields}


def test_the_events_of_a_run_give_the_standing_that_it_had() -> None:
    events = [
        event("validation", size=4),
        event("validated", size=4, validations=1, failures=0, inputs=[[0, "x"], [2, "y"]],
              timed=["g", "f", "unknown"], seconds=0.5),
        event("failure", size=4, process=0, implementation="f"),
        event("cell_finished", size=4, process=0, blocks=0, failures=1),
    ]  # fmt: skip
    found = Standing.after(events, ("f", "g"))
    assert found.validated == {4: ((0, "x"), (2, "y"))}
    assert found.timed == {4: ("g",)}
    assert found.cells == {(4, 0)}
    assert found.slowest == 0.5
