# cython: embedsignature=True, embedsignature.format=clinic
"""`Ok` and `Err`: a result, or the exception that says why there is none, as a value."""

from dataclasses import FrozenInstanceError
from types import GenericAlias
from typing import TypeVar

cimport cython

from lunaflow._arguments import reject_type
from lunaflow._texts import show_by_fields
from lunaflow.arithmetic._same_value import equal_or_same, value_hash
from lunaflow.arithmetic._unwrap import unwrap as raise_error


cdef object refuse_truth(object result):
    raise TypeError(
        f"the truth of an {type(result).__name__} is ambiguous; "
        "use .is_ok(), .is_err(), or match on Ok(value) and Err(error)"
    )


@cython.final
@cython.binding(False)  # else Ok.map(3, f) would read fields that 3 does not have
@cython.freelist(64)
cdef class Ok:
    """A computed result, in the read-only field ``value``.

    Equality is structural; values that hold arrays compare by `same_value` and are not hashable.
    """

    __match_args__ = ("value",)
    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, value):
        self.value = value

    def is_ok(self):
        """Return True."""
        return True

    def is_err(self):
        """Return False."""
        return False

    def unwrap(self):
        """Return the value."""
        return self.value

    def unwrap_or(self, default):
        """Return the value; `default` is not used."""
        return self.value

    def map(self, f):
        """Return ``Ok(f(value))``."""
        return make_ok(f(self.value))

    def and_then(self, f):
        """Return ``f(value)``, which must be an Ok or an Err."""
        result = f(self.value)
        if not isinstance(result, (Ok, Err)):
            raise reject_type("the result of the function given to and_then", result, "Ok or Err")
        return result

    def __bool__(self):
        refuse_truth(self)

    def __eq__(self, other):
        if not isinstance(other, Ok):
            return NotImplemented
        return equal_or_same(self.value, (<Ok> other).value)

    def __hash__(self):
        return hash((Ok, value_hash(self.value)))

    def __repr__(self):
        return f"Ok(value={self.value!r})"

    def __reduce__(self):
        return Ok, (self.value,)

    def __setattr__(self, name, value):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name):
        raise FrozenInstanceError(f"cannot delete field {name!r}")


@cython.final
@cython.binding(False)
cdef class Err:
    """The reason why there is no result.

    The read-only field ``error`` is an exception object, ready to be raised.
    """

    __match_args__ = ("error",)
    __class_getitem__ = classmethod(GenericAlias)
    unwrap = raise_error

    def __init__(self, error):
        if not isinstance(error, BaseException):
            raise reject_type("error", error, "an exception object")
        self.error = error

    def is_ok(self):
        """Return False."""
        return False

    def is_err(self):
        """Return True."""
        return True

    def unwrap_or(self, default):
        """Return `default`."""
        return default

    def map(self, f):
        """Return self; `f` is not called."""
        return self

    def and_then(self, f):
        """Return self; `f` is not called."""
        return self

    def __bool__(self):
        refuse_truth(self)

    def __eq__(self, other):
        if not isinstance(other, Err):
            return NotImplemented
        return bool(self.error == (<Err> other).error)

    def __hash__(self):
        return hash((Err, self.error))

    def __repr__(self):
        return f"Err(error={self.error!r})"

    def __reduce__(self):
        return Err, (self.error,)

    def __setattr__(self, name, value):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name):
        raise FrozenInstanceError(f"cannot delete field {name!r}")


cdef Ok make_ok(object value):
    cdef Ok ok = Ok.__new__(Ok)
    ok.value = value
    return ok


cdef Err make_err(object error):
    # the caller's promise: an exception object
    cdef Err err = Err.__new__(Err)
    err.error = error
    return err


for cls in (Ok, Err):
    show_by_fields(cls)

Result = Ok[TypeVar("T")] | Err[TypeVar("E", bound=BaseException)]
