"""The top of a page: its title, whether the record is whole, and where it was measured."""

from dataclasses import dataclass
from datetime import UTC, datetime

from lunaflow._texts import one_line, text_of
from lunaflow.experiment._results import RunRecord
from lunaflow.experiment._texts import counted, words

_FACTS = {
    "cpu": "CPU",
    "cpus": "CPUs",
    "lunaflow": "lunaflow",
    "python": "Python",
    "implementation": "implementation",
    "numpy": "NumPy",
    "platform": "platform",
    "machine": "machine",
}


@dataclass(frozen=True, slots=True)
class Banner:
    """Whether the record is whole; `kind` is ``"complete"``, ``"partial"`` or ``"damaged"``."""

    kind: str
    headline: str
    details: tuple[str, ...]


def title_of(record: RunRecord) -> str:
    """Return the heading: it names the experiment if there is one alone."""
    if len(record.experiments) == 1:
        return f"{one_line(record.experiments[0].name, 100)}: lunaflow report"
    return "lunaflow report"


def started_text(record: RunRecord) -> str:
    """Return when the run started, to the second; as it stands if it is no time with a zone."""
    try:
        started = datetime.fromisoformat(record.started)
        if started.tzinfo is None:
            return record.started
        return f"{started.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError):  # no time, or one that UTC has not
        return record.started


def environment_of(record: RunRecord) -> tuple[tuple[str, str], ...]:
    """Return the facts of the machine: the CPU first, then versions, platform, others, start."""
    facts = dict(record.environment)
    if record.library_version:
        facts.setdefault("lunaflow", record.library_version)
    known = [(_FACTS[key], _fact(facts.pop(key))) for key in _FACTS if key in facts]
    others = [(key.replace("_", " "), _fact(value)) for key, value in facts.items()]
    started = [("started", started_text(record))] if record.started else []
    return (*known, *others, *started)


def banner_of(record: RunRecord) -> Banner:
    """Return what the record lacks, or that it lacks nothing."""
    details = []
    if record.ending == "interrupted":
        details.append("The run was interrupted; what it had measured until then is shown.")
    elif record.ending == "cut off":
        details.append(
            "The record has no end event: the run was killed, or is still going. "
            "What was recorded until then is shown."
        )
    if unfinished := [result.name for result in record.experiments if not result.finished]:
        details.append(f"Not finished: {words(unfinished)}.")
    if record.damaged_lines:
        numbers = words([str(number) for number in record.damaged_lines])
        noun, verb = ("Line", "is") if len(record.damaged_lines) == 1 else ("Lines", "are")
        details.append(f"{noun} {numbers} of the record could not be read and {verb} left out.")
    if record.complete:
        done = f"The run and {_all_experiments(len(record.experiments))} came to their end."
        return Banner("complete", "Complete", (done,))
    if record.ending == "finished" and not unfinished:
        return Banner("damaged", "Damaged record", tuple(details))
    return Banner("partial", "Partial", tuple(details))


def _fact(value: object) -> str:
    return value if isinstance(value, str) else text_of(value)


def _all_experiments(count: int) -> str:
    return "its experiment" if count == 1 else f"all its {counted(count, 'experiment')}"
