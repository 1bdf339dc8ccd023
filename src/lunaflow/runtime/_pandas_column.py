"""Columns of pandas whose dtype is pandas' own: nullable integers and booleans, and Arrow's."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from lunaflow.runtime._column import Array, Column, Piece

# elements whose nulls are looked up at a time
_BLOCK = 1 << 15


def is_pandas_extension(given: object) -> bool:
    """Say whether `given` is a Series, Index or array of pandas with an extension dtype."""
    return hasattr(getattr(given, "dtype", None), "na_value") and hasattr(given, "isna")


def arrow_backing(given: Any) -> Any:
    """Return the Arrow column behind a Series, Index or array, or None if there is none."""
    if not hasattr(given.dtype, "pyarrow_dtype"):
        return None
    return getattr(given, "array", given).__arrow_array__()


def nullable_column(name: str, given: Any, dtype: np.dtype[Any]) -> Array | Column:
    """Return the elements of a nullable Series, Index or array; an array if none is null.

    Parameters
    ----------
    name : str
        What it is called in messages.
    given : Series, Index or ExtensionArray
        Of a dtype with a mask.
    dtype : numpy.dtype
        The dtype of its elements, without the nulls.
    """
    values = getattr(given, "array", given)
    blocks = [values[start : start + _BLOCK] for start in range(0, len(values), _BLOCK)]
    if not any(block.isna().any() for block in blocks):
        return np.asarray(values.to_numpy(dtype=dtype))
    said = f"is a {name} with {{nulls}} of {{size}} elements null"
    return Column(said, dtype, _pieces(blocks, dtype))


def _pieces(blocks: list[Any], dtype: np.dtype[Any]) -> Iterator[Piece]:
    for block in blocks:
        values = np.asarray(block.to_numpy(dtype=dtype, na_value=0))
        yield Piece(values, np.asarray(block.isna()), 0)
