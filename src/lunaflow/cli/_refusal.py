"""The one way in which commands refuse: a message, and exit status 2."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn


class Refusal(Exception):
    """A wrong plan, input or place to write to."""


def refuse(message: str) -> NoReturn:
    """End the command with exit status 2 and a message."""
    raise Refusal(message)


def cannot_write(path: Path, error: OSError) -> NoReturn:
    """End the command because the system does not let a file be written."""
    refuse(f"cannot write {path}: {error.strerror or error}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """End the command with the reason if what writes `path` in this block cannot."""
    try:
        yield
    except OSError as error:
        cannot_write(path, error)
    except ValueError as error:
        refuse(str(error))


def refuse_overwriting(output: Path, source: Path) -> None:
    """End the command if it would overwrite what it reads."""
    if output.exists() and output.samefile(source):
        refuse(f"{output} is the input itself, which is never overwritten")
