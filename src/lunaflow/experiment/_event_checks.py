"""What each field of each kind of event may hold."""

import math
import types
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from lunaflow.experiment._event_values import (
    protocol_from_event,
    status_from_event,
    trap_from_event,
)
from lunaflow.experiment._labels import Label
from lunaflow.experiment.stats import Decision

Check = Callable[[Any], bool]

_LARGEST_COUNT = 2**63 - 1
# what no clock shows: shorter than a picosecond by far, or longer than 30,000 years
_SHORTEST, _LONGEST = 1e-15, 1e12


def wrong_field(event: Mapping[str, Any]) -> str | None:
    """Return the name of the first field of an event that holds what it may not, or None."""
    kind = event["event"]
    for name, check in FIELD_CHECKS.get(kind, {}).items():
        if not check(event[name]):
            return name
    for name, check in OPTIONAL_CHECKS.get(kind, {}).items():
        if name in event and not check(event[name]):
            return name
    if event["event"] == "block":
        lengths = {len(event[name]) for name in ("order", "iterations", "seconds")}
        return None if len(lengths) == 1 else "seconds"
    return None


def _is_text(given: Any) -> bool:
    return isinstance(given, str)


def _is_flag(given: Any) -> bool:
    return isinstance(given, bool)


def _is_count(given: Any) -> bool:
    return type(given) is int and 0 <= given <= _LARGEST_COUNT


def _is_seed(given: Any) -> bool:
    return type(given) is int and given >= 0


def _is_real(given: Any) -> bool:
    if isinstance(given, float):
        return math.isfinite(given)
    return type(given) is int and abs(given) <= _LARGEST_COUNT


def _is_seconds(given: Any) -> bool:
    return _is_real(given) and (given == 0 or _SHORTEST <= given <= _LONGEST)


def _is_iterations(given: Any) -> bool:
    return _is_count(given) and 1 <= given <= 2**53


def _optional(check: Check) -> Check:
    return lambda given: given is None or check(given)


def _list_of(check: Check, *, least: int = 0) -> Check:
    return lambda given: isinstance(given, list) and len(given) >= least and all(map(check, given))


def _one_of(*words: str) -> Check:
    return lambda given: isinstance(given, str) and given in words


def _is_names(given: Any) -> bool:
    return _list_of(_is_text, least=1)(given) and len(set(given)) == len(given)


def _is_sizes(given: Any) -> bool:
    return _list_of(_is_count, least=1)(given) and all(a < b for a, b in pairwise(given))


def _is_interval(given: Any) -> bool:
    return _list_of(_is_real)(given) and len(given) == 2


def _is_labelled(given: Any) -> bool:
    return isinstance(given, list) and len(given) == 2 and _is_count(given[0]) and _LABEL(given[1])


def _is_facts(given: Any) -> bool:
    if isinstance(given, dict):
        return all(isinstance(key, str) and _is_fact(item) for key, item in given.items())
    return False


def _is_fact(given: Any) -> bool:
    if isinstance(given, dict):
        return _is_facts(given)
    return not isinstance(given, list) or all(map(_is_fact, given))


def _is_made(make: Callable[[Any], object]) -> Check:
    def check(given: Any) -> bool:
        try:
            make(given)
        except (KeyError, TypeError, ValueError, OverflowError):
            return False
        return True

    return lambda given: isinstance(given, dict) and check(given)


def _is_status(given: Any) -> bool:
    return _is_made(status_from_event)(given) and _is_text(given.get("reason"))


def _is_outcome(given: Any) -> bool:
    return (
        _is_made(trap_from_event)(given) and _is_text(given["kind"]) and _is_text(given.get("text"))
    )


def _is_numbered(given: Any) -> bool:
    """Say whether something is the number of an input and its fingerprint."""
    pair = isinstance(given, list) and len(given) == 2
    return pair and _is_count(given[0]) and _is_text(given[1])


def _is_texts_of_three(given: Any) -> bool:
    return _list_of(_is_text)(given) and len(given) == 3


def _is_anything(given: Any) -> bool:  # noqa: ARG001
    return True


def _is_bytes(given: Any) -> bool:
    return isinstance(given, bytes)


_LABEL = _one_of(*map(str, Label))

_OF_ONE: dict[str, Check] = {
    "experiment": _is_text,
    "implementation": _is_text,
    "size": _is_count,
}

FIELD_CHECKS: Mapping[str, Mapping[str, Check]] = types.MappingProxyType(
    {
        # the run as a whole; `started` and `ended` are ISO 8601 in UTC
        "run_started": {
            "library_version": _is_text,
            "seed": _is_seed,
            "environment": _is_facts,
            "started": _is_text,
        },
        "run_finished": {"ended": _is_text},
        "interrupted": {"ended": _is_text, "reason": _is_text},
        # one experiment; `protocol` is the dict of its fields, `controls` the names of the A/A
        # twins as they stand in the blocks' orders, one an implementation
        "experiment_started": {
            "experiment": _is_text,
            "implementations": _is_names,
            "sizes": _is_sizes,
            "protocol": _is_made(protocol_from_event),
            "oracle": _is_text,
            "controls": _list_of(_is_text),
            "seed": _is_seed,
        },
        "experiment_finished": {"experiment": _is_text},
        # what was begun and not closed is done anew, and what was recorded of it before counts no
        # more; mended: numbers of the damaged lines before this one, of which nothing is missed
        "experiment_resumed": {"experiment": _is_text, "mended": _list_of(_is_count)},
        # status: {"kind": "Invalid", "reason": ...}; outcome: {"kind": "Value", "text": ...} with
        # "type_name", "message", "trap_kind" and "index" of an exception
        "validation": {
            **_OF_ONE,
            "oracle": _is_text,
            "status": _is_status,
            "outcome": _is_outcome,
        },
        # closes the validation of a size: how many validations and failures it has, the inputs
        # that differ as pairs of number and fingerprint, who is timed, the seconds of the calls
        "validated": {
            "experiment": _is_text,
            "size": _is_count,
            "validations": _is_count,
            "failures": _is_count,
            "inputs": _list_of(_is_numbered),
            "timed": _list_of(_is_text),
            "seconds": _is_seconds,
        },
        # pairs that a relational oracle rejects; failing: two names and the reason
        "relation": {
            "experiment": _is_text,
            "size": _is_count,
            "input": _is_count,
            "step": _is_count,
            "oracle": _is_text,
            "pairs": _is_count,
            "failing": _list_of(_is_texts_of_three),
            "odd_one_out": _optional(_is_text),
        },
        # closes a size in a process: how many blocks and failures it has
        "cell_finished": {
            "experiment": _is_text,
            "size": _is_count,
            "process": _is_count,
            "blocks": _is_count,
            "failures": _is_count,
        },
        # processes that were left running and have been ended
        "left_behind": {
            "experiment": _is_text,
            "implementation": _optional(_is_text),
            "names": _list_of(_is_text, least=1),
        },
        # implementation and size are None where no single one is to blame; input: a text, cut;
        # path: the texts of the shrinking steps; process: None for a failure of validation
        "failure": {
            "experiment": _is_text,
            "implementation": _optional(_is_text),
            "size": _optional(_is_count),
            "process": _optional(_is_count),
            "status": _is_status,
            "input": _optional(_is_text),
            "path": _list_of(_is_text),
            "flaky": _is_flag,
            "fingerprint": _optional(_is_text),
        },
        # seconds of the last batch of `iterations` calls (exploratory, never in a comparison)
        "calibration": {
            **_OF_ONE,
            "process": _is_count,
            "iterations": _is_iterations,
            "seconds": _is_seconds,
            "below_resolution": _is_flag,
        },
        # order, iterations, seconds: one entry a treatment, in the order in which they ran;
        # seconds are those of the whole batch of so many iterations
        "block": {
            "id": _is_text,
            "experiment": _is_text,
            "size": _is_count,
            "process": _is_count,
            "block": _is_count,
            "order": _is_names,
            "iterations": _list_of(_is_iterations),
            "seconds": _list_of(_is_seconds),
            "gc_enabled": _is_flag,
        },
        # id: crossovers and policies name it as their evidence; grouping: "processes" or "blocks",
        # what the interval was bootstrapped over; evidence: ids of blocks; threshold_pct: the
        # largest of practical difference and the two noise floors, what FASTER and SLOWER need
        "comparison": {
            "id": _is_text,
            "experiment": _is_text,
            "size": _is_count,
            "a": _is_text,
            "b": _is_text,
            "relative_delta_pct": _optional(_is_real),
            "interval": _optional(_is_interval),
            "decision": _one_of(*(decision.value for decision in Decision)),
            "label": _LABEL,
            "noise_floor_pct": _optional(_is_real),
            "threshold_pct": _is_real,
            "grouping": _one_of("processes", "blocks"),
            "evidence": _list_of(_is_text),
        },
        # band: the undecided sizes between below and at_or_above; labels: [size, label] pairs
        "crossover": {
            "experiment": _is_text,
            "a": _is_text,
            "b": _is_text,
            "kind": _one_of("Found", "NoCrossover", "NonMonotonic", "Inconclusive"),
            "below": _optional(_is_count),
            "at_or_above": _optional(_is_count),
            "band": _list_of(_is_count),
            "labels": _list_of(_is_labelled),
            "reason": _optional(_is_text),
        },
    }
)
"""For each kind of event, its fields and what they may hold."""

OPTIONAL_CHECKS: Mapping[str, Mapping[str, Check]] = types.MappingProxyType(
    {
        # the command line that started it
        "run_started": {"command": _is_text},
        # versions: of the implementations, in their order; steps: of a sequence
        "experiment_started": {"versions": _list_of(_is_text), "steps": _is_count},
        # how many different inputs, and how many steps on each
        "validation": {"inputs": _is_count, "steps": _is_count},
        # id: what `lunaflow replay` calls it; draw, step: which input of the size, which step;
        # minimal: the input itself, if it can be stored; recipe: a pickle of what replays it, and
        # command: that which does so, null if nothing can; unreplayable: why nothing can
        "failure": {
            "id": _is_text,
            "draw": _is_count,
            "step": _is_count,
            "minimal": _is_anything,
            "recipe": _optional(_is_bytes),
            "command": _optional(_is_text),
            "unreplayable": _optional(_is_text),
        },
        # exploratory blocks decide nothing; input: the number of the one that was timed
        "block": {"phase": _one_of("exploratory", "confirmatory"), "input": _is_count},
    }
)
"""For each kind of event, the fields that an earlier writer may have left out."""
