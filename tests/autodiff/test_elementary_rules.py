"""The table of rules: it agrees with the kernels, and says what the documents say."""

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.autodiff.calls import INF, NAN, RULES
from tests.autodiff.points import CENTRES, near, point

from lunaflow.autodiff import _documents as documents
from lunaflow.autodiff import _rules as rules
from lunaflow.autodiff import elementary as el
from lunaflow.autodiff._kernels import BINARY, UNARY

KERNELS = UNARY | BINARY
EDGES = [x for y in (0.0, 0.5, 1.0, 2.0, 3.0, 6.0, 5e-324, 1e300, INF) for x in (y, -y)] + [NAN]
EVERY = pytest.mark.parametrize("rule", sorted(RULES))


def trouble_of(rule: str, at: Sequence[float]) -> str:
    trouble = RULES[rule].trouble(*at)
    return "fine" if trouble is None else trouble.value


def test_each_kernel_has_a_rule_and_each_rule_a_kernel() -> None:
    assert set(RULES) == set(KERNELS)
    for name, rule in RULES.items():
        assert rule.name == name
        assert len(rule.arguments) == len(rule.derivatives) == len(rule.tangents)
        assert len(rule.arguments) == (1 if name in UNARY else 2)


@EVERY
@settings(max_examples=60)
@given(data=st.data())
def test_d15_rule_and_kernel_fail_at_the_same_points(rule: str, data: st.DataObject) -> None:
    centres = st.sampled_from([*EDGES[:-3], *CENTRES.get(rule, ())])
    hard = st.builds(lambda c, s: near(Random(s), c), centres, st.integers(0, 2**32))
    numbers = st.floats() | hard | st.sampled_from(EDGES)
    at = data.draw(st.tuples(*[numbers] * len(RULES[rule].arguments)))
    assert trouble_of(rule, at) == KERNELS[rule].trouble_at(*at)


@EVERY
def test_d15_rule_and_kernel_fail_at_the_same_edges(rule: str) -> None:
    rng = Random(rule)
    edges = [(x,) for x in EDGES] if rule in UNARY else [(x, y) for x in EDGES for y in EDGES]
    for at in [*edges, *(point(rng, rule) for _ in range(500))]:
        assert trouble_of(rule, at) == KERNELS[rule].trouble_at(*at), at


def test_rules_give_the_names_of_math_and_numpy() -> None:
    for rule in documents.public_rules():
        name = documents.public_name(rule)
        assert hasattr(math, name) or name in ("mod", "maximum", "minimum")
        assert rule.numpy is None or callable(getattr(np, rule.numpy))
        if rule.numpy is not None:
            assert getattr(el, rule.numpy) is getattr(el, name)


def test_numbers_of_any_type_are_tested() -> None:
    for rule in documents.public_rules():
        assert not rule.trouble(*[0.25] * len(rule.arguments)) or rule.name in (
            "acosh",
            "fmod",
            "maximum",
            "minimum",
            "mod",
        )


def test_docstrings_say_what_the_rules_say() -> None:
    for rule in documents.public_rules():
        text = getattr(el, documents.public_name(rule)).__doc__
        assert text.startswith(f"Return {rule.returns}.\n")
        for part in (*rule.derivatives, rule.domain, *(fault.where for fault in rule.fails)):
            assert part in text
        for section in ("Parameters\n----------\n", "Returns\n-------\n", "Raises\n------\n"):
            assert section in text
        assert all(len(line) <= 100 for line in text.splitlines())


def test_power_logarithms_are_rules_too() -> None:
    rule = rules.power_log(2)
    assert rule.trouble(0.0, -1.0) is None
    assert len(rule.tangents) == 2


def test_the_reference_shows_the_table_of_the_rules() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/elementary.md").read_text()
    table = page.partition("| function |")[2].partition("\n\n")[0]
    rows = [line.split(" | ") for line in table.splitlines()[2:]]
    worst = {cells[0].removeprefix("| `").partition("(")[0]: cells[-1][:-2] for cells in rows}
    assert set(worst) == set(map(documents.public_name, documents.public_rules()))
    assert documents.reference_table(worst) in page
    assert all(0 <= float(share) <= 1 for share in worst.values())
