"""The ``lunaflow`` command. Importing this package needs NumPy alone; running it, the extra."""

import sys

__all__ = ["main"]

_EXTRA = ("click", "cloudpickle", "jinja2", "matplotlib", "rich", "scipy")


def main() -> int:
    """Run the command line and return its exit status."""
    try:
        from lunaflow.cli._app import app

        return app()
    except ModuleNotFoundError as missing:
        library = (missing.name or "").partition(".")[0]
        if library not in _EXTRA:
            raise
        sys.stderr.write(
            f"the lunaflow command needs {library}, which comes with an extra: "
            "pip install 'lunaflow[experiment]'\n"
        )
        return 2
