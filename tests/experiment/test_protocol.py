"""Protocols: presets, whole squares in each process, and refusal of numbers out of range."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import DEVELOPMENT, QUICK_CHECK, REGRESSION_GATE, Protocol, ProtocolPreset
from lunaflow.experiment._protocol import as_protocol


def test_presets() -> None:
    found = {preset.name: (preset.value.pairs, preset.value.processes) for preset in ProtocolPreset}
    assert found == {"QUICK_CHECK": (12, 1), "DEVELOPMENT": (160, 10), "REGRESSION_GATE": (320, 20)}
    assert tuple(ProtocolPreset) == (QUICK_CHECK, DEVELOPMENT, REGRESSION_GATE)
    assert as_protocol(DEVELOPMENT) is DEVELOPMENT.value
    assert as_protocol(DEVELOPMENT.value) is DEVELOPMENT.value


@given(st.integers(2, 100), st.integers(1, 12), st.integers(1, 26))
def test_m2_each_process_measures_whole_squares_and_all_together_enough(
    pairs: int, processes: int, rows: int
) -> None:
    blocks = Protocol("T", pairs=pairs, processes=processes).blocks_per_process(rows)
    assert blocks % rows == 0
    assert blocks * processes >= pairs
    assert (blocks - rows) * processes < pairs


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"name": 5}, TypeError, "name must be a str"),
        ({"pairs": 1}, ValueError, "pairs must be at least 2, not 1"),
        ({"pairs": 2.0}, TypeError, "pairs must be an integer"),
        ({"pairs": -(10**5000)}, ValueError, "pairs must be at least 2, not an integer"),
        ({"pairs": 10**5000}, ValueError, "pairs must be at most 1000000, not an integer"),
        ({"pairs": 1_000_001}, ValueError, "pairs must be at most 1000000, not 1000001"),
        ({"processes": 0}, ValueError, "processes must be at least 1"),
        ({"processes": 10_001}, ValueError, "processes must be at most 10000, not 10001"),
        ({"batch_seconds": 10**400}, ValueError, "batch_seconds must be in the range of a float"),
        ({"resamples": 0}, ValueError, "resamples must be at least 1"),
        ({"resamples": 10**400}, ValueError, "resamples must be at most 1000000, not an integer"),
        ({"resamples": 39}, ValueError, "resamples must be at least 40, not 39"),
        ({"resamples": 1999, "confidence": 0.999}, ValueError, "resamples must be at least 2000"),
        ({"batch_seconds": 0}, ValueError, "batch_seconds must be finite and greater than 0"),
        ({"batch_seconds": math.nan}, ValueError, "batch_seconds must be finite"),
        ({"practical_delta_pct": math.inf}, ValueError, "practical_delta_pct must be finite"),
        ({"practical_delta_pct": "3"}, TypeError, "practical_delta_pct must be a number"),
        ({"confidence": 1.0}, ValueError, "confidence must be below 1"),
        ({"silence_seconds": -1}, ValueError, "silence_seconds must be finite and greater"),
        ({"silence_seconds": True}, TypeError, "silence_seconds must be a number"),
    ],
)
def test_numbers_out_of_range_are_refused(
    changed: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Protocol(**{"name": "T", "pairs": 2, "processes": 1, **changed})


def test_what_is_no_protocol_is_refused() -> None:
    with pytest.raises(TypeError, match="protocol must be a Protocol or a ProtocolPreset"):
        as_protocol("DEVELOPMENT")
