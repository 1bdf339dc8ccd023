"""The one way in which commands refuse: a message, and exit status 2."""

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
