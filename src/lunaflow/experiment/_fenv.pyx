"""One call with the floating-point flags of the C environment watched."""

cdef extern from "fenv.h" nogil:
    """
    #ifndef FE_DIVBYZERO
    #define FE_DIVBYZERO 0
    #endif
    #ifndef FE_OVERFLOW
    #define FE_OVERFLOW 0
    #endif
    #ifndef FE_UNDERFLOW
    #define FE_UNDERFLOW 0
    #endif
    #ifndef FE_INVALID
    #define FE_INVALID 0
    #endif
    #ifndef FE_INEXACT
    #define FE_INEXACT 0
    #endif
    """
    ctypedef struct fexcept_t:
        pass
    int FE_DIVBYZERO, FE_OVERFLOW, FE_UNDERFLOW, FE_INVALID, FE_INEXACT, FE_ALL_EXCEPT
    int fegetexceptflag(fexcept_t* flags, int which)
    int fesetexceptflag(const fexcept_t* flags, int which)
    int feclearexcept(int which)
    int fetestexcept(int which)


cdef tuple FLAGS = (
    ("divide", FE_DIVBYZERO),
    ("overflow", FE_OVERFLOW),
    ("underflow", FE_UNDERFLOW),
    ("invalid", FE_INVALID),
    ("inexact", FE_INEXACT),
)

# a flag that the platform does not have is 0 here
SHOWN = frozenset(name for name, bit in FLAGS if bit)


def call_watched(function, args, kwargs):
    """Return (result, exception, names of the flags raised) of a call; the flags stay as before."""
    cdef fexcept_t before
    cdef int raised
    result = error = None
    fegetexceptflag(&before, FE_ALL_EXCEPT)
    feclearexcept(FE_ALL_EXCEPT)
    try:
        try:
            result = function(*args, **kwargs)
        except Exception as caught:
            error = caught
        raised = fetestexcept(FE_ALL_EXCEPT)
    finally:
        fesetexceptflag(&before, FE_ALL_EXCEPT)
    return result, error, frozenset([name for name, bit in FLAGS if raised & bit])
