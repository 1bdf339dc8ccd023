"""What an interrupted experiment needs not do again, and what a damaged file makes it do."""

from typing import Any

from lunaflow.experiment._closed import closed_cells, closed_events, closed_sizes


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"lunaflow": 1, "event": kind, "experiment": "e", **fields}


def validated(size: int, validations: int = 1, failures: int = 0) -> dict[str, Any]:
    return event("validated", size=size, validations=validations, failures=failures)


def finished(size: int, process: int, blocks: int, failures: int = 0) -> dict[str, Any]:
    return event("cell_finished", size=size, process=process, blocks=blocks, failures=failures)


def block(size: int, process: int, name: str) -> dict[str, Any]:
    return event("block", size=size, process=process, id=name)


def failure(size: int | None, process: int | None) -> dict[str, Any]:
    return event("failure", size=size, process=process)


BEGINNING = event("experiment_started")
VALIDATION = event("validation", size=4)


def test_a_size_is_closed_if_all_that_it_says_of_itself_is_there() -> None:
    assert closed_sizes([VALIDATION, validated(4)]) == {4}
    assert closed_sizes([VALIDATION]) == set()
    # a damaged line is missing
    assert closed_sizes([validated(4)]) == set()
    assert closed_sizes([VALIDATION, validated(4, failures=1)]) == set()
    assert closed_sizes([VALIDATION, failure(4, None), validated(4, failures=1)]) == {4}
    # a failure while measuring is none of validation
    assert closed_sizes([VALIDATION, validated(4), failure(4, 0)]) == {4}


def test_a_cell_is_closed_if_all_its_blocks_and_failures_are_there() -> None:
    events = [block(4, 0, "a"), block(4, 0, "b"), block(4, 1, "c")]
    assert closed_cells([*events, finished(4, 0, 2), finished(4, 1, 2)]) == {(4, 0)}
    assert closed_cells([*events, failure(4, 1), finished(4, 1, 1, 1)]) == {(4, 1)}
    assert closed_cells([*events, finished(4, 1, 1, 1)]) == set()


def test_only_what_is_closed_is_gone_on_from() -> None:
    kept = [
        BEGINNING,
        VALIDATION,
        event("relation", size=4),
        validated(4),
        block(4, 0, "a"),
        event("calibration", size=4, process=0),
        finished(4, 0, 1),
    ]
    dropped = [
        event("validation", size=8),
        failure(8, None),
        block(4, 1, "b"),
        event("calibration", size=4, process=1),
        failure(4, 1),
        failure(None, 1),
        event("comparison", size=4),
        event("crossover"),
        event("left_behind"),
        event("experiment_finished"),
    ]
    assert closed_events([*kept, *dropped]) == kept
    assert closed_events(kept) == kept
