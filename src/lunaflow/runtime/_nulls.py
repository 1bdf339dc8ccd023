"""What becomes of masked and null elements."""

from typing import Literal

Nulls = Literal["error", "skip"]


def check_nulls(nulls: object) -> None:
    """Raise ValueError for what is not ``"error"`` or ``"skip"``."""
    if nulls not in ("error", "skip"):
        raise ValueError(f'nulls must be "error" or "skip", not {nulls!r}')
