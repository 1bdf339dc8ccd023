"""The evidence of a crossover: who is faster where, why nobody is, and the policy."""

from dataclasses import replace
from typing import Any

import pytest

from lunaflow.experiment import Invalid, Trap, Valid
from lunaflow.experiment._observations import Calibration, Failure, Validation
from lunaflow.experiment.report._evidence import evidence_texts, policy_of, policy_text, reason_text
from lunaflow.policy import Fallback, Global, Lookup, Piecewise, Region

SIZES = (10, 100, 1_000, 10_000)


@pytest.fixture
def make(make_result: Any) -> Any:
    """Return the function that makes a result of the ratios of a to b at the four sizes."""

    def made(*ratios: float | None, **changes: Any) -> Any:
        by_size = dict(zip(SIZES, ratios, strict=True))
        of_a = {n: None if r is None else r * 1e-9 * n for n, r in by_size.items()}
        times = {"a": of_a.__getitem__, "b": lambda n: 1e-9 * n}
        return make_result(times=times, sizes=SIZES, **changes)

    return made


@pytest.mark.parametrize(
    ("ratios", "labels", "meaning"),
    [
        (
            (0.5, 0.5, 2, 2),
            "a from 10 to 100, b from 1,000 to 10,000",
            "It changes once, between 100 and 1,000; nothing is interpolated.",
        ),
        (
            (0.5, 1, 1, 2),
            "a at 10, nobody from 100 to 1,000, b at 10,000",
            "nothing is interpolated. Undecided between them: 100 and 1,000.",
        ),
        ((0.5, 2, 0.5, 2), "a at 10, b at 100, a at 1,000, b at 10,000", "more than once"),
        ((0.5,) * 4, "a from 10 to 10,000", "It is not seen to change"),
        ((1,) * 4, "nobody from 10 to 10,000", "No size has a winner."),
    ],
)
def test_e15_the_labels_of_all_sizes_are_told(
    make: Any, ratios: tuple[float, ...], labels: str, meaning: str
) -> None:
    sequence, text = evidence_texts(make(*ratios), "a", "b")
    assert sequence == f"Faster by size: {labels}."
    assert meaning in text


def test_a_verdict_says_where_its_interval_lies(make: Any) -> None:
    result = make(0.5, 1, 2, None)
    reasons = [reason_text(result, "a", "b", size) for size in SIZES]
    assert reasons[0].startswith("beyond \N{PLUS-MINUS SIGN}3.0 %")
    assert reasons[1].startswith("within \N{PLUS-MINUS SIGN}3.0 %")
    assert reasons[2].startswith("beyond")
    assert reasons[3] == "not both were timed"


def test_what_is_undecided_says_why(make: Any) -> None:
    result = make(1, 1, 1, 1)
    alone = [
        replace(b, order=b.order[:2], seconds=b.seconds[:2], iterations=b.iterations[:2])
        for b in result.blocks
    ]
    uncontrolled = replace(result, blocks=tuple(alone))
    assert reason_text(uncontrolled, "a", "b", 10) == "no A/A control was measured"
    noisy = [
        replace(b, seconds=(b.seconds[0] * (0.7 + 0.6 * (b.process % 2)), *b.seconds[1:]))
        for b in result.blocks
    ]
    text = reason_text(replace(result, blocks=tuple(noisy)), "a", "b", 10)
    assert text == "across \N{PLUS-MINUS SIGN}3.0 %"


@pytest.mark.parametrize(
    ("ratio", "twin", "reason"),
    [
        (2, 3, "the difference is within the noise floor, \N{PLUS-MINUS SIGN}"),
        (1, 1.5, "within \N{PLUS-MINUS SIGN}3.0 %, which is less than the noise floor, "),
    ],
)
def test_what_the_noise_explains_says_so(make: Any, ratio: float, twin: float, reason: str) -> None:
    result = make(ratio, 1, 1, 1)
    noisy = [replace(b, seconds=(*b.seconds[:3], twin * b.seconds[3])) for b in result.blocks]
    text = reason_text(replace(result, blocks=tuple(noisy)), "a", "b", 10)
    assert text.startswith(reason)


def test_m11_what_was_not_compared_says_why(make: Any) -> None:
    trap = Validation("b", 100, "o", Valid(), "x", Trap("ValueError", "no", "OVERFLOW"))
    changes = {
        "failures": (Failure("a", 10, Invalid("wrong")),),
        "validations": (trap,),
        "calibrations": (Calibration("b", 1_000, 0, 1, 0.0, True),),
    }
    result = make(None, None, None, 1, **changes)
    assert [reason_text(result, "a", "b", size) for size in SIZES[:3]] == [
        "a failed there",
        "b overflows there",
        "b is below the timer's resolution",
    ]


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        (Global("a"), "Policy: a at every size, as it is faster wherever that is decided."),
        (
            Fallback("a", "the faster\nimplementation changes"),
            "Policy: none follows, the choice is left to you (the faster implementation changes).",
        ),
        (
            Piecewise((Region(10, 100, "a"), Region(10_000, 10_000, "b")), (1_000,)),
            "Policy: a from 10 to 100 and b at 10,000; undecided at 1,000; nearest choice beyond, "
            "marked as extrapolated.",
        ),
    ],
)
def test_e19_the_policy_is_told(policy: Any, text: str) -> None:
    assert policy_text(policy) == text


def test_a_policy_that_no_crossover_gives_is_refused() -> None:
    with pytest.raises(TypeError, match="no crossover gives a Lookup"):
        policy_text(Lookup(((1, "a"),)))


def test_m11_a_policy_of_what_failed_falls_back_on_what_is_right(make: Any) -> None:
    wrong = tuple(Failure(name, 10, Invalid("no")) for name in "ab")
    for failure in wrong:
        text = policy_of(make(0.5, 0.5, 2, 2, failures=(failure,)), "a", "b")
        assert text.startswith("Policy: none follows, the choice is left to you")
        assert f"{failure.implementation} failed at size 10: no" in text
    both = make(0.5, 0.5, 2, 2, failures=wrong)
    assert policy_of(both, "a", "b") == "Policy: none, a and b failed."
