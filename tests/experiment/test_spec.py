"""A benchmark is checked as a whole: all that is wrong with it is told, and nothing runs before."""

import pickle
from typing import Any

import pytest

from lunaflow.arithmetic import Err, Ok
from lunaflow.experiment import (
    BenchSpec,
    Fixture,
    Implementation,
    InvalidBenchSpec,
    ReferenceOracle,
    RelationalOracle,
    ScaleDomain,
    Shrinker,
    SpecIssue,
    ValidatedBenchPlan,
    WorkerSpec,
)

FIXTURE = Fixture.immutable(lambda size, rng: rng.random(size))
ORACLE = ReferenceOracle.equal("equal", sum)
SUM = Implementation.stateless("sum", "1", sum)


def spec(**changed: Any) -> BenchSpec:
    given: dict[str, Any] = {
        "case_id": "case",
        "fixture": FIXTURE,
        "implementations": [SUM],
        "oracle": ORACLE,
        "scales": [1, 2],
    }
    given.update(changed)
    return BenchSpec(**given)


def issues(one: BenchSpec) -> list[str]:
    match one.compile():
        case Err(InvalidBenchSpec() as error):
            return [str(issue) for issue in error.issues]
    return []


def test_a_right_spec_compiles_to_a_plan_with_its_fields() -> None:
    found = spec(sequence_length=3, shrinker=Shrinker(lambda _: [])).compile()
    assert isinstance(found, Ok)
    plan = found.unwrap()
    assert isinstance(plan, ValidatedBenchPlan)
    assert (plan.case_id, plan.ids, plan.scales, plan.sequence_length) == (
        "case", ("sum",), (1, 2), 3,
    )  # fmt: skip
    assert plan.oracle_id == "equal"
    assert plan.reference is None
    assert plan.implementation("sum") is SUM


def test_without_an_oracle_the_first_implementation_or_the_one_named_is_the_reference() -> None:
    two = [SUM, Implementation.stateless("max", "1", max)]
    assert spec(oracle=None, implementations=two).compile().unwrap().reference == "sum"
    named = spec(oracle=None, implementations=two, reference="max").compile().unwrap()
    assert (named.reference, named.oracle_id) == ("max", "equal")


def test_all_that_is_wrong_is_told_at_once() -> None:
    wrong = spec(
        case_id=" ",
        implementations=[SUM, SUM, Implementation.stateless("x (control)", "", max)],
        scales=[-1, 3, 3, 2**63],
        sequence_length=0,
        reference="y",
    )
    assert issues(wrong) == [
        "case_id must not be empty or blank, not ' '",
        (
            "implementations[2].id must not end with ' (control)', as 'x (control)' does: "
            "the A/A control does"
        ),
        "implementations must have ids of their own; 'sum' comes twice",
        "scales[0] must be at least 0 and at most 9223372036854775807, not -1",
        "scales[3] must be at least 0 and at most 9223372036854775807, not 9223372036854775808",
        "scales must ascend strictly, but scales[2] = 3 follows 3",
        "sequence_length must be from 1 to 1000000, not 0",
        "reference must be None beside an oracle, which says what is right",
    ]


@pytest.mark.parametrize(
    ("changed", "issue"),
    [
        ({"implementations": []}, "implementations must hold at least one, not none"),
        ({"scales": ()}, "scales must hold at least one, not none"),
        ({"oracle": None, "reference": "y"}, "reference must be one of the ids (sum), not 'y'"),
        (
            {"implementations": [Implementation.worker("w", "", WorkerSpec(["no such program"]))]},
            "implementations[0].spec names the program 'no such program', which is not there",
        ),
        (
            {
                "implementations": [Implementation.worker("w", "", WorkerSpec(call="math:fsum"))],
                "fixture": Fixture(lambda size, rng: size, clone=list, reset=lambda x: None),
            },
            (
                "implementations[0].spec is of a worker, "
                "which cannot see the fixture's clone and reset"
            ),
        ),
    ],
)
def test_each_issue_names_its_field_and_what_is_there(changed: dict[str, Any], issue: str) -> None:
    assert issues(spec(**changed)) == [issue]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"case_id": 3}, "case_id must be a str"),
        ({"fixture": len}, "fixture must be a Fixture"),
        ({"implementations": [len]}, r"implementations\[0\] must be an Implementation"),
        ({"implementations": 5}, "implementations must be an iterable"),
        ({"oracle": len}, "oracle must be a ReferenceOracle, RelationalOracle"),
        ({"scales": "12"}, "scales must be an iterable of integers"),
        ({"scales": [1.5]}, r"scales\[0\] must be an integer"),
        ({"sequence_length": True}, "sequence_length must be an integer"),
        ({"shrinker": len}, "shrinker must be a Shrinker"),
        ({"reference": 3}, "reference must be a str"),
    ],
)
def test_a_wrong_type_is_refused_at_once(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        spec(**changed)


def test_scales_may_be_a_domain_and_oracles_relational() -> None:
    plan = spec(scales=ScaleDomain((4, 8)), oracle=RelationalOracle.equal("alike")).compile()
    assert plan.unwrap().scales == (4, 8)


def test_an_invalid_spec_is_an_exception_with_its_issues_that_travels() -> None:
    with pytest.raises(InvalidBenchSpec, match="scales must hold") as caught:
        spec(scales=[]).compile().unwrap()
    assert caught.value.issues == (SpecIssue("scales", "must hold at least one, not none"),)
    assert pickle.loads(pickle.dumps(caught.value)).issues == caught.value.issues
