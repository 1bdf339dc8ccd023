"""Plans as dictionaries: JSON-ready, versioned, exact, and strict when read."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow import plan as lp
from lunaflow.plan import Custom, ExecutionPolicy, Opaque, Plan, ValueType, from_dict, to_dict

STORED = Path(__file__).parents[1] / "data" / "plans_version_1.json"


def example() -> dict[str, Any]:
    policy = ExecutionPolicy(worker_count=2, chunk_size=2**53 + 1)
    return to_dict(lp.map_reduce("p", Opaque("I32"), 2**60, Custom("SUM"), policy=policy))


def changed(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    mapping = copy.deepcopy(example())
    inner = mapping
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return mapping


@given(st.data())
def test_any_plan_survives_the_round_trip(
    plans: st.SearchStrategy[Plan], data: st.DataObject
) -> None:
    plan = data.draw(plans)
    mapping = to_dict(plan)
    assert from_dict(mapping) == plan
    assert from_dict(json.loads(json.dumps(mapping, allow_nan=False))) == plan


@given(st.data())
def test_other_json_readers_keep_every_integer(
    plans: st.SearchStrategy[Plan], data: st.DataObject
) -> None:
    plan = data.draw(plans)
    text = json.dumps(to_dict(plan))
    assert from_dict(json.loads(text, parse_int=lambda digits: int(float(digits)))) == plan


def test_names_do_not_become_the_members_they_spell() -> None:
    assert example()["domain"]["element_type"] == {"opaque": "I32"}
    assert example()["reduction"] == {"custom": "SUM"}
    assert to_dict(lp.map("p", ValueType.I32, 3))["domain"] == {
        "element_type": "I32",
        "input_length": 3,
    }


def test_integers_are_tagged_only_where_they_would_be_rounded() -> None:
    for n in (2**53, -(2**53)):
        assert to_dict(lp.map("p", ValueType.I32, n))["domain"]["input_length"] == n
    for n in (2**53 + 1, -(2**53) - 1):
        assert to_dict(lp.map("p", ValueType.I32, n))["domain"]["input_length"] == {
            "$": "int",
            "text": hex(n),
        }


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("format",), "lunaflow-policy", "format must be 'lunaflow-plan', not 'lunaflow-policy'"),
        (("version",), 2, "version must be 1, not 2"),
        (("version",), True, "version must be 1, not True"),
        (("label",), 3, "label must be a string, not 3"),
        (("kind",), "FOLD", "kind must be one of MAP, REDUCE, SCAN, MAP_REDUCE, not 'FOLD'"),
        (("kind",), ["MAP"], "kind must be one of"),
        (("domain",), None, "domain must be an object"),
        (("domain", "element_type"), "I16", "domain.element_type must be one of I32"),
        (("domain", "element_type"), {"name": "t"}, "domain.element_type lacks the field 'opaque'"),
        (("domain", "element_type"), {"opaque": 1}, "domain.element_type.opaque must be a string"),
        (("domain", "input_length"), 8.0, "domain.input_length must be an integer"),
        (("domain", "input_length"), True, "domain.input_length must be an integer"),
        (("domain", "input_length"), "1_000", "domain.input_length must be an integer"),
        (
            ("domain", "input_length"),
            {"$": "int", "text": "-0x0"},
            "domain: input_length: a damaged",
        ),
        (("domain", "input_length"), {"$": "float", "text": "inf"}, "must be an integer, not inf"),
        (("domain", "input_length"), "-0", "domain.input_length must be an integer"),
        (("domain", "stride"), 1, "domain has the unknown field 'stride'"),
        (("policy", "backend"), "GPU", "policy.backend must be one of NATIVE, JAVASCRIPT"),
        (("policy", "mode"), 0, "policy.mode must be one of"),
        (("policy", "worker_count"), None, "policy.worker_count must be an integer"),
        (("policy", "chunk_size"), "٣", "policy.chunk_size must be an integer"),
        (("policy", "ordering"), "ANY", "policy.ordering must be one of"),
        (("policy", "threads"), 1, "policy has the unknown field 'threads'"),
        (("reduction",), "XOR", "reduction must be one of SUM, MIN, MAX, not 'XOR'"),
        (("reduction",), {"custom": None}, "reduction.custom must be a string"),
        (("reduction",), {"custom": "a", "b": 1}, "reduction has the unknown field 'b'"),
        (("ordering",), None, "ordering must be one of"),
        (("comment",), "", "the plan has the unknown field 'comment'"),
    ],
)
def test_what_is_wrong_is_named(path: tuple[str, ...], value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        from_dict(changed(path, value))


@pytest.mark.parametrize("inner", [(), ("domain",), ("policy",)])
def test_what_is_missing_is_named(inner: tuple[str, ...]) -> None:
    fields = example()
    for name in inner:
        fields = fields[name]
    for missing in fields:
        mapping = copy.deepcopy(example())
        place = mapping
        for name in inner:
            place = place[name]
        del place[missing]
        with pytest.raises(ValueError, match=missing):
            from_dict(mapping)


@pytest.mark.parametrize("bad", [None, "{}", [("format", "lunaflow-plan")], 3])
def test_what_is_no_mapping_raises_a_type_error(bad: Any) -> None:
    with pytest.raises(TypeError, match="mapping"):
        from_dict(bad)


def test_what_is_no_plan_raises_a_type_error() -> None:
    wrong: Any = example()
    with pytest.raises(TypeError, match="plan must be a Plan"):
        to_dict(wrong)


def test_stored_plans_of_version_1_load_for_ever() -> None:
    stored = json.loads(STORED.read_text(encoding="ascii"))
    relaxed = lp.OrderingGuarantee.RELAXED_ORDER
    policy = ExecutionPolicy(
        backend=lp.BackendTarget.JAVASCRIPT,
        mode=lp.ExecutionMode.ASYNCHRONOUS,
        worker_count=-(2**70),
        chunk_size=0,
        ordering=relaxed,
    )
    assert [from_dict(one) for one in stored] == [
        lp.map("doubling \u20ac", ValueType.I32, 1000, ordering=relaxed),
        lp.reduce("total", ValueType.I64, 2**53 + 1, lp.ReductionKernel.SUM),
        lp.scan("running", ValueType.BYTES, 0, reduction=lp.ReductionKernel.MAX, policy=policy),
        lp.map_reduce("named", Opaque("I32"), 8, Custom("SUM")),
    ]


def test_integers_of_any_length_and_texts_of_any_characters_survive() -> None:
    policy = ExecutionPolicy(worker_count=-(10**5000), chunk_size=1 << 20_000)
    plan = lp.map("\ud83d\ude00", ValueType.I32, 10**5000, policy=policy)
    assert from_dict(json.loads(json.dumps(to_dict(plan)))) == plan
