"""The duals that a pass through a function of several variables starts from, made at once."""

from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact

from lunaflow.autodiff._dual cimport of_floats, ring_of

from lunaflow.autodiff._dual import seed


def seeds(list values, list tangents, long long level, bint checked):
    """Return the duals of one level that have these values and tangents, which are as many."""
    cdef long long ring = ring_of(level, checked)
    cdef list duals = []
    for value, tangent in zip(values, tangents):
        if PyFloat_CheckExact(value) and PyFloat_CheckExact(tangent):
            duals.append(of_floats(PyFloat_AS_DOUBLE(value), PyFloat_AS_DOUBLE(tangent), ring))
        else:
            duals.append(seed(value, tangent, level, checked))
    return duals
