"""Expressions of the command line, as functions that travel by import name."""

import pickle
import pickletools

import numpy as np
import pytest

from lunaflow.cli._expressions import Expression, Setup, WrongExpression, split_name

RNG = np.random.default_rng(0)


def test_a_setup_makes_variables_from_np_math_n_and_rng() -> None:
    made = Setup("import os\nx = np.arange(n)\ny = math.sqrt(n) + 0 * rng.random()\n_z = 1")(4, RNG)
    assert made["x"].tolist() == [0, 1, 2, 3]
    assert (made["y"], made["n"]) == (2.0, 4)
    assert set(made) == {"n", "os", "x", "y"}


def test_an_expression_is_a_function_of_the_variables() -> None:
    one = Expression("np.sort(x)[::-1] + n + math.floor(y)")
    assert one({"x": np.array([1, 2]), "n": 3, "y": 1.5}).tolist() == [6, 5]
    # of several lines, and with names of its own
    assert Expression("[\n  x * k\n  for k in range(n)\n]")({"x": 2, "n": 3}) == [0, 2, 4]


def test_an_expression_and_a_setup_travel_by_the_name_of_their_class() -> None:
    for one in (Expression("x + 1"), Setup("x = n")):
        data = pickle.dumps(one)
        names = {arg for op, arg, _ in pickletools.genops(data) if isinstance(arg, str)}
        assert "lunaflow.cli._expressions" in names
        assert pickle.loads(data).source == one.source
    used = Expression("x + 1")
    assert used({"x": 1}) == pickle.loads(pickle.dumps(used))({"x": 1}) == 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x +", "the expression 'x \\+' is not Python: invalid syntax"),
        ("x = 1", "the expression 'x = 1' is not Python"),
        ("", "the expression '' is not Python"),
        ("x\0", "is not Python"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_text(source: str, message: str) -> None:
    with pytest.raises(WrongExpression, match=message):
        Expression(source)


def test_a_setup_that_is_no_python_or_fails_is_refused() -> None:
    with pytest.raises(WrongExpression, match="the set-up 'x = = 1' is not Python"):
        Setup("x = = 1")
    with pytest.raises(WrongExpression, match="the set-up failed for n = 7: NameError: .*'y'"):
        Setup("x = y")(7, RNG)


@pytest.mark.parametrize(
    ("given", "name", "source"),
    [
        ("np.sort(x)", "np.sort(x)", "np.sort(x)"),
        ("fast=np.sort(x)", "fast", "np.sort(x)"),
        (" fast = f(x, k=2)", "fast", "f(x, k=2)"),
        ("x==2", "x==2", "x==2"),
        ('f(x, k="a")', 'f(x, k="a")', 'f(x, k="a")'),
    ],
)
def test_an_expression_may_have_a_name(given: str, name: str, source: str) -> None:
    assert split_name(given) == (name, source)
