"""Files that are written all or not at all."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a new file that takes the place of `path` when the block ends without an exception.

    Until then, and whatever fails, an old file stays as it was. Its permissions are kept; a
    symbolic link is followed.

    Raises
    ------
    ValueError
        If `path` is there and is no regular file.
    OSError
        If the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        raise ValueError(f"path must be a regular file, which {target} is not")
    # opened by name, not by mkstemp, so that a new file has the permissions the umask grants
    temporary = target.parent / f".{secrets.token_hex(8)}.part"
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.filename is not None:
            error.filename = os.fspath(path)
        raise
