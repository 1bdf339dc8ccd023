"""The stored run of a test, or the reason why it cannot be compared with."""

from pathlib import Path
from typing import NoReturn

import pytest

from lunaflow._texts import text_of
from lunaflow.experiment import ExperimentResult, RunRecord, compare_runs
from lunaflow.experiment._texts import counted, words

_SAME_MACHINE = ("machine", "cpu", "implementation")


def comparable(before: RunRecord | None, after: RunRecord, file: Path) -> RunRecord:
    """Return the stored run; the test fails, saying why, if nothing could be concluded from it."""
    new = after.experiments[-1]
    if before is None:
        _refuse(file, f"it has no run of {new.name}", new)
    old = next(one for one in before.experiments if one.name == new.name)
    if (why := _why_not(old, new) or _other_machine(before, after)) is not None:
        _refuse(file, why, new)
    return RunRecord(
        before.environment,
        (old,),
        before.complete,
        before.ending,
        library_version=before.library_version,
        started=before.started,
    )


def other_facts(before: RunRecord, after: RunRecord) -> list[str]:
    """Return what else is different now, in words: versions, the number of CPUs."""
    different = compare_runs(before, after).environment
    return [f"{name} was {text_of(old)}, is {text_of(new)}" for name, old, new in different]


def _why_not(old: ExperimentResult, new: ExperimentResult) -> str | None:
    if not old.finished:
        return f"its run of {new.name} was cut off"
    for name in new.implementations:
        if name not in old.implementations:
            known = words(old.implementations)
            return f"its run of {new.name} is of {known}, and not of {name}"
    if missing := [str(size) for size in new.sizes if size not in old.sizes]:
        return f"its run of {new.name} lacks {'size' if len(missing) == 1 else 'sizes'} " + words(
            missing
        )
    if old.failures:
        return f"its run of {new.name} has {counted(len(old.failures), 'failure')}"
    if not old.blocks:
        return f"its run of {new.name} was not timed"
    return None


def _other_machine(before: RunRecord, after: RunRecord) -> str | None:
    for name, old, new in compare_runs(before, after).environment:
        if name in _SAME_MACHINE:
            return f"it is of another machine: {name} was {text_of(old)}, is {text_of(new)}"
    return None


def _refuse(file: Path, why: str, new: ExperimentResult) -> NoReturn:
    test = new.name.rpartition(" #")[0] or new.name
    pytest.fail(
        f"cannot compare with the baseline {file}: {why}\n"
        f"to store a run of it: pytest {test!r} --lunaflow-save FILE",
        pytrace=False,
    )
