"""Results: observations, and the verdicts that follow from them."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from lunaflow._arguments import as_integer, as_path, require_text
from lunaflow._files import replacing
from lunaflow._frozen import freeze, thaw
from lunaflow.arithmetic import same_value
from lunaflow.experiment._analysis import (
    compare_at,
    comparisons_of,
    crossover_of,
    largest_floor_pct,
    pair_floor_pct,
    times_of,
)
from lunaflow.experiment._crossover import CrossoverResult, policy_from_crossover
from lunaflow.experiment._labels import Label
from lunaflow.experiment._observations import (
    CONTROL_SUFFIX,
    Failure,
    Observations,
    SizeComparison,
)
from lunaflow.experiment._pyperf import pyperf_suite
from lunaflow.experiment._table import table
from lunaflow.experiment.stats import Decision
from lunaflow.policy import DeploymentPolicy, Fallback

Ending = Literal["finished", "interrupted", "cut off"]


def _as_it_is(_where: str, value: Any) -> Any:
    return value


def _failure_text(failure: Failure) -> str:
    where = "" if failure.size is None else f" at size {failure.size}"
    reason = getattr(failure.status, "reason", "")
    return f"{failure.implementation} failed{where}: {reason}"


@dataclass(frozen=True, slots=True)
class ExperimentResult(Observations):
    """One experiment: raw observations, and the verdicts computed from them.

    It is built from events alone, so that of a finished run and that of a file cut off in the
    middle are made by the same code. Printing it shows the table.

    Parameters
    ----------
    name : str
        Name of the experiment.
    implementations : tuple of str
        Names, in the user's order.
    sizes : tuple of int
        The scales, ascending.
    protocol : Protocol
        How it was measured.
    oracle : str
        Id of the oracle.
    controls : tuple of str
        Names of the A/A twins, treatments beside the implementations.
    seed : int
        Seed of inputs, orders and intervals.
    blocks, calibrations, validations, failures : tuple
        The raw observations.
    finished : bool
        Whether the experiment came to its end.
    environment : tuple of (str, object)
        Facts of the machine that measured it, for its report; no part of equality.
    """

    environment: tuple[tuple[str, Any], ...] = field(default=(), compare=False, repr=False)

    @property
    def noise_floor(self) -> dict[int, float]:
        """For each size where an A/A control was measured, the largest spread in percent.

        The spread of an implementation is the difference of its twin from it, or half of the
        interval of that if it is more, in percent of its own median. What a verdict rests on is
        that of its pair, see `noise_floor_of`.
        """
        floors = {size: largest_floor_pct(self, self.implementations, size) for size in self.sizes}
        return {size: floor for size, floor in floors.items() if floor is not None}

    def noise_floor_of(self, a: str, b: str, size: int) -> float | None:
        """Return the larger spread of the A/A controls of `a` and `b`, in percent of b's median.

        It is the larger one in seconds. None where one of them has no control that was measured, or
        not both were timed: then there is no verdict either.

        Raises
        ------
        ValueError
            If a name or the size is not of this experiment.
        """
        self._require_size(size)
        self._require_names(a, b)
        return pair_floor_pct(self, a, b, size)

    def times(self, implementation: str, size: int) -> npt.NDArray[np.float64]:
        """Return the seconds per call of every block, shape (blocks,), in the order measured.

        Empty where the implementation was not timed, or its figures are dropped because it failed.

        Raises
        ------
        ValueError
            If the implementation (or control) or the size is not of this experiment.
        """
        self._require_size(size)
        self._require_names(implementation)
        return times_of(self, implementation, size)

    def comparison(self, a: str, b: str, size: int) -> SizeComparison | None:
        """Return the comparison of `a` against `b`, None where not both were timed.

        It is computed from the raw blocks that both took part in.

        Raises
        ------
        ValueError
            If a name or the size is not of this experiment.
        """
        self._require_size(size)
        self._require_names(a, b)
        return compare_at(self, a, b, size)

    def comparisons(self) -> Iterator[SizeComparison]:
        """Yield the comparison of each pair of implementations at each size where there is one."""
        yield from comparisons_of(self)

    def verdict(self, a: str, b: str, size: int) -> Decision:
        """Return the decision on `a` against `b`.

        INVALID where one of them failed, UNKNOWN where not both were timed for another reason.
        """
        found = self.comparison(a, b, size)
        if found is not None:
            return found.decision
        failed = any(failure.size == size for failure in self._failures_of(a, b))
        return Decision.INVALID if failed else Decision.UNKNOWN

    def labels(self, a: str, b: str) -> tuple[Label, ...]:
        """Return the label of each size: the faster one, UNKNOWN where undecided or not timed."""
        found = [self.comparison(a, b, size) for size in self.sizes]
        return tuple(Label.UNKNOWN if one is None else one.label for one in found)

    def crossover(self, a: str, b: str) -> CrossoverResult:
        """Return where the faster one of `a` and `b` changes, with the undecided band.

        See `crossover_with_band`; a size that was not timed is UNKNOWN.
        """
        self._require_names(a, b)
        return crossover_of(self, a, b)

    def policy(self, a: str, b: str, *, fallback: str) -> DeploymentPolicy:
        """Return the deployment policy that the crossover of `a` and `b` supports.

        `fallback` names the implementation to use where the measurements support no rule; one that
        failed at any size is never chosen by its speed at another.

        Raises
        ------
        ValueError
            If `a`, `b` or `fallback` is not of this experiment, or `fallback` failed at any size.
        """
        self._require_names(a, b)
        require_text("fallback", fallback)
        if fallback not in self.implementations:
            known = ", ".join(self.implementations)
            raise ValueError(f"fallback must be one of {known}, not {fallback!r}")
        for failure in self._failures_of(fallback):
            right = [name for name in self.implementations if not self._failures_of(name)]
            accepted = f"one that failed nowhere: {', '.join(right) or 'there is none'}"
            raise ValueError(f"fallback must be {accepted}; {_failure_text(failure)}")
        for failure in self._failures_of(a, b):
            return Fallback(fallback, _failure_text(failure))
        return policy_from_crossover(self.crossover(a, b), a, b, fallback=fallback)

    def report(self, path: str | os.PathLike[str], *, title: str | None = None) -> None:
        """Write the report, one HTML file that loads nothing; see `lunaflow.experiment.report`."""
        from lunaflow.experiment.report import write

        write(self, path, title=title)

    def to_pyperf(self, path: str | os.PathLike[str]) -> None:
        """Write the raw timings as a JSON file of pyperf, which its tools read.

        Each implementation at each size is a benchmark ``name[size=1024]``, each measuring process
        a run of it. Controls, and figures of what failed, are left out. An old file is replaced
        when the new one is complete.

        Raises
        ------
        ValueError
            If there is no timing at all.
        OSError
            If the file cannot be written.
        """
        target = as_path("path", path)
        text = json.dumps(pyperf_suite(self), allow_nan=False)
        with replacing(target) as file:
            file.write(f"{text}\n".encode("ascii"))

    def _failures_of(self, *names: str) -> list[Failure]:
        whole = {name.removesuffix(CONTROL_SUFFIX) for name in names}
        return [failure for failure in self.failures if failure.implementation in whole]

    def _require_size(self, size: int) -> None:
        if as_integer("size", size) not in self.sizes:
            raise ValueError(f"size must be one of {self.sizes}, not {size}")

    def _require_names(self, *names: str) -> None:
        known = (*self.implementations, *self.controls)
        for name in names:
            if name not in known:
                raise ValueError(f"implementation must be one of {', '.join(known)}, not {name!r}")

    def __str__(self) -> str:
        return table(self)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a file of events tells of a run, whole or cut off.

    Parameters
    ----------
    environment : mapping of str to value
        Facts of the machine, as the (last) run recorded them; kept as a read-only copy, sequences
        as tuples.
    experiments : tuple of ExperimentResult
        In the order in which they started.
    complete : bool
        Whether the run and all its experiments finished and no line is damaged.
    ending : {"finished", "interrupted", "cut off"}
        How the last run ended; "cut off" if the file does not say.
    damaged_lines : tuple of int
        Numbers of the unreadable lines, counted from 1.
    library_version : str
        The lunaflow that recorded it.
    started : str
        When the (last) run started, ISO 8601, UTC.
    command : str
        The command line that the (last) run was started by; empty if it is not known.
    torn_tail : bool
        Whether the file's last line has no newline at its end: the writer was cut off.
    """

    environment: Mapping[str, Any]
    experiments: tuple[ExperimentResult, ...]
    complete: bool
    ending: Ending
    damaged_lines: tuple[int, ...] = ()
    library_version: str = ""
    started: str = ""
    command: str = ""
    torn_tail: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "environment", freeze(self.environment, _as_it_is))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RunRecord):
            return NotImplemented
        same = same_value(self.environment, other.environment)
        return same and self._rest() == other._rest()

    def __hash__(self) -> int:
        return hash(self._rest())

    def __reduce__(self) -> tuple[Any, ...]:
        return RunRecord, (thaw(self.environment), *self._rest())

    def _rest(self) -> tuple[Any, ...]:
        return (
            self.experiments,
            self.complete,
            self.ending,
            self.damaged_lines,
            self.library_version,
            self.started,
            self.command,
            self.torn_tail,
        )
