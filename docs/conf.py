"""How Sphinx builds these pages."""

import importlib

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from lunaflow import __version__

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
autodoc_typehints = "none"  # the docstrings give the types, in words
autosummary_generate = False
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"lunaflow {__version__}"

PUBLIC = [
    "lunaflow",
    "lunaflow.arithmetic",
    "lunaflow.autodiff",
    "lunaflow.plan",
    "lunaflow.policy",
    "lunaflow.runtime",
    "lunaflow.experiment",
    "lunaflow.experiment.candidates",
    "lunaflow.experiment.events",
    "lunaflow.experiment.foreign",
    "lunaflow.experiment.report",
    "lunaflow.experiment.stats",
    "lunaflow_pytest.comparing",
]


def missing_names(documented: set[str]) -> list[str]:
    """Return the public names that the reference leaves out; other names of an entry are not."""
    missing = []
    known = {*documented, *PUBLIC}
    for module_name in PUBLIC:
        module = importlib.import_module(module_name)
        for name in module.__all__:
            found = getattr(module, name)
            at_home = f"{getattr(found, '__module__', '')}.{getattr(found, '__qualname__', '')}"
            if f"{module_name}.{name}" not in known and at_home not in known:
                missing.append(f"{module_name}.{name}")
    return missing


def check_reference(_app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each public name without an entry, so that a strict build fails."""
    for name in missing_names(set(env.domaindata["py"]["objects"])):
        logging.getLogger(__name__).warning("the reference lacks the public name %s", name)


def setup(app: Sphinx) -> None:
    """Register the check of the reference."""
    app.connect("env-check-consistency", check_reference)
