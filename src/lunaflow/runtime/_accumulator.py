"""Exact sums, extremes and counts over streams of chunks."""

from typing import Any

from lunaflow._arguments import reject_type
from lunaflow.runtime._inputs import elements_of
from lunaflow.runtime._kernels import Tally
from lunaflow.runtime._nulls import Nulls, check_nulls
from lunaflow.runtime._reductions import EVERYTHING, totals_of

_VERSION = 1


class Accumulator:
    """The exact sum, the extremes and the number of all elements seen, chunk by chunk.

    However the elements are cut into chunks, and in whatever order those come, the result is the
    same: sums are Python integers without a limit. An accumulator is a few numbers, whatever it has
    seen. It can be pickled, so that other processes and machines accumulate their share, and the
    shares are merged; two with equal numbers are equal. Any number of threads may update, merge
    and read one at once: every change is made in one step.

    Examples
    --------
    >>> import numpy as np
    >>> from lunaflow.runtime import Accumulator
    >>> seen = Accumulator()
    >>> seen.update(np.array([2**63 - 1, 5]))
    >>> seen.update(np.array([[True, False]]))
    >>> seen
    <Accumulator of 4 elements: sum 9223372036854775813, min 0, max 9223372036854775807>
    """

    __slots__ = ("_tally",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        self._tally = Tally()

    def update(self, chunk: object, *, nulls: Nulls = "error", workers: int | None = None) -> None:
        """Take in every element of `chunk`; if that fails, the accumulator is as it was.

        Parameters
        ----------
        chunk : array
            What `lunaflow.sum` takes, empty or not.
        nulls : {"error", "skip"}
            Whether masked and null elements are refused, or left out.
        workers : int, optional
            As for `lunaflow.sum`.

        Raises
        ------
        InvalidInput
            If `chunk` has another dtype, or elements that are null and not to be skipped.
        TypeError
            If `chunk` is no array (a list, for one).
        """
        check_nulls(nulls)
        elements = elements_of("chunk", chunk)
        self._tally.add(
            *totals_of("chunk", elements, EVERYTHING, operation="sum", workers=workers, nulls=nulls)
        )

    def merge(self, other: "Accumulator") -> None:
        """Take in what `other` has seen; `other` stays as it is.

        Raises
        ------
        TypeError
            If `other` is no Accumulator.
        """
        if not isinstance(other, Accumulator):
            raise reject_type("other", other, "an Accumulator")
        self._tally.add(*other._tally.read())

    @property
    def sum(self) -> int:
        """The exact sum; 0 of nothing."""
        return self._tally.read()[0]

    @property
    def min(self) -> int:
        """The smallest element; ValueError if there was none."""
        return self._extreme("min", 1)

    @property
    def max(self) -> int:
        """The largest element; ValueError if there was none."""
        return self._extreme("max", 2)

    @property
    def count(self) -> int:
        """The number of elements, without those that were skipped."""
        return self._tally.read()[3]

    def _extreme(self, name: str, place: int) -> int:
        found = self._tally.read()
        if found[3] == 0:
            raise ValueError(f"an Accumulator that has seen no element has no {name}")
        return found[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Accumulator):
            return NotImplemented
        return self._tally.read() == other._tally.read()

    def __repr__(self) -> str:
        total, low, high, count = self._tally.read()
        if count == 0:
            return "<Accumulator of no element>"
        return f"<Accumulator of {count} elements: sum {total}, min {low}, max {high}>"

    def __getstate__(self) -> dict[str, int]:
        total, low, high, count = self._tally.read()
        return {"version": _VERSION, "sum": total, "min": low, "max": high, "count": count}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["version"] != _VERSION:
            raise ValueError(
                f"an Accumulator was stored as version {state['version']}, and this lunaflow "
                f"reads version {_VERSION}"
            )
        self._tally = Tally()
        self._tally.add(state["sum"], state["min"], state["max"], state["count"])
