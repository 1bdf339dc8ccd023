"""How Sphinx builds these pages."""

import importlib
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from lunaflow import __version__  # noqa: E402 (the source tree is on the path only now)

project = "lunaflow"
author = "The lunaflow developers"
project_copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]
default_role = "py:obj"
add_module_names = False
python_maximum_signature_line_length = 90
suppress_warnings = ["ref.python"]  # a field such as `kind` belongs to several classes

myst_enable_extensions = ["amsmath", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autosummary_generate = False
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"lunaflow {__version__}"

PUBLIC = [
    "lunaflow",
    "lunaflow.arithmetic",
    "lunaflow.plan",
    "lunaflow.policy",
    "lunaflow.runtime",
    "lunaflow.experiment",
    "lunaflow.experiment.events",
    "lunaflow.experiment.report",
    "lunaflow.experiment.stats",
]


def missing_names(documented: set[str]) -> list[str]:
    """Return the public names that the reference leaves out."""
    public = [f"{name}.{one}" for name in PUBLIC for one in importlib.import_module(name).__all__]
    return [name for name in public if name not in documented and name not in PUBLIC]


def check_reference(_app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each public name without an entry, so that a strict build fails."""
    entries: dict[str, Any] = env.domaindata["py"]["objects"]
    for name in missing_names(set(entries)):
        logging.getLogger(__name__).warning("the reference lacks the public name %s", name)


def setup(app: Sphinx) -> None:
    """Register the check of the reference."""
    app.connect("env-check-consistency", check_reference)
