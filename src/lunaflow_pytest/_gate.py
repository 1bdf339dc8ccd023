"""Whether a test passes: what is claimed of a function, and the message if that fails it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lunaflow.experiment import ExperimentResult, RunRecord
from lunaflow.experiment._texts import words
from lunaflow_pytest._baseline import other_facts
from lunaflow_pytest._judging import (
    BaselineRow,
    Row,
    Standing,
    baseline_rows,
    rows_of,
    with_limit,
)
from lunaflow_pytest._messages import baseline_text, row_text, times_text

_STORED = "the stored run"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is known of the function `who` under test at a size, against what."""

    who: str
    against: str
    size: int
    standing: Standing
    figures: str

    def __str__(self) -> str:
        where = f"{self.who} against {self.against} at size {self.size}"
        return f"{where}: {self.standing.value}: {self.figures}"


@dataclass(frozen=True, slots=True)
class Gate:
    """The function `f` under test against `g`, and against itself in a stored run if there is one.

    Parameters
    ----------
    f, g : str
        Their names.
    limit : float
        In percent.
    result : ExperimentResult
        What was measured, decided with this limit.
    rows : tuple of Row
        `f` against `g`.
    stored : tuple of BaselineRow
        `f` against the stored run.
    notes : str
        The stored run in words, with the facts that differ.
    """

    f: str
    g: str
    limit: float
    result: ExperimentResult
    rows: tuple[Row, ...]
    stored: tuple[BaselineRow, ...] = ()
    notes: str = ""

    def claims(self) -> Iterator[Claim]:
        """Yield what is known, size by size."""
        for row in self.rows:
            yield Claim(self.f, self.g, row.size, row.judged.standing, row_text(row.judged))
        for one in self.stored:
            yield Claim(self.f, _STORED, one.size, one.standing, self._figures(one))

    def undecided(self) -> list[Claim]:
        """Return the claims that are neither."""
        return [claim for claim in self.claims() if claim.standing is Standing.UNDECIDED]

    def message(self, *, undecided_fails: bool) -> str:
        """Return why the test fails; empty if it passes."""
        if all(row.judged.comparison is None for row in self.rows):
            return self._told(f"nothing was timed, so nothing is known of the speed of {self.f}")
        if slower := [one for one in self.claims() if one.standing is Standing.SLOWER]:
            where = words([_where(slower, against) for against in _kinds(slower)])
            return self._told(f"{self.f} is slower than {where}, by more than {self.limit:g} %")
        if undecided_fails and (open_ := self.undecided()):
            where = words([_where(open_, against) for against in _kinds(open_)])
            return self._told(f"it is undecided whether {self.f} is slower than {where}")
        return ""

    def _figures(self, one: BaselineRow) -> str:
        told = row_text(one.seconds)
        # why the seconds are undecided is told with them
        explained = one.seconds.standing is Standing.UNDECIDED
        if explained or one.standing is not Standing.UNDECIDED:
            return told
        return f"{told}; {one.why(self.g)}"

    def _told(self, head: str) -> str:
        lines = [head, times_text(self.result, self.f, self.g, self.rows)]
        if self.stored:
            lines.append(baseline_text(self.f, self.g, self.stored, self.notes))
        lines += [f"  {claim}" for claim in self.undecided()]
        return "\n".join(lines)


def gate_of(
    names: tuple[str, str], limit: float, after: RunRecord, before: RunRecord | None
) -> Gate:
    """Return the gate for a run, and the stored run that it is compared with, if any."""
    f, g = names
    result = with_limit(after.experiments[-1], limit)
    rows = tuple(rows_of(result, f, g))
    if before is None:
        return Gate(f, g, limit, result, rows)
    stored = tuple(baseline_rows(before, after, result, names))
    notes = "; ".join([before.started, *other_facts(before, after)])
    return Gate(f, g, limit, result, rows, stored, notes)


def _kinds(claims: Sequence[Claim]) -> list[str]:
    return list(dict.fromkeys(claim.against for claim in claims))


def _where(claims: Sequence[Claim], against: str) -> str:
    sizes = [str(claim.size) for claim in claims if claim.against == against]
    return f"{against} at size{'s' * (len(sizes) > 1)} {words(sizes)}"
