"""What the fixture `lunaflow_compare` is, and what it returns."""

import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import pytest

from lunaflow._texts import text_of
from lunaflow.experiment import (
    Experiment,
    ExperimentResult,
    Protocol,
    ProtocolPreset,
    ReferenceAndRelational,
    ReferenceOracle,
    RelationalOracle,
    RunContext,
    RunRecord,
    Shrinker,
    WorkerSpec,
    candidates,
    read_run,
    run,
)
from lunaflow_pytest._arguments import as_percent, names_of
from lunaflow_pytest._baseline import comparable
from lunaflow_pytest._gate import gate_of
from lunaflow_pytest._messages import what_is_wrong
from lunaflow_pytest._session import Session

__all__ = ["BY_TYPE", "Compare", "Compared"]

BY_TYPE = Shrinker(candidates.by_type, max_steps=500)
"""Makes failing inputs of the usual types small."""

_CLOCK = time.perf_counter_ns
_Function = Callable[[Any], Any]
_Undecided = Literal["report", "fail"]


class Compare:
    """The fixture `lunaflow_compare`: call it with two functions.

    Parameters
    ----------
    node : pytest.Item
        The test.
    folders : pytest.TempPathFactory
        Makes the folders that events are kept in.
    session : Session
        What all tests share.
    """

    def __init__(
        self, node: pytest.Item, folders: pytest.TempPathFactory, session: Session
    ) -> None:
        self._node = node
        self._folders = folders
        self._session = session
        self._made: list[Compared] = []

    def __call__(
        self,
        f: _Function | WorkerSpec,
        g: _Function | WorkerSpec,
        *,
        sizes: Iterable[int],
        make: Callable[..., Any],
        reference: _Function | None = None,
        oracle: ReferenceOracle | RelationalOracle | ReferenceAndRelational | None = None,
        shrinker: Shrinker | None = BY_TYPE,
        protocol: Protocol | ProtocolPreset | None = None,
        seed: int = 0,
        processes: int | None = None,
    ) -> "Compared":
        """Prepare the comparison of `f`, which is under test, with `g`.

        Nothing runs before something is asserted. The functions go by their ``__name__``, with
        their modules if these are the same, or by ``"f"`` and ``"g"`` where they have none.

        Parameters
        ----------
        f : callable or WorkerSpec
            The function under test.
        g : callable or WorkerSpec
            The function that it must equal, unless `reference` or `oracle` says otherwise, and must
            not be slower than.
        sizes, make, oracle, seed, processes
            As in `lunaflow.experiment.Experiment`.
        reference : callable, optional
            Returns what is right; `g` by default.
        shrinker : Shrinker or None
            Makes a failing input small; by default by its type, without knowing what `make`
            promises of its inputs. None keeps the input as it was made.
        protocol : Protocol or ProtocolPreset, optional
            How much is measured; by default what the ini file says (``lunaflow_protocol``), else
            DEVELOPMENT. ``--lunaflow-protocol`` goes before it.

        Raises
        ------
        TypeError, ValueError
            If an argument is of a wrong type or value.
        """
        a, b = names_of(f, g)
        number = len(self._made) + 1
        experiment = Experiment(
            self._node.nodeid if number == 1 else f"{self._node.nodeid} #{number}",
            # the first one is the reference where none is given
            {b: g, a: f},
            sizes=sizes,
            make=make,
            reference=reference,
            oracle=oracle,
            shrinker=shrinker,
            protocol=self._session.protocol_for(protocol),
            seed=seed,
            processes=processes,
        )
        name = re.sub(r"\W+", "-", self._node.name, flags=re.ASCII)[:40]
        folder = self._folders.mktemp(f"lunaflow-{name}")
        compared = Compared(experiment, (a, b), self._node, self._session, folder)
        self._made.append(compared)
        return compared

    def require_asserted(self) -> None:
        """Fail the test if nothing was asked of one of its comparisons."""
        for compared in self._made:
            if compared.events is None:
                pytest.fail(
                    f"nothing was asserted of {compared.title}, so nothing was run and nothing "
                    "shown: call assert_equal() or assert_not_slower(LIMIT) of what "
                    "lunaflow_compare returns",
                    pytrace=False,
                )

    def save(self) -> None:
        """Store what was run, if the user wants that."""
        for compared in self._made:
            if compared.events is not None:
                self._session.keep(compared.events)


class Compared:
    """Two functions that a test compares; `lunaflow_compare` returns it."""

    def __init__(
        self,
        experiment: Experiment,
        names: tuple[str, str],
        node: pytest.Item,
        session: Session,
        folder: Path,
    ) -> None:
        self._experiment = experiment
        self._names = names
        self._node = node
        self._session = session
        self._folder = folder
        self._validated: ExperimentResult | None = None
        self._timed: ExperimentResult | None = None
        self._events: Path | None = None

    @property
    def events(self) -> Path | None:
        """The file with the events of the last run; None if nothing has run."""
        return self._events

    @property
    def title(self) -> str:
        """The names of both functions."""
        return " and ".join(self._names)

    @property
    def measured(self) -> ExperimentResult:
        """All that was found, timings included, as `lunaflow.experiment.compare` returns it.

        The first access measures. Under xdist nothing is timed, and the test fails.
        """
        __tracebackhide__ = True
        if self._timed is None:
            if self._session.under_xdist:
                pytest.fail(
                    "nothing is timed under xdist: its workers share the cores, and every figure "
                    "would be that of a busy machine; run this test with -n0 (or -p no:xdist)",
                    pytrace=False,
                )
            self._timed = self._run("timed", timing=True)
        return self._timed

    def assert_equal(self) -> None:
        """Fail unless the oracle finds every result right, at every size.

        Nothing is timed. The message has the smallest inputs on which a function is wrong, raises,
        crashes or hangs, and the commands that run them again.
        """
        __tracebackhide__ = True
        if wrong := self._wrong():
            raise AssertionError(f"{self.title} are not equal (oracle: {self._oracle})\n{wrong}")

    def assert_not_slower(self, limit: str, *, undecided: _Undecided = "report") -> None:
        """Fail if the function under test is slower than the other one by more than a limit.

        It is slower at a size if all of the interval of the difference is beyond the limit and the
        difference is at least the noise floor, not slower if all of the interval is below the
        limit, which is above the noise floor; else it is undecided. With ``--lunaflow-baseline``
        its own figures in the stored run are compared too: it is slower than there if it is so in
        seconds, and in its ratio to the other function as well.

        A function that is wrong at any size fails, however fast it is.

        Parameters
        ----------
        limit : str
            In percent, such as ``"5%"``.
        undecided : {"report", "fail"}
            Whether a comparison that stays undecided is told in the summary, or fails the test.
        """
        __tracebackhide__ = True
        percent = as_percent(limit)
        if undecided not in ("report", "fail"):
            raise ValueError(f"undecided must be 'report' or 'fail', not {text_of(undecided)}")
        # what is wrong is not timed at all; and timing may show what one call did not
        if wrong := self._wrong() or what_is_wrong(self.measured):
            title = f"{self.title} are not equal, so no speed counts"
            raise AssertionError(f"{title} (oracle: {self._oracle})\n{wrong}")
        if text := self._not_passed(percent, undecided == "fail"):
            raise AssertionError(text)

    def _wrong(self) -> str:
        found = self._timed or self._validated
        if found is None:
            found = self._validated = self._run("validated", timing=False)
        return what_is_wrong(found)

    def _run(self, name: str, *, timing: bool) -> ExperimentResult:
        path = self._folder / f"{name}.jsonl"
        context = RunContext(
            self._experiment.seed,
            sink=path,
            protocol=self._experiment.resolved_protocol(),
            clock=_CLOCK,
            timing=timing,
        )
        found = run(self._experiment.plan(), context).result
        self._events = path
        return found

    def _not_passed(self, limit: float, undecided_fails: bool) -> str:
        """Return why the test fails, empty if it passes; tell what is undecided."""
        __tracebackhide__ = True
        gate = gate_of(self._names, limit, *self._runs())
        for claim in gate.claims():
            self._node.user_properties.append(("lunaflow", str(claim)))
        if message := gate.message(undecided_fails=undecided_fails):
            return f"{message}\nall figures: lunaflow report {self._events}"
        name = self._experiment.name
        self._session.undecided += [f"{name}: {claim}" for claim in gate.undecided()]
        return ""

    def _runs(self) -> tuple[RunRecord, RunRecord | None]:
        """Return the run and, if the user names a baseline, the stored one."""
        __tracebackhide__ = True
        after = read_run(self._events or "")
        file = self._session.baseline
        if file is None:
            return after, None
        return after, comparable(self._session.stored.get(self._experiment.name), after, file)

    @property
    def _oracle(self) -> str:
        found = self._timed or self._validated
        return "" if found is None else found.oracle
