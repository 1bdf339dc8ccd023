"""What a report says when a library that it is made with is not installed."""

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def naming_the_extra(library: str) -> Iterator[None]:
    """Raise ImportError that names the library and its extra, if importing it inside finds none."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name != library:
            raise
        raise ModuleNotFoundError(
            f"a report needs {library}, which comes with an extra: "
            "pip install 'lunaflow[experiment]'",
            name=library,
        ) from missing
