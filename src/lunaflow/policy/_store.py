"""Policy sets as files: strict JSON, written all or not at all."""

import json
import os

from lunaflow._arguments import as_path, reject_type
from lunaflow._files import replacing
from lunaflow._stored import parse
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
    if source.exists() and not source.is_file():
        # a pipe would wait for ever, a device might never end
        raise ValueError(f"{source} is no regular file")
    raw = source.read_bytes()
    try:
        return decode(parse(raw.decode("utf-8")))
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from error
