"""ArithmeticError: which rule failed, where, as an exception that is also a value."""

import builtins
import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.arithmetic import ArithmeticError, ArithmeticErrorKind

BUILTIN: dict[ArithmeticErrorKind, type[Exception]] = {
    ArithmeticErrorKind.DIVISION_BY_ZERO: ZeroDivisionError,
    ArithmeticErrorKind.OVERFLOW: OverflowError,
    ArithmeticErrorKind.DOMAIN_ERROR: ValueError,
    ArithmeticErrorKind.PARSE_ERROR: ValueError,
    ArithmeticErrorKind.FORMAT_ERROR: ValueError,
}
FIELDS = ("kind", "message", "operation", "component", "index", "exact")

ERRORS = st.builds(
    ArithmeticError,
    st.sampled_from(ArithmeticErrorKind),
    st.text(max_size=3),
    operation=st.sampled_from([None, "sum", "div_checked"]),
    component=st.sampled_from([None, "value", "tangent.value"]),
    index=st.none() | st.integers(0, 2) | st.tuples(st.integers(0, 2), st.integers(0, 2)),
    exact=st.none() | st.integers(0, 1) | st.integers(),
)


def fields(error: ArithmeticError) -> tuple[Any, ...]:
    return tuple(getattr(error, name) for name in FIELDS)


@pytest.mark.parametrize("kind", ArithmeticErrorKind)
def test_an_error_is_the_builtin_exception_of_its_kind_and_no_other(
    kind: ArithmeticErrorKind,
) -> None:
    error = ArithmeticError(kind, "m")
    assert isinstance(error, builtins.ArithmeticError)
    others: list[type[Exception]] = [ZeroDivisionError, OverflowError, ValueError]
    expected = [BUILTIN[kind]] if kind in BUILTIN else []
    assert [one for one in others if isinstance(error, one)] == expected
    for one in (BUILTIN.get(kind, builtins.ArithmeticError), ArithmeticError):
        with pytest.raises(one, match="m") as caught:
            raise error
        assert caught.value is error


def test_there_are_seven_kinds() -> None:
    names = "DIVISION_BY_ZERO DOMAIN_ERROR OVERFLOW PARSE_ERROR FORMAT_ERROR"
    names += " UNSUPPORTED_OPERATION UNORDERED_COMPARISON"
    assert list(ArithmeticErrorKind.__members__) == names.split()


@given(ERRORS, ERRORS)
def test_errors_are_equal_when_all_fields_are(a: ArithmeticError, b: ArithmeticError) -> None:
    assert (a == b) == (fields(a) == fields(b))
    kind, message, operation, component, index, exact = fields(a)
    twin = ArithmeticError(
        kind, message, operation=operation, component=component, index=index, exact=exact
    )
    assert a == twin
    assert hash(a) == hash(twin)
    assert repr(a) == repr(twin)
    assert a != OverflowError(message)


def test_notes_do_not_take_part_in_equality() -> None:
    plain, noted = (ArithmeticError(ArithmeticErrorKind.OVERFLOW, "m") for _ in range(2))
    noted.add_note("at line 3")
    assert plain == noted
    assert hash(plain) == hash(noted)


@given(ERRORS)
def test_errors_survive_pickle_and_copy_with_their_notes(error: ArithmeticError) -> None:
    error.add_note("first")
    error.add_note("second")
    copies = [copy.copy(error), copy.deepcopy(error)]
    copies += [pickle.loads(pickle.dumps(error, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for twin in copies:
        assert type(twin) is type(error)
        assert twin == error
        assert str(twin) == str(error) == error.message
        assert twin.__notes__ == ["first", "second"]


@pytest.mark.parametrize("name", FIELDS)
def test_fields_are_read_only(name: str) -> None:
    error = ArithmeticError(ArithmeticErrorKind.OVERFLOW, "m", exact=1)
    with pytest.raises(AttributeError):
        setattr(error, name, None)


def test_positions_become_plain_integers() -> None:
    position: Any = [np.int64(1), 2]
    error = ArithmeticError(ArithmeticErrorKind.OVERFLOW, "m", index=position)
    assert error.index == (1, 2)
    exact: Any = np.uint64(2**64 - 1)
    single: Any = np.int8(3)
    error = ArithmeticError(ArithmeticErrorKind.OVERFLOW, "m", index=single, exact=exact)
    assert [type(error.index), type(error.exact)] == [int, int]
    assert (error.index, error.exact) == (3, 2**64 - 1)


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("message", 3),
        ("operation", 3),
        ("component", b"value"),
        ("index", 1.0),
        ("index", "12"),
        ("index", (1, True)),
        ("exact", 1.0),
        ("exact", True),
    ],
)
def test_a_field_of_another_type_is_named(field: str, bad: Any) -> None:
    arguments: dict[str, Any] = {"message": "m", field: bad}
    with pytest.raises(TypeError, match=f"^{field} must be"):
        ArithmeticError(ArithmeticErrorKind.OVERFLOW, **arguments)


@pytest.mark.parametrize("bad", ["OVERFLOW", None, 1])
def test_a_kind_of_another_type_is_named(bad: Any) -> None:
    with pytest.raises(TypeError, match="^kind must be an ArithmeticErrorKind"):
        ArithmeticError(bad, "m")


def test_a_traceback_and_a_repr_show_the_public_name() -> None:
    error = ArithmeticError(ArithmeticErrorKind.OVERFLOW, "m", operation="sum", exact=2**31)
    assert f"{type(error).__module__}.{type(error).__qualname__}" == (
        "lunaflow.arithmetic.ArithmeticError"
    )
    assert repr(error) == (
        "ArithmeticError(ArithmeticErrorKind.OVERFLOW, 'm', operation='sum', exact=2147483648)"
    )


def test_subclasses_are_refused_since_they_would_not_be_the_builtin_kind() -> None:
    with pytest.raises(TypeError, match="cannot be subclassed"):

        class Mine(ArithmeticError):
            pass
