"""The examples in the documents are tests; and tests of the pytest plugin run pytest."""

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

pytest_plugins = ["pytester"]

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser()],
    patterns=["README.md", "docs/**/*.md"],
).pytest()
