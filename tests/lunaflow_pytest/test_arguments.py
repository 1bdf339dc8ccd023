"""Limits in percent, and the names that functions go by."""

import functools
import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow_pytest._arguments import as_percent, names_of


@given(st.decimals(min_value="0.001", max_value=1000, places=3), st.sampled_from(["", " "]))
def test_a_limit_is_a_number_and_a_percent_sign(number: Any, space: str) -> None:
    assert as_percent(f"{space}{number}{space}%{space}") == float(number)


@pytest.mark.parametrize("limit", [0.05, 5, None, b"5%", True])
def test_a_bare_number_could_mean_two_things(limit: object) -> None:
    with pytest.raises(TypeError, match='limit must be a text in percent, such as "5%" or "0.5%"'):
        as_percent(limit)


@pytest.mark.parametrize(
    "limit",
    ["", "5", "%", "0%", "-5%", "5%%", "1e2%", "nan%", "inf%", "1001%", "5 per cent", "\u0665%"],
)
def test_other_texts_are_refused_with_what_is_accepted(limit: str) -> None:
    with pytest.raises(ValueError, match=r"above 0 and up to 1000%, not '"):
        as_percent(limit)


def total(x: Any) -> Any:
    return x


def test_names_differ_and_are_the_functions_own_where_they_have_some() -> None:
    def sum(x: Any) -> Any:
        return x

    nameless = functools.partial(operator.add, 1)
    assert names_of(total, np.sum) == ("total", "sum")
    # a name within a function says nothing of where it is
    assert names_of(sum, np.sum) == ("f", "g")
    assert names_of(operator.add, np.add) == ("_operator.add", "numpy.add")
    assert names_of(np.linalg.norm, total) == ("norm", "total")
    assert names_of(np.fft.fft, np.fft.fft) == ("f", "g")
    assert names_of(total, lambda x: x) == ("total", "g")
    assert names_of(nameless, nameless) == ("f", "g")
