"""What other compiled modules may use: making an Ok or Err without a call into Python."""

cdef class Ok:
    cdef readonly object value


cdef class Err:
    cdef readonly object error


cdef Ok make_ok(object value)
cdef Err make_err(object error)
