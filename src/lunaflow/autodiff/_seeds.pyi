"""The duals that a pass through a function of several variables starts from, made at once."""

from typing import Any

from lunaflow.autodiff._dual import Dual

def seeds(values: list[Any], tangents: list[Any], level: int, checked: bool) -> list[Dual[Any]]:
    """Return the duals of one level that have these values and tangents, which are as many."""
