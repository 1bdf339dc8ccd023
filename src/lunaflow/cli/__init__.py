"""The ``lunaflow`` command. Importing this package needs NumPy alone; running it, the extra."""

import sys

__all__ = ["main"]

_NEEDED = ("click", "rich")


def main() -> int:
    """Run the command line and return its exit status."""
    try:
        from lunaflow.cli._app import app
    except ModuleNotFoundError as missing:
        if missing.name not in _NEEDED:
            raise
        sys.stderr.write(
            f"the lunaflow command needs {missing.name}, which comes with an extra: "
            "pip install 'lunaflow[experiment]'\n"
        )
        return 2
    return app()
