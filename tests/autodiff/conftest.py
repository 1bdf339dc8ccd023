"""What one test registers does not reach the next."""

import pytest

from lunaflow.arithmetic import _operations


@pytest.fixture(autouse=True)
def _nothing_stays_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_operations, "_TABLE", dict(_operations._TABLE))
