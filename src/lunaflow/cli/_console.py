"""Where the commands print their tables."""

from rich.console import Console


def console() -> Console:
    """Return the console for results: standard output, wide enough for tables in a file."""
    made = Console(highlight=False, emoji=False)
    return made if made.is_terminal else Console(highlight=False, emoji=False, width=160)
