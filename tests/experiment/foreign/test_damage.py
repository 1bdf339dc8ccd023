"""Whatever stands in a file, reading it gives timings or an error that names the file."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lunaflow.experiment.foreign import ForeignFileError, read_results

SMALL: dict[str, Any] = {
    "pyperf": {
        "metadata": {"unit": "second"},
        "benchmarks": [{"metadata": {"name": "sort/8"}, "runs": [{"values": [1.0, 2.0]}]}],
    },
    "pytest-benchmark": {
        "machine_info": {},
        "benchmarks": [
            {"name": "t[8]", "params": {"n": 8}, "stats": {"data": [1.0], "median": 1.0}}
        ],
    },
    "google": {
        "context": {},
        "benchmarks": [
            {"name": "sort/8_median", "run_name": "sort/8", "aggregate_name": "median",
             "real_time": 1.0, "time_unit": "ns", "error_occurred": False},
            {"name": "sort/8", "run_name": "sort/8", "real_time": 1.0, "time_unit": "ns"},
        ],
    },
    "hyperfine": {
        "results": [
            {"command": "seq 8", "parameters": {"n": "8"}, "times": [1.0], "mean": 1.0,
             "exit_codes": [0]}
        ]
    },
    "criterion": {
        "reason": "benchmark-complete", "id": "sort/8", "unit": "ns", "iteration_count": [1],
        "measured_values": [1.0], "typical": {"estimate": 1.0, "unit": "ns"},
    },
}  # fmt: skip

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=3,
)


def mutated(draw: Any, value: Any) -> Any:
    """Return JSON with one value somewhere replaced by anything, or taken out."""
    if isinstance(value, (dict, list)) and value and draw(st.integers(0, 3)):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = draw(st.sampled_from(keys))
        changed = value.copy()
        if draw(st.booleans()):
            changed[key] = mutated(draw, value[key])
        else:
            del changed[key]
        return changed
    return draw(ANYTHING)


@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_mutated_file_is_read_or_refused(name: str, data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_text(json.dumps(mutated(data.draw, SMALL[name])))
    message = ""
    try:
        timings = read_results(path).timings
    except ForeignFileError as error:
        message, timings = str(error), ()
    assert message.startswith(f"{path}: ") or timings
    assert all(timing.seconds >= 0 for timing in timings)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.sampled_from('name,time\n"12;\t.{}[]\x00é'), max_size=40) | st.text())
def test_any_text_is_read_or_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    message = ""
    try:
        read_results(path)
    except ForeignFileError as error:
        message = str(error)
    assert message == "" or message.startswith(f"{path}: ")


@pytest.mark.parametrize("name", SMALL)
def test_the_files_that_are_mutated_are_right(name: str, tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_text(json.dumps(SMALL[name]))
    assert read_results(path).timings[0].seconds > 0
