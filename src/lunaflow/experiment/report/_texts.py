"""Numbers and foreign texts as a report shows them."""

import re
from collections.abc import Iterable, Sequence

from lunaflow.experiment._texts import words

# Surrogates, control and bidirectional formatting characters, noncharacters: shown, not obeyed.
_UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef"
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
    )
    + "]"
)


def showable(text: str) -> str:
    r"""Return `text` with each character that HTML must not hold written as its ``\u`` escape."""
    return _UNSHOWABLE.sub(lambda match: _escape(ord(match[0])), text)


def percent_text(percent: float) -> str:
    """Return a signed percentage with one decimal (none from 100 on) and a true minus sign."""
    text = f"{percent:+.1f} %" if abs(percent) < 100 else f"{percent:+,.0f} %"
    return ("0.0 %" if text in ("+0.0 %", "-0.0 %") else text).replace("-", "\N{MINUS SIGN}")


def size_text(size: int) -> str:
    """Return a size with separators between thousands."""
    return f"{size:,}"


def sizes_text(sizes: Iterable[int]) -> str:
    """Return sizes in words: ``"1, 2 and 1,000"``."""
    return words([size_text(size) for size in sizes])


def runs_text(some: Sequence[int], among: Sequence[int]) -> str:
    """Return sizes in words, three or more that follow each other in `among` as a range.

    Both ascend, and all of `some` are in `among`: ``"1, 256 to 4,096 and 65,536"``.
    """
    runs: list[list[int]] = []
    for size in some:
        if runs and among.index(size) == among.index(runs[-1][-1]) + 1:
            runs[-1].append(size)
        else:
            runs.append([size])
    return words([item for run in runs for item in _run_items(run)])


def _run_items(run: Sequence[int]) -> list[str]:
    if len(run) < 3:
        return [size_text(size) for size in run]
    return [f"{size_text(run[0])} to {size_text(run[-1])}"]


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
