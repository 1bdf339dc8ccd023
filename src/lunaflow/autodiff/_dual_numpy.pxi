# What NumPy asks of duals: its scalars and arrays beside them, and its functions on them.


cdef object constant_beside(Dual d, object x):
    """Return a plain number in the type that mixes with `d`, or NotImplemented."""
    return components.constant(x, primal(d))


cdef object apply_ufunc(object ufunc, str method, tuple inputs, dict options):
    cdef int op
    if method == "__call__" and not options:
        if len(inputs) == 2 and any_array(inputs):
            inputs = (scalar_of(inputs[0]), scalar_of(inputs[1]))
        if len(inputs) == 2 and not any_array(inputs):
            for op in range(4):
                if ufunc is UFUNCS[op]:
                    return combine_scalars(<Op> op, inputs[0], inputs[1])
            for op in range(6):
                if ufunc is ORDERS[op]:
                    return compare_scalars(op, inputs[0], inputs[1])
        function = elementary_named(ufunc.__name__)
        if function is not None:
            return function(*inputs)
    for target in options.get("out", ()):
        if target is not None and target.dtype.kind not in "Ob":
            raise refusals.storing(target.dtype)
    operands = [np.asarray(x, dtype=object) if type(x) is Dual else x for x in inputs]
    return getattr(ufunc, method)(*operands, **options)


cdef object compare_scalars(int order, object x, object y):
    # NumPy's scalars leave comparisons with what they do not know to this
    if type(x) is not Dual:
        return compare_scalars(MIRRORED[order], y, x)
    result = compare(x, y, order)
    if result is not NotImplemented:
        return result
    if order == Py_EQ or order == Py_NE:
        return order == Py_NE
    raise refusals.no_mix(ORDER_SYMBOLS[order], x, y)


cdef inline bint any_array(tuple inputs):
    return isinstance(inputs[0], ndarray) or isinstance(inputs[1], ndarray)


cdef inline object scalar_of(object x):
    # NumPy makes arrays without dimensions of some of its scalars
    return x[()] if isinstance(x, ndarray) and x.ndim == 0 else x


cdef object combine_scalars(Op op, object x, object y):
    result = combine(op, x, y)
    if result is NotImplemented:
        raise refusals.no_mix(SYMBOLS[op], x, y)
    return result


cdef object elementwise(object ufunc, object x, object y):
    """Apply a NumPy function to object arrays, of which one operand is or becomes an element."""
    return ufunc(np.asanyarray(x, dtype=object), np.asanyarray(y, dtype=object))
