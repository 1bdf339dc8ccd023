"""Without a library of the extra, a report says which one and how to get it."""

import sys
from pathlib import Path

import pytest

from lunaflow.experiment import ExperimentResult
from lunaflow.experiment.report import render
from lunaflow.experiment.report._extra import naming_the_extra


@pytest.mark.parametrize("library", ["matplotlib", "jinja2"])
def test_a_missing_library_is_named_with_its_extra(
    make_result: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    assert callable(make_result)
    result: ExperimentResult = make_result(sizes=(100,))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError) as caught:
        result.report(tmp_path / "report.html")
    # the command line goes by the name
    assert caught.value.name == library
    assert library in str(caught.value)
    assert "pip install 'lunaflow[experiment]'" in str(caught.value)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ImportError, match=library):
        render(result)


def test_what_another_library_lacks_is_left_as_it_is() -> None:
    below = ModuleNotFoundError("No module named 'missing_below'", name="missing_below")
    with pytest.raises(ModuleNotFoundError) as caught, naming_the_extra("jinja2"):
        raise below
    assert caught.value is below
