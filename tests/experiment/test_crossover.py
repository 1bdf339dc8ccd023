"""Crossover: transitions counted with care, evidence kept, and the policy they support."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import (
    Found,
    Inconclusive,
    Label,
    NoCrossover,
    NonMonotonic,
    ScaleBoundary,
    ScaleDomain,
    comparator_label,
    crossover_from_labels,
    crossover_with_band,
    policy_from_crossover,
)
from lunaflow.experiment._crossover import Evidence
from lunaflow.policy import Basis, Fallback, Global, Piecewise, Region, choose

CASES = json.loads((Path(__file__).parents[1] / "data" / "crossover.json").read_text())["cases"]
A, B, U = Label.A, Label.B, Label.UNKNOWN
LABELS = st.lists(st.sampled_from(list(Label)), max_size=8)


def domain(count: int) -> ScaleDomain:
    return ScaleDomain(tuple(2**i for i in range(count)))


@pytest.mark.parametrize("case", CASES, ids=lambda c: "-".join(c["labels"]) or "none")
def test_known_cases(case: dict[str, Any]) -> None:
    result = crossover_from_labels(ScaleDomain(case["scales"]), case["labels"])
    kind, *boundary = case["expect"]
    assert type(result).__name__ == kind
    if isinstance(result, Found):
        assert result.boundary == ScaleBoundary(*boundary)
        assert result.undecided == ()


@given(LABELS)
def test_e13_the_kind_follows_the_number_of_transitions(labels: list[Label]) -> None:
    scales = domain(len(labels)).values
    changes = [
        i
        for i in range(1, len(labels))
        if labels[i - 1] != labels[i] and U not in (labels[i - 1], labels[i])
    ]
    result = crossover_from_labels(domain(len(labels)), labels)
    assert result.evidence == Evidence(scales, tuple(labels))
    match len(changes):
        case _ if not labels:
            assert isinstance(result, Inconclusive)
        case 0:
            assert isinstance(result, NoCrossover)
        case 1:
            boundary = ScaleBoundary(scales[changes[0] - 1], scales[changes[0]])
            assert result == Found(boundary, result.evidence)
        case _:
            assert isinstance(result, NonMonotonic)


@given(LABELS)
def test_e18_the_band_is_skipped_and_counted_as_one_transition(labels: list[Label]) -> None:
    known = [i for i, label in enumerate(labels) if label is not U]
    without = crossover_from_labels(
        ScaleDomain(tuple(2**i for i in known)), [labels[i] for i in known]
    )
    result = crossover_with_band(domain(len(labels)), labels)
    if labels and not known:
        assert isinstance(result, NoCrossover)
    else:
        assert type(result) is type(without)
    if isinstance(result, Found) and isinstance(without, Found):
        assert result.boundary == without.boundary
        band = [
            s
            for s in result.evidence.scales
            if result.boundary.below < s < result.boundary.at_or_above
        ]
        assert list(result.undecided) == band
        assert all(labels[s.bit_length() - 1] is U for s in band)


def test_e13_lengths_that_differ_are_inconclusive() -> None:
    result = crossover_from_labels(domain(3), [A, B])
    assert result == Inconclusive("2 labels for 3 scales", Evidence((1, 2, 4), (A, B)))
    assert crossover_with_band(domain(0), []) == Inconclusive(
        "0 labels for 0 scales", Evidence((), ())
    )


def test_e14_the_domain_is_taken_as_given() -> None:
    def compare(a: int, b: int) -> int:
        raise AssertionError("must not be called")

    for find in (crossover_from_labels, crossover_with_band):
        result = find(ScaleDomain((9, 3, 7), compare), [A, B, B])
        assert isinstance(result, Found)
        assert result.boundary == ScaleBoundary(9, 3)


def test_e15_the_evidence_names_scales_labels_and_observations() -> None:
    ids: Any = iter([["a1", "a2"], [], [7]])
    result = crossover_with_band(domain(3), ["A", "Unknown", "B"], observation_ids=ids)
    assert result.evidence == Evidence((1, 2, 4), (A, U, B), (("a1", "a2"), (), (7,)))
    with pytest.raises(ValueError, match="observation_ids must be one a scale: 1 for 2 scales"):
        crossover_with_band(domain(2), [A, B], observation_ids=[["x"]])


def test_a_wrong_label_or_domain_is_refused_by_place() -> None:
    with pytest.raises(ValueError, match=r"labels\[1\] must be 'A', 'B' or 'Unknown', not 'C'"):
        crossover_from_labels(domain(2), ["A", "C"])
    wrong: Any = [1, 2]
    with pytest.raises(TypeError, match="domain must be a ScaleDomain"):
        crossover_from_labels(wrong, [A, B])
    with pytest.raises(TypeError, match="labels must be a collection"):
        crossover_from_labels(domain(2), "AB")
    for fields, named in ((["12"], "values"), ([[1], 3], "compare"), ([[1], None, ""], "text")):
        arguments: list[Any] = fields
        with pytest.raises(TypeError, match=named):
            ScaleDomain(*arguments)


def test_a_band_that_the_evidence_does_not_show_is_refused() -> None:
    made_up = Found(ScaleBoundary(1, 4), Evidence((1, 2, 4), (A, A, A)))
    with pytest.raises(ValueError, match="shows no change"):
        made_up.undecided  # noqa: B018


@given(LABELS, st.booleans())
def test_e19_the_policy_follows_the_labels(labels: list[Label], with_band: bool) -> None:
    find = crossover_with_band if with_band else crossover_from_labels
    ids = [[f"block {i}"] for i in range(len(labels))]
    result = find(domain(len(labels)), labels, observation_ids=ids)
    policy = policy_from_crossover(result, "left", "right", fallback="safe")
    known = {label for label in labels if label is not U}
    names = {A: "left", B: "right"}
    if isinstance(policy, Piecewise):
        assert isinstance(result, Found)
        check_regions(policy, result, names)
    elif isinstance(policy, Global):
        assert isinstance(result, NoCrossover)
        assert known == {label for label, name in names.items() if name == policy.choice}
    else:
        assert isinstance(policy, Fallback)
        assert policy.choice == "safe"
        assert not (isinstance(result, NoCrossover) and len(known) == 1)
        if with_band:
            assert not isinstance(result, Found)


def check_regions(policy: Piecewise, result: Found, names: dict[Label, str]) -> None:
    evidence = result.evidence
    assert policy.undecided == result.undecided
    for scale, label in zip(evidence.scales, evidence.labels, strict=True):
        choice = choose(policy, scale)
        if label is not U:
            assert (choice.choice, choice.basis) == (names[label], Basis.MEASURED)
        if scale in result.undecided:
            assert choice.basis is Basis.UNDECIDED
    assert policy.regions[0].upper == result.boundary.below
    assert policy.regions[1].lower == result.boundary.at_or_above
    for region in policy.regions:
        inside = [s for s in evidence.scales if region.lower <= s <= region.upper]
        assert region.evidence_ids == tuple(f"block {s.bit_length() - 1}" for s in inside)


def test_e19_regions_run_from_the_first_to_the_last_scale_of_a_label() -> None:
    result = crossover_with_band(domain(9), [U, A, U, A, U, U, B, B, U])
    assert policy_from_crossover(result, "x", "y", fallback="x") == Piecewise(
        (Region(2, 8, "x", ()), Region(64, 128, "y", ())), (16, 32)
    )


@pytest.mark.parametrize(
    ("scales", "labels", "reason"),
    [
        ([1, 2, 4, 8], "A B Unknown A", "at scale 8 the label A contradicts the boundary"),
        ([1, 2, 4, 8], "B Unknown A B", "at scale 1 the label B contradicts the boundary"),
        ([100, 10], "A B", "the scales do not ascend: 10 follows 100"),
        ([1, 1], "A B", "the scales do not ascend"),
        ([1, float("nan")], "A B", "the scales do not ascend: nan follows 1"),
        ([1, "2"], "A B", "not supported between"),
        ([False, True], "A B", "a bool is not a scale"),
        (["1", "2"], "A B", "must be an int, a float or a Fraction"),
        ([1, 2, 4], "A Unknown B", "not between neighbouring decided scales"),
        ([1, 2, 4], "A B A", "changes more than once"),
        ([1, 2], "Unknown Unknown", "no implementation is known to be faster"),
        ([1, 2], "A", "1 labels for 2 scales"),
    ],
)
def test_e19_everything_else_falls_back_with_the_reason(
    scales: Any, labels: str, reason: str
) -> None:
    result = crossover_from_labels(ScaleDomain(scales), labels.split())
    policy = policy_from_crossover(result, "x", "y", fallback="z")
    assert isinstance(policy, Fallback)
    assert policy.choice == "z"
    assert reason in policy.reason


def test_e19_wrong_arguments_are_refused_by_name() -> None:
    result = crossover_from_labels(domain(1), [A])
    wrong: Any = 3
    for arguments, named in (((result, wrong, "y"), "a must"), ((result, "x", wrong), "b must")):
        with pytest.raises(TypeError, match=named):
            policy_from_crossover(*arguments, fallback="x")
    with pytest.raises(TypeError, match="fallback"):
        policy_from_crossover(result, "x", "y", fallback=wrong)
    with pytest.raises(TypeError, match="result must be"):
        policy_from_crossover(wrong, "x", "y", fallback="x")


def label_of_ratio(ratio: float, half_width: float) -> Label:
    """Label a time ratio B/A by its interval with a threshold of 10 %, as E16 asks."""
    low, high = (
        comparator_label(100 * (1 - r), 10.0) for r in (ratio + half_width, ratio - half_width)
    )
    return low if low is high else U


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ([1.40, 1.30, 0.95, 1.20, 1.10, 0.80, 0.70, 0.60], (8, 32)),
        ([1.40, 1.30, 1.25, 1.20, 1.30, 1.20, 1.40, 1.60], A),
        ([0.40, 0.30, 0.55, 0.20, 0.30, 0.50, 0.70, 0.60], B),
    ],
)
def test_e16_e18_one_noisy_point_makes_no_transition(ratios: list[float], expected: Any) -> None:
    widths = [0.30 if scale == 2 else 0.08 for scale in range(8)]
    labels = [label_of_ratio(r, w) for r, w in zip(ratios, widths, strict=True)]
    result = crossover_with_band(domain(8), labels)
    if isinstance(expected, Label):
        assert isinstance(result, NoCrossover)
        assert policy_from_crossover(result, "A", "B", fallback="?") == Global(str(expected))
    else:
        assert labels == [A, A, U, A, U, B, B, B]
        assert isinstance(result, Found)
        assert result.boundary == ScaleBoundary(*expected)
        assert result.undecided == (16,)


def test_e18_a_size_that_was_not_timed_is_undecided_and_never_interpolated() -> None:
    result = crossover_with_band(domain(4), [A, U, B, B])
    assert isinstance(result, Found)
    assert result.undecided == (2,)
    assert all(low < high for low, high in pairwise(result.evidence.scales))
