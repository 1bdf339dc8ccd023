"""The printed table is short: plain numbers, failures and traps that are alike on one line."""

from dataclasses import replace

import pytest

from lunaflow.experiment import ExperimentResult, Invalid, Protocol, Trap, Valid
from lunaflow.experiment._observations import (
    Block,
    Calibration,
    Failure,
    LeftBehind,
    Relation,
    Validation,
)

ORDER = ("f", "g", "f (control)", "g (control)")
SIZES = (4, 8, 16)


def result_with_floor(control: float = 1.0, **fields: object) -> ExperimentResult:
    """Return a result in which the twins take `control` times what the implementations take."""
    batch = (1.0, 1.0, control, control)
    blocks = tuple(
        Block(f"{n}/{i}", n, 0, i, ORDER, (1,) * 4, batch) for n in SIZES for i in (0, 1)
    )
    protocol = Protocol("TEST", pairs=4, processes=1, resamples=100)
    result = ExperimentResult("e", ORDER[:2], SIZES, protocol, "equal", ORDER[2:], 0, blocks=blocks)
    return replace(result, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("control", "floor"),
    [(1.0, "0.00 %"), (1.0043, "0.43 %"), (1.012, "1.2 %"), (2.5, "150 %"), (1000.0, "99,900 %")],
)
def test_noise_floors_are_plain_numbers(control: float, floor: str) -> None:
    rows = str(result_with_floor(control)).splitlines()[2:5]
    assert all(row.endswith(f"  {floor}") for row in rows)


def notes(result: ExperimentResult) -> list[str]:
    return [line for line in str(result).splitlines() if line.startswith(("FAILED", "not timed"))]


def test_failures_for_one_reason_take_one_line() -> None:
    failures = (
        Failure("g", 8, Invalid("value mismatch: 1 is not 2 at [0]"), "array([1,\n 2])"),
        Failure("g", 4, Invalid("value mismatch: 3 is not 2 at [1]"), "array([3])", flaky=True),
        Failure("f", 4, Invalid("changed its input"), process=1),
        Failure("f", 4, Invalid("changed its input"), process=2),
        Failure(None, None, Invalid("the process died:\n" + 300 * "x")),
    )
    first, second, third = notes(result_with_floor(failures=failures))
    assert first == (
        "FAILED g at sizes 4 and 8: Invalid: value mismatch: 1 is not 2 at [0] "
        "(flaky: it did not repeat); input at size 8 array([1, 2])"
    )
    assert second == "FAILED f at size 4: Invalid: changed its input"
    assert third.startswith("FAILED the measurement: Invalid: the process died: xxx")
    assert len(third) < 250


def test_an_input_that_was_made_small_is_not_called_the_input() -> None:
    small = Failure("g", 8, Invalid("no"), "array([1])", path=("array([1, 2])", "array([1])"))
    (line,) = notes(result_with_floor(failures=(small,)))
    assert line == "FAILED g at size 8: Invalid: no; input shrunk to array([1])"
    two = (small, replace(small, size=16))
    (line,) = notes(result_with_floor(failures=two))
    assert line.endswith("; input at size 8 shrunk to array([1])")


def test_the_noise_floor_shown_is_that_of_the_pair_and_the_way_round_that_of_a_comparison() -> None:
    order = tuple(name for one in "fgh" for name in (one, f"{one} (control)"))
    times = (1.0, 1.1, 2.0, 2.0, 4.0, 6.0)
    blocks = tuple(Block(f"{i}", 4, 0, i, order, (1,) * 6, times) for i in range(4))
    result = replace(
        result_with_floor(), implementations=("f", "g", "h"), sizes=(4,), blocks=blocks
    )
    heads, row = (line.split() for line in str(result).splitlines()[1:3])
    assert " ".join(heads) == "size f g h f against g noise floor f against h noise floor"
    assert " ".join(row).endswith("-50.0 %, f faster 5.0 % -75.0 %, f faster 50 %")
    for other, floor in (("g", 5.0), ("h", 50.0)):
        found = result.comparison("f", other, 4)
        assert found is not None
        assert found.threshold_pct == pytest.approx(floor)
    alone = replace(result, implementations=("f",))
    assert str(alone).splitlines()[1].split() == ["size", "f", "noise", "floor"]
    assert str(alone).splitlines()[2].endswith("10 %")
    assert "differences: the median of those in each block" in str(result)
    assert "differences" not in str(alone)


def test_inputs_are_cut_to_a_line() -> None:
    failures = (Failure("g", 8, Invalid("wrong"), "\n".join(["0123456789"] * 50)),)
    (line,) = notes(result_with_floor(failures=failures))
    assert line.startswith("FAILED g at size 8: Invalid: wrong; input 0123456789 0123456789")
    assert line.endswith("...")
    assert len(line) < 130


def test_what_is_not_timed_takes_one_line_a_reason() -> None:
    trap = Trap("ArithmeticError", "too much", kind="OVERFLOW", index=3)
    validations = tuple(Validation("f", n, "equal", Valid(), "text", trap) for n in (8, 16))
    calibrations = tuple(
        Calibration("g", n, process, 1, 0.0, below_resolution=True)
        for n in (4, 8, 16)
        for process in (0, 1)
    )
    result = result_with_floor(validations=validations, calibrations=calibrations)
    assert notes(result) == [
        "not timed: f at sizes 8 and 16 traps (OVERFLOW)",
        "not timed: g at sizes 4, 8 and 16 is below the timer's resolution",
    ]


def test_it_says_on_how_many_inputs_it_was_validated() -> None:
    one = Validation("f", 4, "equal", Valid(), "text", inputs=3)
    assert "validated on 3 inputs a size" in str(result_with_floor(validations=(one,)))
    two = (one, replace(one, size=8, inputs=1))
    assert "validated on 1 to 3 inputs a size" in str(result_with_floor(validations=two))
    assert "validated" not in str(result_with_floor())


def test_e4_the_odd_one_out_and_what_was_left_behind_have_a_line() -> None:
    relations = tuple(Relation(n, 0, 0, 3, (("f", "g", "no"),), "g") for n in (4, 8))
    left = (LeftBehind("f", ("sleep", "sh")), LeftBehind(None, ("cat",)))
    lines = str(result_with_floor(relations=relations, left_behind=left)).splitlines()
    assert "odd one out: g at sizes 4 and 8 disagrees with all others, which agree" in lines
    assert "left behind: f left 2 processes running (sleep and sh), now ended" in lines
    assert "left behind: an implementation left 1 process running (cat), now ended" in lines
