# D3: the values decide how duals compare; that they are alike is another question.


cdef inline object compare(Dual x, object y, int order):
    # D3: the values decide
    cdef double c
    if x.parts is None:
        if type(y) is Dual and (<Dual> y).parts is None:
            c = (<Dual> y).a
            if x.ring == (<Dual> y).ring and (x.a != c or not x.ring & 1):
                return ordered(x.a, c, order)
        elif PyFloat_CheckExact(y):
            c = PyFloat_AS_DOUBLE(y)
            if x.a != c or not x.ring & 1:
                return ordered(x.a, c, order)
    return compare_any(x, y, order)


cdef inline bint ordered(double a, double c, int order) noexcept nogil:
    if order == Py_LT:
        return a < c
    if order == Py_LE:
        return a <= c
    if order == Py_EQ:
        return a == c
    if order == Py_NE:
        return a != c
    return a > c if order == Py_GT else a >= c


cdef object compare_any(Dual x, object y, int order):
    if isinstance(y, ndarray):
        return elementwise(ORDERS[order], x, y)
    if not (type(y) is Dual or PyLong_Check(y) or components.is_number(y)):
        return NotImplemented
    if level_of(x) != level_of(y):
        require_alive(x)
        require_alive(y)
    # D17: under the checked rules not by a tie that hides tangents
    if (is_checked(x) or is_checked(y)) and primal(x) == primal(y):
        if not equal_everywhere(x, y):
            raise refusals.tie(ORDER_SYMBOLS[order], (x, y))
    return PyObject_RichCompare(primal(x), primal(y), order)


cdef bint equal_everywhere(object x, object y):
    """Return whether all components of two numbers are equal (NaN equals NaN)."""
    cdef long long level = max(level_of(x), level_of(y))
    if level == 0:
        return x == y or (x != x and y != y)
    a, b = pair_at(x, level)
    c, d = pair_at(y, level)
    return equal_everywhere(a, c) and equal_everywhere(or_zero(b), or_zero(d))
