"""What an experiment found: raw observations as data, and the verdicts computed from them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from lunaflow._arguments import as_integer
from lunaflow.experiment._labels import Label
from lunaflow.experiment._outcomes import Trap
from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment._statuses import Status, Valid
from lunaflow.experiment.stats import Comparison, Decision

if TYPE_CHECKING:
    from lunaflow.experiment._crossover import CrossoverResult
    from lunaflow.policy import DeploymentPolicy

CONTROL_SUFFIX = " (control)"
"""Ends the name of the A/A twin; refused at the end of a user's name."""

Ending = Literal["finished", "interrupted", "cut off"]
Grouping = Literal["processes", "blocks"]
"""What an interval was bootstrapped over."""


@dataclass(frozen=True, slots=True)
class Block:
    """One balanced block: a batch of each treatment, one after the other.

    Parameters
    ----------
    id : str
        Names the block within its file.
    size : int
        The scale.
    process : int
        Which of the measuring processes, counted from 0.
    index : int
        Number of the block within its process and size.
    order : tuple of str
        The treatments in the order in which they ran; the A/A twin is one of them.
    iterations : tuple of int
        Calls in the batch of each treatment, in `order`.
    seconds : tuple of float
        Seconds of each whole batch, in `order`.
    gc_enabled : bool
        Whether the garbage collector was on; it is off during a batch in any case.
    """

    id: str
    size: int
    process: int
    index: int
    order: tuple[str, ...]
    iterations: tuple[int, ...]
    seconds: tuple[float, ...]
    gc_enabled: bool = True

    def per_call(self, treatment: str) -> float:
        """Return the seconds per call of a treatment in this block."""
        position = self.order.index(treatment)
        return self.seconds[position] / self.iterations[position]


@dataclass(frozen=True, slots=True)
class Calibration:
    """How many calls fill a batch; exploratory, never part of a comparison.

    `seconds` are those of the last batch of `iterations` calls; `below_resolution` says that even
    the longest batch allowed took no time that the clock can tell: the treatment is not timed.
    """

    implementation: str
    size: int
    process: int
    iterations: int
    seconds: float
    below_resolution: bool


@dataclass(frozen=True, slots=True)
class Validation:
    """What the oracle said of one implementation at one size, and the outcome in words."""

    implementation: str
    size: int
    oracle: str
    status: Status
    outcome_text: str
    trap: Trap | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure of an implementation, or of the machinery around it.

    Parameters
    ----------
    implementation, size : str or None, int or None
        Whose failure and where; None if no single one is to blame.
    status : Status
        What is wrong.
    input_text : str or None
        The (minimal) failing input in words, cut.
    path : tuple of str
        Texts of the inputs that shrinking went through, in order.
    flaky : bool
        Whether the failure did not repeat; the input is then the original one.
    fingerprint : str or None
        Hash of the original input.
    process : int or None
        The measuring process in which it happened, None for a failure of validation.
    """

    implementation: str | None
    size: int | None
    status: Status
    input_text: str | None = None
    path: tuple[str, ...] = ()
    flaky: bool = False
    fingerprint: str | None = None
    process: int | None = None


@dataclass(frozen=True, slots=True)
class ValidTrap:
    """A valid outcome that is an exception, as the oracle wanted it: not timed."""

    implementation: str
    size: int
    kind: str
    trap: Trap


@dataclass(frozen=True, slots=True)
class SizeComparison:
    """The comparison of `a` against `b` at one size, with what it rests on.

    Parameters
    ----------
    id : str
        Names the comparison within its file; crossovers and policies refer to it.
    a, b : str
        The implementations; a negative difference means that `a` is faster.
    size : int
        The scale.
    comparison : Comparison
        Of the seconds per call, decided with `threshold_pct`; UNKNOWN where no noise floor was
        measured, and never EQUIVALENT where it is above the practical difference.
    label : Label
        A, B or UNKNOWN, as crossover analysis takes it.
    interval_pct : tuple of float or None
        The interval in percent of the median of `b`.
    noise_floor_pct : float or None
        The larger of what the A/A controls of `a` and `b` showed, None if one was not measured.
    threshold_pct : float
        The larger of the protocol's practical difference and the noise floor.
    grouping : {"processes", "blocks"}
        What the interval was bootstrapped over.
    evidence : tuple of str
        Ids of the blocks behind it.
    """

    id: str
    a: str
    b: str
    size: int
    comparison: Comparison
    label: Label
    interval_pct: tuple[float, float] | None
    noise_floor_pct: float | None
    threshold_pct: float
    grouping: Grouping
    evidence: tuple[str, ...]

    @property
    def relative_delta_pct(self) -> float | None:
        """Median difference in percent of the median of `b`; negative if `a` is faster."""
        return self.comparison.relative_delta_pct

    @property
    def interval(self) -> tuple[float, float] | None:
        """Interval of the median difference, in seconds per call."""
        return self.comparison.interval

    @property
    def decision(self) -> Decision:
        """The verdict on `a` against `b`."""
        return self.comparison.decision


@dataclass(frozen=True, slots=True)
class ExperimentResult:
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
    """

    name: str
    implementations: tuple[str, ...]
    sizes: tuple[int, ...]
    protocol: Protocol
    oracle: str
    controls: tuple[str, ...]
    seed: int
    blocks: tuple[Block, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    validations: tuple[Validation, ...] = ()
    failures: tuple[Failure, ...] = ()
    finished: bool = True
    _cache: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def traps(self) -> tuple[ValidTrap, ...]:
        """The valid outcomes that are exceptions; those implementations are not timed there."""
        return tuple(
            ValidTrap(v.implementation, v.size, v.trap.kind or v.trap.type_name, v.trap)
            for v in self.validations
            if v.trap is not None and v.status == Valid()
        )

    @property
    def noise_floor(self) -> dict[int, float]:
        """For each size where an A/A control was measured, the largest spread in percent.

        The spread of an implementation is the largest absolute endpoint of the bootstrap interval
        of its twin against it, in percent of its median; see `noise_floor_of`.
        """
        from lunaflow.experiment._analysis import largest_floor_pct

        floors = {size: largest_floor_pct(self, self.implementations, size) for size in self.sizes}
        return {size: floor for size, floor in floors.items() if floor is not None}

    def noise_floor_of(self, a: str, b: str, size: int) -> float | None:
        """Return the larger spread of the A/A controls of `a` and `b`, in percent.

        None where one of them has no control that was measured: then there is no verdict either.

        Raises
        ------
        ValueError
            If a name or the size is not of this experiment.
        """
        self._require(size, a, b)
        from lunaflow.experiment._analysis import pair_floor_pct

        return pair_floor_pct(self, a, b, size)

    def times(self, implementation: str, size: int) -> npt.NDArray[np.float64]:
        """Return the seconds per call of every block, shape (blocks,), in the order measured.

        Empty where the implementation was not timed, or its figures are dropped because it failed.

        Raises
        ------
        ValueError
            If the implementation (or control) or the size is not of this experiment.
        """
        self._require(size, implementation)
        from lunaflow.experiment._analysis import timed_blocks

        blocks = timed_blocks(self, size, implementation)
        return np.array([block.per_call(implementation) for block in blocks], dtype=np.float64)

    def comparison(self, a: str, b: str, size: int) -> SizeComparison | None:
        """Return the comparison of `a` against `b`, None where not both were timed.

        It is computed from the raw blocks that both took part in.

        Raises
        ------
        ValueError
            If a name or the size is not of this experiment.
        """
        self._require(size, a, b)
        from lunaflow.experiment._analysis import compare_at

        return compare_at(self, a, b, size)

    def comparisons(self) -> Iterator[SizeComparison]:
        """Yield the comparison of each pair of implementations at each size where there is one."""
        for a, b in combinations(self.implementations, 2):
            for size in self.sizes:
                if (found := self.comparison(a, b, size)) is not None:
                    yield found

    def verdict(self, a: str, b: str, size: int) -> Decision:
        """Return the decision on `a` against `b`; UNKNOWN where not both were timed."""
        found = self.comparison(a, b, size)
        return Decision.UNKNOWN if found is None else found.decision

    def labels(self, a: str, b: str) -> tuple[Label, ...]:
        """Return the label of each size: the faster one, UNKNOWN where undecided or not timed."""
        found = [self.comparison(a, b, size) for size in self.sizes]
        return tuple(Label.UNKNOWN if one is None else one.label for one in found)

    def crossover(self, a: str, b: str) -> "CrossoverResult":
        """Return where the faster one of `a` and `b` changes, with the undecided band.

        See `crossover_with_band`; a size that was not timed is UNKNOWN.
        """
        from lunaflow.experiment._analysis import crossover_of

        return crossover_of(self, a, b)

    def policy(self, a: str, b: str, *, fallback: str) -> "DeploymentPolicy":
        """Return the deployment policy that the crossover of `a` and `b` supports.

        `fallback` names the implementation to use where the measurements support no rule; one that
        failed at any size is never chosen by its speed at another.
        """
        from lunaflow.experiment._crossover import policy_from_crossover
        from lunaflow.policy import Fallback

        for failure in self.failures:
            if failure.implementation in (a, b):
                where = f"{failure.implementation} failed at size {failure.size}"
                return Fallback(fallback, f"{where}: {getattr(failure.status, 'reason', '')}")
        return policy_from_crossover(self.crossover(a, b), a, b, fallback=fallback)

    def report(self, path: str | os.PathLike[str], *, title: str = "lunaflow report") -> None:
        """Write the report, one HTML file that loads nothing; see `lunaflow.experiment.report`."""
        from lunaflow.experiment.report import write

        write(self, path, title=title)

    def _require(self, size: int, *names: str) -> None:
        if as_integer("size", size) not in self.sizes:
            raise ValueError(f"size must be one of {self.sizes}, not {size}")
        known = (*self.implementations, *self.controls)
        for name in names:
            if name not in known:
                raise ValueError(f"implementation must be one of {', '.join(known)}, not {name!r}")

    def __str__(self) -> str:
        from lunaflow.experiment._table import table

        return table(self)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a file of events tells of a run, whole or cut off.

    Parameters
    ----------
    environment : dict
        Facts of the machine, as the (last) run recorded them.
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
    """

    environment: dict[str, Any]
    experiments: tuple[ExperimentResult, ...]
    complete: bool
    ending: Ending
    damaged_lines: tuple[int, ...] = ()
    library_version: str = ""
    started: str = ""
