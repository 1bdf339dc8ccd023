"""What every package says of a wrong argument."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow._arguments import as_integer, reject_type


@given(st.integers())
def test_integers_pass_as_they_are(n: int) -> None:
    assert as_integer("n", n) is n


@pytest.mark.parametrize("bad", [True, np.False_, 1.0, np.float32(1), "1", None, np.arange(2)])
def test_all_else_is_refused_by_name(bad: Any) -> None:
    with pytest.raises(TypeError, match="^n must be an integer"):
        as_integer("n", bad)


def test_the_message_says_what_was_given_and_what_is_accepted() -> None:
    assert str(reject_type("label", 3, "a str")) == "label must be a str, not int (3)"
