"""Policy sets as files: strict JSON, written all or not at all."""

import json
import os
from typing import Any

from lunaflow._arguments import as_path, reject_type
from lunaflow._files import replacing
from lunaflow.policy._codec import decode, encode
from lunaflow.policy._set import PolicySet


def save(set: PolicySet, path: str | os.PathLike[str]) -> None:  # noqa: A002 (the design's name)
    """Write `set` to `path` as versioned JSON, atomically.

    The file is replaced only when the new one is complete on disk; whatever fails before leaves an
    old file as it was. Permissions of an old file are kept, a symbolic link is followed.

    Parameters
    ----------
    set : PolicySet
        What to write.
    path : path-like
        The file; its folder must exist.

    Raises
    ------
    TypeError
        If `set` is no PolicySet or `path` no path.
    ValueError
        If `path` is there and is no regular file.
    OSError
        If the file cannot be written.
    """
    if not isinstance(set, PolicySet):
        raise reject_type("set", set, "a PolicySet")
    target = as_path("path", path)
    text = json.dumps(encode(set), indent=1, allow_nan=False, ensure_ascii=True)
    with replacing(target) as file:
        file.write((text + "\n").encode("ascii"))


def load(path: str | os.PathLike[str]) -> PolicySet:
    """Return the policy set that `save` wrote to `path`.

    Parameters
    ----------
    path : path-like
        The file.

    Raises
    ------
    TypeError
        If `path` is no path.
    ValueError
        If the file is not complete JSON, of another format or version, or a field is missing,
        unknown or wrong; the message names the file and the place.
    OSError
        If the file cannot be read.
    """
    source = as_path("path", path)
    raw = source.read_bytes()
    try:
        return decode(
            json.loads(
                raw.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_unique_fields
            )
        )
    except RecursionError as error:
        raise ValueError(f"{source}: nested too deeply for a policy set") from error
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from error


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice!r} occurs twice in one object")
    return fields
