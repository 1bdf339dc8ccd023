"""An experiment: implementations that should compute the same, compared over sizes."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from typing import Any

from lunaflow._arguments import as_count, reject_type, require_callable
from lunaflow._texts import text_of
from lunaflow.experiment._observations import CONTROL_SUFFIX
from lunaflow.experiment._oracles import ReferenceOracle, reference_raised
from lunaflow.experiment._protocol import DEVELOPMENT, Protocol, ProtocolPreset, as_protocol
from lunaflow.experiment._record import build_experiments
from lunaflow.experiment._recorder import Recorder, recorded_run
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._shrink import Shrinker
from lunaflow.experiment.engine._inputs import Implementation, Make
from lunaflow.experiment.engine._progress import Report, reporting
from lunaflow.experiment.engine._run import run_experiment
from lunaflow.experiment.events import EventWriter
from lunaflow.experiment.processes._transport import CannotTravel, Packed, pack_callables

_LARGEST_SIZE = 2**63 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """Implementations to validate against each other and to time, over sizes.

    One input a size is validated, the one that is timed. This finds what is wrong on that input;
    it does not search for inputs on which an implementation is wrong, as property tests do.

    Parameters
    ----------
    name : str
        Name; with seed and size it determines the inputs.
    implementations : mapping of str to callable
        ``implementation(input)`` returns the result and leaves the input as it is. A twin of each
        takes part as its A/A control, under its name with ``" (control)"`` behind.
    sizes : iterable of int
        The scales, strictly ascending, not negative.
    make : callable
        ``make(size, rng)`` returns the input of a size; `rng` is a `numpy.random.Generator` that is
        the same for the same seed, name and size.
    reference : callable, optional
        ``reference(input)`` returns the expected result; an exception is a failure of the
        reference. Default: the first implementation.
    oracle : ReferenceOracle, optional
        Says which results are right, instead of `reference`. Default:
        ``ReferenceOracle.equal("equal", reference)``, which wants a value; to expect exceptions
        where the reference raises one, give ``ReferenceOracle.same_outcome("traps", reference)``.
    shrinker : Shrinker, optional
        Makes failing inputs small.
    protocol : Protocol or ProtocolPreset
        How much is measured.
    seed : int
        Seed of inputs, orders and intervals, at least 0.
    processes : int, optional
        Fresh interpreters to measure in; the protocol's by default. With 1, callables that cannot
        be sent to another interpreter are validated and measured in this one.

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong type or value.
    """

    name: str
    implementations: Mapping[str, Implementation]
    _: KW_ONLY
    sizes: Iterable[int]
    make: Make
    reference: Implementation | None = None
    oracle: ReferenceOracle | None = None
    shrinker: Shrinker | None = None
    protocol: Protocol | ProtocolPreset = DEVELOPMENT
    seed: int = 0
    processes: int | None = None

    def __post_init__(self) -> None:
        _require_name("name", self.name)
        object.__setattr__(self, "implementations", _as_implementations(self.implementations))
        object.__setattr__(self, "sizes", _as_sizes(self.sizes))
        require_callable("make", self.make)
        _require_oracle(self.reference, self.oracle)
        if self.shrinker is not None and not isinstance(self.shrinker, Shrinker):
            raise reject_type("shrinker", self.shrinker, "a Shrinker or None")
        object.__setattr__(self, "seed", as_count("seed", self.seed, 0))
        if self.processes is not None:
            object.__setattr__(self, "processes", as_count("processes", self.processes, 1))
        self.resolved_protocol()

    def resolved_protocol(self) -> Protocol:
        """Return the protocol with this experiment's number of processes."""
        protocol = as_protocol(self.protocol)
        return protocol if self.processes is None else replace(protocol, processes=self.processes)

    def resolved_oracle(self) -> ReferenceOracle:
        """Return the oracle, made from the reference if none was given."""
        if self.oracle is not None:
            return self.oracle
        reference = self.reference or next(iter(self.implementations.values()))
        return ReferenceOracle.equal("equal", _ExpectedValue(reference))

    def run(
        self,
        *,
        events: str | os.PathLike[str] | EventWriter | None = None,
        progress: bool | Report = True,
    ) -> ExperimentResult:
        """Validate, measure and compare.

        Parameters
        ----------
        events : str, path-like or EventWriter, optional
            Where the events are appended, one JSON line each, as they happen. A run that is killed
            leaves a file that `read_run` reads.
        progress : bool or callable
            Whether to show a bar (on a terminal, if rich is installed), or a function to call with
            ``(done, total, text)``.

        Returns
        -------
        ExperimentResult
            Built from the events alone.

        Raises
        ------
        CannotTravel
            Before anything runs, if a callable cannot be sent to a fresh interpreter and more than
            one process is to measure.
        EventFileError
            If the events cannot be written.
        """
        callables = self._packed()
        with contextlib.ExitStack() as stack:
            recorder = Recorder(_writer(events, stack))
            report = stack.enter_context(reporting(progress))
            stack.enter_context(recorded_run(recorder, seed=self.seed))
            run_experiment(self, callables, recorder, report)
        return build_experiments(recorder.events)[-1]

    def _packed(self) -> Packed | None:
        try:
            return pack_callables(self.implementations, self.make)
        except CannotTravel:
            if self.resolved_protocol().processes == 1:
                return None
            raise


@dataclass(frozen=True, slots=True)
class _ExpectedValue:
    """A reference that is to give a value; an exception says how to expect exceptions."""

    reference: Implementation

    def __call__(self, argument: Any) -> Any:
        try:
            return self.reference(argument)
        except Exception as error:
            error.add_note(reference_raised(self.reference))
            raise


def compare(
    f: Implementation,
    g: Implementation,
    *,
    sizes: Iterable[int],
    make: Make,
    reference: Implementation | None = None,
    oracle: ReferenceOracle | None = None,
    shrinker: Shrinker | None = None,
    protocol: Protocol | ProtocolPreset = DEVELOPMENT,
    seed: int = 0,
    processes: int | None = None,
    events: str | os.PathLike[str] | EventWriter | None = None,
    progress: bool | Report = True,
) -> ExperimentResult:
    """Compare two functions: the shortest way to an `ExperimentResult`.

    They go by their ``__name__``, or by ``"f"`` and ``"g"`` where they have none of their own. The
    other arguments are those of `Experiment` and `Experiment.run`.
    """
    require_callable("f", f)
    require_callable("g", g)
    a, b = _names(f, g)
    experiment = Experiment(
        f"{a} and {b}",
        {a: f, b: g},
        sizes=sizes,
        make=make,
        reference=reference,
        oracle=oracle,
        shrinker=shrinker,
        protocol=protocol,
        seed=seed,
        processes=processes,
    )
    return experiment.run(events=events, progress=progress)


def _names(f: Implementation, g: Implementation) -> tuple[str, str]:
    names = [getattr(function, "__name__", "<none>") for function in (f, g)]
    if names[0] == names[1] or any(name.startswith("<") for name in names):
        return "f", "g"
    return names[0], names[1]


def _writer(
    events: str | os.PathLike[str] | EventWriter | None, stack: contextlib.ExitStack
) -> EventWriter | None:
    if events is None or isinstance(events, EventWriter):
        return events
    if isinstance(events, (str, os.PathLike)):
        return stack.enter_context(EventWriter(events))
    raise reject_type("events", events, "a path, an EventWriter or None")


def _as_implementations(given: object) -> dict[str, Implementation]:
    if not isinstance(given, Mapping):
        raise reject_type("implementations", given, "a dict of names and callables")
    if not given:
        raise ValueError("implementations must hold at least one implementation, not none")
    for name, function in given.items():
        _require_name("a name in implementations", name)
        if name.endswith(CONTROL_SUFFIX):
            raise ValueError(
                f"a name in implementations must not end with {CONTROL_SUFFIX!r}, as {name!r} "
                "does: the A/A control is called so"
            )
        require_callable(f"implementations[{name!r}]", function)
    return dict(given)


def _as_sizes(given: object) -> tuple[int, ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise reject_type("sizes", given, "an iterable of integers")
    sizes = tuple(as_count(f"sizes[{i}]", size, 0) for i, size in enumerate(given))
    if not sizes:
        raise ValueError("sizes must hold at least one size, not none")
    if max(sizes) > _LARGEST_SIZE:
        raise ValueError(f"sizes must be at most {_LARGEST_SIZE}, not {text_of(max(sizes))}")
    for position, (lower, upper) in enumerate(pairwise(sizes), start=1):
        if not lower < upper:
            raise ValueError(
                f"sizes must ascend strictly, but sizes[{position}] = {upper} follows {lower}"
            )
    return sizes


def _require_name(what: str, given: object) -> None:
    if not isinstance(given, str):
        raise reject_type(what, given, "a str")
    if not given.strip():
        raise ValueError(f"{what} must not be empty or blank, not {given!r}")


def _require_oracle(reference: object, oracle: object) -> None:
    if reference is not None:
        require_callable("reference", reference)
    if oracle is not None and not isinstance(oracle, ReferenceOracle):
        raise reject_type("oracle", oracle, "a ReferenceOracle or None")
    if reference is not None and oracle is not None:
        raise ValueError("the oracle brings its own reference: give reference or oracle, not both")
