# `+ - * /` of duals and constants. The quick path is for two over floats; rules are judged here.


cdef inline object combine(Op op, object x, object y):
    # the quick path of the operators: both over floats, of one epsilon or one of them a constant
    if likely(type(x) is Dual) and likely((<Dual> x).parts is None):
        if likely(type(y) is Dual):
            if likely((<Dual> y).parts is None) and likely((<Dual> x).ring == (<Dual> y).ring):
                return of_duals(op, <Dual> x, <Dual> y)
        elif PyFloat_Check(y):
            return with_constant(op, <Dual> x, PyFloat_AS_DOUBLE(y), x, y)
        elif PyLong_Check(y):
            return with_constant(op, <Dual> x, PyLong_AsDouble(y), x, y)
    elif type(y) is Dual and (<Dual> y).parts is None:
        if PyFloat_Check(x):
            return from_constant(op, PyFloat_AS_DOUBLE(x), <Dual> y, x, y)
        if PyLong_Check(x):
            return from_constant(op, PyLong_AsDouble(x), <Dual> y, x, y)
    return combine_any(op, x, y)


cdef inline object of_duals(Op op, Dual x, Dual y):
    cdef double a, b
    if op == ADD:
        a = x.a + y.a
        b = x.b + y.b
    elif op == SUBTRACT:
        a = x.a - y.a
        b = x.b - y.b
    elif op == MULTIPLY:
        a = x.a * y.a
        b = x.a * y.b + x.b * y.a
    else:
        if x.ring & 1:
            return divided(x.a, x.b, y.a, y.b, x.ring, x, y)
        a = x.a / y.a
        b = quotient_tangent(x.a, x.b, y.a, y.b)
    if x.ring & 1 and unlikely(not finite(a, b)):
        return judged_floats(op, x, y, a, b, x.ring)
    return of_floats(a, b, x.ring)


cdef inline object with_constant(Op op, Dual x, double c, object left, object right):
    cdef double a = x.a
    cdef double b = x.b
    if op == ADD:
        a += c
    elif op == SUBTRACT:
        a -= c
    elif op == MULTIPLY:
        a *= c
        b *= c
    else:
        if x.ring & 1:
            return divided(a, b, c, 0, x.ring, left, right)
        a /= c
        b /= c
    if x.ring & 1 and unlikely(not finite(a, b)):
        return judged_floats(op, left, right, a, b, x.ring)
    return of_floats(a, b, x.ring)


cdef inline object from_constant(Op op, double c, Dual y, object left, object right):
    cdef double a, b
    if op == ADD or op == MULTIPLY:
        return with_constant(op, y, c, left, right)
    if op == SUBTRACT:
        a = c - y.a
        b = -y.b
    else:
        if y.ring & 1:
            return divided(c, 0, y.a, y.b, y.ring, left, right)
        a = c / y.a
        b = quotient_tangent(c, 0, y.a, y.b)
    if y.ring & 1 and unlikely(not finite(a, b)):
        return judged_floats(op, left, right, a, b, y.ring)
    return of_floats(a, b, y.ring)


# not inlined above, which keeps the quick path small
cdef object judged_floats(Op op, object x, object y, double a, double b, long long ring):
    return judged(SYMBOLS[op], (x, y), of_floats(a, b, ring))


cdef object divided(
    double a, double b, double c, double d, long long ring, object x, object y
):
    return raised(quotient_of_floats("/", a, b, c, d, ring, x, y))


cdef object combine_any(Op op, object x, object y):
    if isinstance(x, ndarray) or isinstance(y, ndarray):
        return elementwise(UFUNCS[op], x, y)
    left = x if type(x) is Dual else constant_beside(y, x)
    right = y if type(y) is Dual else constant_beside(x, y)
    if left is NotImplemented or right is NotImplemented:
        return NotImplemented
    require_mixing(left, right)
    cdef bint checked = is_checked(left) or is_checked(right)
    if op == DIVIDE and checked:
        return raised(quotient_of_any("/", left, right, None))
    result = in_ring(op, unchecked(left), unchecked(right))
    return judged(SYMBOLS[op], (x, y), marked(result, True)) if checked else result


cdef object in_ring(Op op, object x, object y):
    # D1, over any ring; None is the tangent of a constant
    cdef long long level = max(level_of(x), level_of(y))
    a, b = pair_at(x, level)
    c, d = pair_at(y, level)
    if op == ADD:
        value = a + c
        tangent = b if d is None else d if b is None else b + d
    elif op == SUBTRACT:
        value = a - c
        tangent = b if d is None else -d if b is None else b - d
    elif op == MULTIPLY:
        value = a * c
        tangent = b * c if d is None else a * d if b is None else a * d + b * c
    elif isinstance(primal(c), float):
        value = float_quotient(a, c)
        tangent = float_tangent(value, a, b, c, d)
    else:
        value = a / c
        tangent = numerator(a, b, c, d) / (c * c)
    return make(value, tangent, ring_of(level, False))


cdef object float_quotient(object x, object y):
    cdef double a, c
    if type(x) is Dual or type(y) is Dual:
        return x / y
    a = x
    c = y
    return a / c  # in C, where division by zero is no exception


cdef object float_tangent(object value, object a, object b, object c, object d):
    # of the quotient `value`, as D8 wants it: of C doubles, or in the ring of the components
    if isinstance(value, float):
        return quotient_tangent(a, or_zero(b), c, or_zero(d))
    return b / c if d is None else (-(value * d) if b is None else b - value * d) / c


cdef object numerator(object a, object b, object c, object d):
    return b * c if d is None else -(a * d) if b is None else b * c - a * d


cdef int require_mixing(object x, object y) except -1:
    """Raise unless two operands are over one type, and none is of a derivative that has ended."""
    if level_of(x) != level_of(y):
        require_alive(x)
        require_alive(y)
    x, y = primal(x), primal(y)
    if type(x) is not type(y):
        components.require_mixing(x, y)
    return 0


cdef object judged(str operation, tuple operands, Dual result):
    """Return a checked result; raise OVERFLOW if it is not finite though all operands are."""
    if is_finite(result) or not all_finite(operands):
        return result
    raise refusals.out_of_range(operation, operands, not_finite(result))


cdef str not_finite(object x):
    # the path to the first component that is not finite, outermost first
    names = []
    while type(x) is Dual:
        value, tangent = pair(x)
        in_value = not is_finite(value)
        names.append("value" if in_value else "tangent")
        x = value if in_value else tangent
    return ".".join(names)
