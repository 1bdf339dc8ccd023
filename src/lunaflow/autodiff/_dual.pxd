"""What other compiled modules may know of `Dual`: its fields, and how to make one."""

cdef enum:
    FIRST_TAG = 1 << 10  # levels below are those of duals made by hand, one in another
    DEEPEST = 20         # that many of them, since each doubles the components


cdef class Dual:
    cdef double a          # value and tangent, if both are floats
    cdef double b
    cdef object parts      # otherwise the pair of them, and None for floats
    # twice the level, plus one under the checked rules; the level is which epsilon this is, and of
    # two duals the higher one is a dual over the lower
    cdef long long ring


cdef Dual of_floats(double a, double b, long long ring)
cdef Dual make(object value, object tangent, long long ring)
cdef long long ring_of(long long level, bint checked)
cdef long long new_level()
cdef int end_level(long long level) except -1
cdef int require_mixing(object x, object y) except -1
cdef object constant_beside(Dual d, object x)
cdef object elementwise(object ufunc, object x, object y)
cdef bint is_finite(object x)
cdef object judged(str operation, tuple operands, Dual result)
cdef str not_finite(object x)
cdef long long level_of(object x)
cdef bint is_checked(object x)
cdef object unchecked(object x)
cdef object marked(object x, bint checked)
cdef tuple pair_at(object x, long long level)
cdef object lifted(object x, object model)
cpdef object primal(object x)
cdef bint equal_everywhere(object x, object y)
cdef object root(str operation, Dual x, object ctx)
cdef object raised(object outcome)
