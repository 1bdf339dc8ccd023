"""The example of the how-to page is a test that passes."""

import re
from pathlib import Path

from tests.lunaflow_pytest.test_interpreters import run_apart

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "pytest.md"
EXAMPLE = re.compile(r"```\{code-block\} python\n:caption: (\w+\.py)\n\n(.*?)```", re.DOTALL)


def test_the_example_of_the_page_passes(tmp_path: Path) -> None:
    ((name, source),) = EXAMPLE.findall(PAGE.read_text("utf-8"))
    # how fast it is depends on the machine; that it is measured does not
    source = source.replace('result.assert_not_slower("5%")', "assert result.measured.blocks")
    assert "measured.blocks" in source
    (tmp_path / name).write_text(source)
    found = run_apart(
        tmp_path, "-m", "pytest", "-p", "lunaflow_pytest", "--lunaflow-protocol=quick-check"
    )
    assert "1 passed" in found
