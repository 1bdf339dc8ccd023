"""How long an epsilon lives: as long as the derivative that it belongs to runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from lunaflow.autodiff._dual import finish, fresh_level


@contextmanager
def running_level() -> Iterator[int]:
    """Give the level of a new epsilon; afterwards its duals are refused by those of others."""
    level = fresh_level()
    try:
        yield level
    finally:
        finish(level)
