"""What a comparison says of a limit: slower, not slower, or not known."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lunaflow.experiment import ExperimentResult, Protocol
from lunaflow.experiment._observations import CONTROL_SUFFIX, Block
from lunaflow_pytest._judging import BaselineRow, Judged, Standing, rows_of, with_limit

PROTOCOL = Protocol("P", pairs=8, processes=1, resamples=200)
NEW, OLD = "new", "old"
ORDER = (NEW, OLD, NEW + CONTROL_SUFFIX, OLD + CONTROL_SUFFIX)


def result_of(
    figures: dict[int, list[float]], noise: float = 0.0, sizes: tuple[int, ...] = ()
) -> ExperimentResult:
    """Return a result in which old takes 100 s, new what is given, and the twins `noise` more."""
    blocks = [
        Block(f"{size}/{i}", size, 0, i, ORDER, (1,) * 4, (x, 100.0, x * (1 + noise), 100.0))
        for size, seconds in figures.items()
        for i, x in enumerate(seconds)
    ]
    controls = tuple(name + CONTROL_SUFFIX for name in (NEW, OLD))
    sizes = sizes or tuple(figures)
    return ExperimentResult(
        "case", (OLD, NEW), sizes, PROTOCOL, "equal", controls, 0, blocks=tuple(blocks)
    )


def standings(result: ExperimentResult, limit: float) -> list[Standing]:
    return [row.judged.standing for row in rows_of(with_limit(result, limit), NEW, OLD)]


@given(st.floats(50, 200), st.floats(0.5, 50))
def test_constant_times_are_slower_exactly_from_the_limit_on(x: float, limit: float) -> None:
    delta = x - 100.0
    assume(abs(delta - limit) > 1e-9)
    (found,) = standings(result_of({4: [x] * 8}), limit)
    assert found is (Standing.SLOWER if delta >= limit else Standing.NOT_SLOWER)


def test_what_may_be_much_faster_is_not_slower_all_the_same() -> None:
    # the interval reaches from far below -5 % to below 5 %: two-sided it would be undecided
    seconds = [70.0, 101.0, 99.0, 72.0, 95.0, 80.0, 90.0, 85.0]
    result = with_limit(result_of({4: seconds}), 5)
    assert result.verdict(NEW, OLD, 4).value == "unknown"
    assert standings(result, 5) == [Standing.NOT_SLOWER]


def test_nothing_is_known_below_the_noise_floor() -> None:
    result = result_of({4: [103.0] * 8}, noise=0.06)
    (row,) = rows_of(with_limit(result, 5), NEW, OLD)
    assert row.judged.standing is Standing.UNDECIDED
    # 6 % of 103, in percent of 100
    assert row.judged.why.startswith("the noise floor of 6.2 % is above 5 %")
    # neither that it is slower
    assert standings(result, 2) == [Standing.UNDECIDED]
    assert standings(result_of({4: [120.0] * 8}, noise=0.06), 5) == [Standing.SLOWER]


def test_without_a_control_there_is_no_verdict() -> None:
    result = result_of({4: [120.0] * 8})
    bare = [
        replace(b, order=b.order[:2], iterations=(1, 1), seconds=b.seconds[:2])
        for b in result.blocks
    ]
    (row,) = rows_of(replace(result, blocks=tuple(bare)), NEW, OLD)
    assert (row.judged.standing, row.judged.why) == (
        Standing.UNDECIDED,
        "no noise floor was measured",
    )


def test_of_several_sizes_a_verdict_must_stand_after_holms_correction() -> None:
    # p lies between 5 % and a fourth of it
    seconds = [105.5, 108.5, 110.5, 105.5, 113.5, 107.5, 111.5, 109.5]
    alone = result_of({4: seconds})
    assert standings(alone, 5) == [Standing.SLOWER]
    found = alone.comparison(NEW, OLD, 4)
    assert found is not None
    several = with_limit(result_of({4: seconds, 5: [100.0] * 8, 6: [100.0] * 8, 7: [100.0] * 8}), 5)
    first, *others = rows_of(several, NEW, OLD)
    assert first.judged.standing is Standing.UNDECIDED
    assert first.judged.why == "slower, but not after Holm's correction for 4 comparisons"
    assert {row.judged.standing for row in others} == {Standing.NOT_SLOWER}


def test_a_size_without_blocks_is_undecided() -> None:
    result = result_of({4: [100.0] * 8}, sizes=(4, 8))
    assert standings(result, 5) == [Standing.NOT_SLOWER, Standing.UNDECIDED]
    assert rows_of(result, NEW, OLD)[1].judged.why == "not timed"


@pytest.mark.parametrize("seconds", Standing)
@pytest.mark.parametrize("ratio", Standing)
def test_a_stored_run_counts_where_seconds_and_ratio_agree(
    seconds: Standing, ratio: Standing
) -> None:
    row = BaselineRow(4, Judged(seconds, "the one"), Judged(ratio, "the other"))
    assert row.standing is (seconds if seconds is ratio else Standing.UNDECIDED)
    if row.standing is Standing.UNDECIDED:
        assert row.why(OLD)
