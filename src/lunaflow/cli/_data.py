"""Arrays from .npy and .npz files, as the commands name them: FILE.npy or FILE.npz:NAME."""

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow.cli._refusal import refuse


def load_array(reference: str) -> npt.NDArray[Any]:
    """Return the array that ``FILE.npy`` or ``FILE.npz:NAME`` names.

    A .npy file is memory-mapped, read-only. Whatever cannot be read ends the command with exit
    status 2 and says why.
    """
    path, name = split_reference(reference)
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        refuse(f"there is no file {path}")
    except OSError as error:
        refuse(f"cannot read {path}: {error.strerror or error}")
    except EOFError:
        refuse(f"{path} is empty; expected a .npy or .npz file")
    except (ValueError, zipfile.BadZipFile) as error:
        refuse(f"{path} is no .npy or .npz file that can be read: {error}")
    if isinstance(found, np.ndarray):
        if name is not None:
            refuse(f"{path} holds one array without a name, so ':{name}' names nothing")
        return found
    with found:
        return _member(path, found, name)


def split_reference(reference: str) -> tuple[Path, str | None]:
    """Split ``FILE.npz:NAME``; the name is None where only a file is given."""
    file, colon, name = reference.rpartition(":")
    if colon and name and file.lower().endswith((".npz", ".npy")):
        return Path(file), name
    return Path(reference), None


def _member(path: Path, archive: Any, name: str | None) -> npt.NDArray[Any]:
    names = list(archive.files)
    if name is None and len(names) == 1:
        name = names[0]
    if name is None or name not in names:
        known = ", ".join(names) or "nothing"
        said = "say which array is meant" if name is None else f"it holds no array {name!r}"
        refuse(f"{path}: {said}; it holds {known} (write {path}:NAME)")
    try:
        array: npt.NDArray[Any] = archive[name]
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        refuse(f"{path}: the array {name!r} cannot be read: {error}")
    return array
