"""The top of a page: its title, whether the record is whole, and where it was measured."""

from dataclasses import dataclass
from datetime import UTC, datetime

from lunaflow._texts import one_line, text_of
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment._texts import counted, words
from lunaflow.experiment.report._texts import size_text, sizes_text

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
    command = [("command", record.command)] if record.command else []
    return (*known, *others, *started, *command)


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
    unfinished = [result for result in record.experiments if not result.finished]
    if unfinished:
        details.append(f"Not finished: {words([result.name for result in unfinished])}.")
    details += map(_progress_text, unfinished)
    if record.torn_tail and record.damaged_lines:
        details.append("The file ends in the middle of a line: its writer was cut off.")
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


def _progress_text(result: ExperimentResult) -> str:
    """Say how far an experiment came."""
    if not result.blocks:
        return f"{result.name}: nothing had been timed yet."
    last, protocol = result.blocks[-1], result.protocol
    timed = {block.size for block in result.blocks}
    missing = [size for size in result.sizes if size not in timed]
    text = (
        f"{result.name}: {counted(len(result.blocks), 'block')} were timed, the last one of size "
        f"{size_text(last.size)} in process {last.process + 1} of {protocol.processes}"
    )
    if missing:
        text += f"; none of {'size' if len(missing) == 1 else 'sizes'} {sizes_text(missing)}"
    return f"{text}."


def _fact(value: object) -> str:
    return value if isinstance(value, str) else text_of(value)


def _all_experiments(count: int) -> str:
    return "its experiment" if count == 1 else f"all its {counted(count, 'experiment')}"
