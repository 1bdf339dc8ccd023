"""Arrays from .npy and .npz files, as the commands name them: FILE.npy or FILE.npz:NAME."""

import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow.cli._refusal import refuse

Array = npt.NDArray[Any]

_NPY = b"\x93NUMPY"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_DAMAGE = (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error)


def load_array(reference: str) -> Array:
    """Return the array that ``FILE.npy`` or ``FILE.npz:NAME`` names.

    A .npy file is memory-mapped, read-only. Whatever cannot be read ends the command with exit
    status 2 and says why.
    """
    path, name = split_reference(reference)
    beginning = _beginning(path)
    if beginning.startswith(_NPY):
        return _mapped(path, name)
    if beginning.startswith(_ZIP):
        return _member(path, name)
    if not beginning:
        refuse(f"{path} is empty; expected a .npy or .npz file")
    refuse(f"{path} is no .npy or .npz file: it begins with {beginning!r}")


def split_reference(reference: str) -> tuple[Path, str | None]:
    """Split ``FILE.npz:NAME``; the name is None where only a file is given."""
    found = re.match(r"(.*?\.np[yz]):(.+)", reference, re.DOTALL | re.IGNORECASE)
    return (Path(reference), None) if found is None else (Path(found[1]), found[2])


def _beginning(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        refuse(f"{path} is no regular file (a folder, a device or a pipe)")
    try:
        with path.open("rb") as file:
            return file.read(8)
    except FileNotFoundError:
        refuse(f"there is no file {path}")
    except OSError as error:
        refuse(f"cannot read {path}: {error.strerror or error}")


def _mapped(path: Path, name: str | None) -> Array:
    if name is not None:
        refuse(f"{path} holds one array without a name, so ':{name}' names nothing")
    try:
        mapped: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except _DAMAGE as error:
        refuse(f"{path} is a .npy file that cannot be read: {error}")
    return mapped


def _member(path: Path, name: str | None) -> Array:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            array = archive[_chosen(path, list(archive.files), name)]
    except _DAMAGE as error:
        refuse(f"{path} is a .npz file that cannot be read: {error}")
    if not isinstance(array, np.ndarray):
        refuse(f"{path}: {name!r} is a file in the archive, but no array")
    return array


def _chosen(path: Path, names: list[str], name: str | None) -> str:
    if name in names:
        return name
    if name is None and len(names) == 1:
        return names[0]
    said = "say which array is meant" if name is None else f"it holds no array {name!r}"
    refuse(f"{path}: {said}; it holds {', '.join(names) or 'nothing'} (write {path}:NAME)")
