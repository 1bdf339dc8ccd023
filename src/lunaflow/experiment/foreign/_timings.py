"""The timings of a file, whatever tool wrote it."""

import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from lunaflow.experiment.foreign._names import number_of

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")

Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """One benchmark at one set of parameters.

    Parameters
    ----------
    name : str
        As it stands in the file.
    family : str
        The name without parameters.
    parameters : tuple of (str, str)
        Names and values, as texts.
    seconds : float
        The figure that counts: the median of the samples, or what the file gives.
    basis : str
        What the figure is, in words: ``"median of 25 samples"``, ``"the mean in the file"``.
    samples : tuple of float
        Raw samples, seconds a call; empty if the file has none.
    groups : tuple of int
        For each sample the process that it is of; empty if the file does not say.
    unusable : str or None
        Why the figure says nothing: the benchmark failed.
    """

    name: str
    family: str
    parameters: Parameters
    seconds: float
    basis: str
    samples: tuple[float, ...] = ()
    groups: tuple[int, ...] = ()
    unusable: str | None = None

    @property
    def words(self) -> Parameters:
        """The parameters that are no numbers; they belong to what is measured, not to its size."""
        return tuple((name, value) for name, value in self.parameters if number_of(value) is None)

    @property
    def label(self) -> str:
        """The family, with the parameters that are no numbers."""
        words = ", ".join(v if name.startswith("#") else f"{name}={v}" for name, v in self.words)
        return f"{self.family}[{words}]" if words else self.family

    def goes_by(self, name: str) -> bool:
        """Say whether a person may mean this by a name.

        That is the family, the label, the family with the values of the words in brackets, or the
        value of one of the words alone.
        """
        values = [value for _, value in self.words]
        known = {self.family, self.label, f"{self.family}[{'-'.join(values)}]", *values}
        return name.strip() in known

    def is_short_for(self, name: str) -> bool:
        """Say whether a person may mean this by a name that leaves out what is clear.

        That is the placeholders of a command (``sort`` for ``sort {n}``), and the ``test_`` in
        front of a name.
        """
        labels = {self.family, self.label}
        labels |= {" ".join(_PLACEHOLDER.sub("", one).split()) for one in labels}
        return name.strip() in labels | {one.removeprefix("test_") for one in labels}


@dataclass(frozen=True, slots=True)
class ForeignResults:
    """What a file of another tool holds.

    Parameters
    ----------
    format : str
        The tool and its format, such as ``"pyperf JSON"``.
    timings : tuple of Timing
        In the order of the file.
    """

    format: str
    timings: tuple[Timing, ...]


def timed(
    name: str,
    family: str,
    parameters: Parameters,
    samples: Iterable[float],
    *,
    groups: Iterable[int] = (),
    unusable: str | None = None,
) -> Timing:
    """Return the timing of at least one raw sample."""
    seconds = tuple(samples)
    count = f"{len(seconds)} samples" if len(seconds) > 1 else "a single sample"
    basis = f"median of {count}" if len(seconds) > 1 else count
    return Timing(
        name,
        family,
        parameters,
        statistics.median(seconds),
        basis,
        seconds,
        tuple(groups),
        unusable,
    )
