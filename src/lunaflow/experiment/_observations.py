"""What an experiment found, as plain data: the raw observations, and comparisons made of them."""

from dataclasses import dataclass, field
from typing import Literal

from lunaflow.experiment._labels import Label
from lunaflow.experiment._outcomes import Trap
from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment._statuses import Status, Valid
from lunaflow.experiment.stats import Comparison, Decision

CONTROL_SUFFIX = " (control)"
"""Ends the name of an A/A twin; refused at the end of a user's name."""

Grouping = Literal["processes", "blocks"]
"""What an interval was bootstrapped over."""


Phase = Literal["exploratory", "confirmatory"]
"""Of blocks; verdicts rest on the confirmatory ones alone."""

EXPLORATORY: Phase = "exploratory"
CONFIRMATORY: Phase = "confirmatory"


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
    phase : {"confirmatory", "exploratory"}
        Exploratory blocks open a size in each process, and no comparison uses them.
    input : int
        The number of the input, counted from 0, of those that were validated.
    """

    id: str
    size: int
    process: int
    index: int
    order: tuple[str, ...]
    iterations: tuple[int, ...]
    seconds: tuple[float, ...]
    gc_enabled: bool = True
    phase: Phase = CONFIRMATORY
    input: int = 0

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
    """What the oracle said of one implementation at one size.

    Parameters
    ----------
    implementation, size : str, int
        Who, and where.
    oracle : str
        Id of the oracle.
    status : Status
        That of the first input and step that failed, if one did; else of the first.
    outcome_text : str
        The outcome in words.
    trap : Trap or None
        The outcome, if it was an exception.
    inputs : int
        How many different inputs it was called on.
    steps : int
        How many calls on each, as a sequence.
    """

    implementation: str
    size: int
    oracle: str
    status: Status
    outcome_text: str
    trap: Trap | None = None
    inputs: int = 1
    steps: int = 1


@dataclass(frozen=True, slots=True)
class Relation:
    """What a relational oracle found where not all implementations fit together.

    Parameters
    ----------
    size, input, step : int
        Where.
    pairs : int
        How many pairs were judged.
    failing : tuple of (str, str, str)
        The pairs that do not fit together: two names and the reason.
    odd_one_out : str or None
        The one that disagrees with all others, which agree; None if there is none.
    """

    size: int
    input: int
    step: int
    pairs: int
    failing: tuple[tuple[str, str, str], ...]
    odd_one_out: str | None


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """Processes that were left running and have been ended.

    Parameters
    ----------
    implementation : str or None
        Who has left them, None where several share a process.
    names : tuple of str
        What the processes went by.
    """

    implementation: str | None
    names: tuple[str, ...]


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
    id : str
        Names it within its file, for ``lunaflow replay``.
    command : str or None
        The command that replays it, None if it cannot be replayed.
    recipe : bytes or None
        A pickle of what replays it, None if it cannot be replayed; no part of equality.
    unreplayable : str or None
        Why it cannot be replayed.
    """

    implementation: str | None
    size: int | None
    status: Status
    input_text: str | None = None
    path: tuple[str, ...] = ()
    flaky: bool = False
    fingerprint: str | None = None
    process: int | None = None
    id: str = ""
    command: str | None = None
    recipe: bytes | None = field(default=None, repr=False, compare=False)
    unreplayable: str | None = None

    def __str__(self) -> str:
        from lunaflow.experiment._failure_groups import failure_groups, failure_lines

        (group,) = failure_groups([self])
        return "\n".join(failure_lines(group))


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
        Of the seconds per call, decided with the protocol's practical difference; UNKNOWN where no
        noise floor was measured or the difference is below it, and never EQUIVALENT where it is
        above the practical difference.
    label : Label
        A, B or UNKNOWN, as crossover analysis takes it.
    interval_pct : tuple of float or None
        The interval in percent of the median of `b`.
    noise_floor_pct : float or None
        The larger of what the A/A controls of `a` and `b` showed, None if one was not measured.
    threshold_pct : float
        The smallest difference that can be FASTER or SLOWER: the larger of the protocol's practical
        difference and the noise floor.
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
class Observations:
    """The raw observations of one experiment; `ExperimentResult` describes the fields."""

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
    relations: tuple[Relation, ...] = ()
    left_behind: tuple[LeftBehind, ...] = ()
    versions: tuple[str, ...] = ()

    @property
    def traps(self) -> tuple[ValidTrap, ...]:
        """The valid outcomes that are exceptions; those implementations are not timed there."""
        return tuple(
            ValidTrap(v.implementation, v.size, v.trap.kind or v.trap.type_name, v.trap)
            for v in self.validations
            if v.trap is not None and v.status == Valid()
        )
