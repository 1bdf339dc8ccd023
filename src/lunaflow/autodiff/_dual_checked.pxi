# Division and square root that say why there is no result or no derivative of it.


def div_checked(x, y, ctx=None):
    """Divide duals, or say why there is no quotient or no derivative of it.

    (a + b eps)/(c + d eps) exists where a/c does and (b c - a d)/c**2 does, each by the checked
    division of their type; the value is tried first. Over floats c*c may underflow to 0, which
    fails although a/c exists. Finite floats give a finite quotient, or OVERFLOW.

    Parameters
    ----------
    x, y : Dual, or a number that mixes with it
        Dividend and divisor. Without a Dual this is `lunaflow.arithmetic.div_checked`.
    ctx : ArithmeticContext, optional
        Goes unchanged to the operations of the components' type.

    Returns
    -------
    Ok or Err
        The quotient, equal to ``x / y``, or an `ArithmeticError` whose `component` says what
        failed: ``"value"`` or ``"tangent"``, of nested duals a path such as ``"tangent.value"``.

    Raises
    ------
    TypeError
        If an operand is no number, or the types do not mix.
    """
    cdef Dual u, v
    if type(x) is Dual and type(y) is Dual and ctx is None:
        u = x
        v = y
        if u.parts is None and v.parts is None and u.ring == v.ring:
            return as_result(quotient_of_floats("div_checked", u.a, u.b, v.a, v.b, u.ring, x, y))
    if type(x) is not Dual and type(y) is not Dual:
        return scalar_div_checked(x, y, ctx)
    components.require_context(ctx)
    try:
        left = x if type(x) is Dual else constant_beside(y, x)
        right = y if type(y) is Dual else constant_beside(x, y)
    except OverflowError as error:
        return refusals.too_large("div_checked", (x, y), error)
    if left is NotImplemented or right is NotImplemented or is_bool(x) or is_bool(y):
        raise refusals.no_mix("div_checked", x, y)
    require_mixing(left, right)
    return as_result(quotient_of_any("div_checked", left, right, ctx))


def sqrt_checked(x, ctx=None):
    """Take the square root of a dual, or say why it or its derivative does not exist.

    The root of a + b eps exists where that of a does and b/(2 sqrt(a)) does, each by the checked
    operations of their type: over floats for a > 0, not at 0, whatever b is.

    Parameters
    ----------
    x : Dual, or another number
        Without a Dual this is `lunaflow.arithmetic.sqrt_checked`.
    ctx : ArithmeticContext, optional
        Goes unchanged to the operations of the components' type.

    Returns
    -------
    Ok or Err
        The root, or an `ArithmeticError`, as for `div_checked`.

    Raises
    ------
    TypeError
        If `x` is no number.
    """
    if type(x) is not Dual:
        return scalar_sqrt_checked(x, ctx)
    components.require_context(ctx)
    return as_result(root("sqrt_checked", x, ctx))


cdef inline object as_result(object outcome):
    return outcome if isinstance(outcome, Err) else make_ok(outcome)


cdef object raised(object outcome):
    if type(outcome) is Dual:
        return outcome
    raise (<Err> outcome).error


cdef object quotient_of_floats(
    str operation, double a, double b, double c, double d, long long ring, object x, object y
):
    # a Dual or an Err, as in the functions below
    cdef double tangent
    cdef bint in_tangent
    cdef Fault fault = quotient_fault(a, b, c, d, &tangent, &in_tangent)
    if fault == OK:
        return of_floats(a / c, tangent, ring)
    return failed(operation, (x, y), FLOAT_FAULTS[fault], "tangent" if in_tangent else "value")


cdef object quotient_of_any(str operation, object x, object y, object ctx):
    cdef bint checked = is_checked(x) or is_checked(y)
    with components.working_context(primal(x if type(x) is Dual else y), ctx):
        outcome = quotient(unchecked(x), unchecked(y), ctx)
    return concluded(operation, (x, y), outcome, checked)


cdef object root(str operation, Dual x, object ctx):
    """Return the checked square root as a Dual, or an Err."""
    cdef Fault fault
    if x.parts is None:
        fault = root_fault(x.a)
        if fault != OK:
            return failed(operation, (x,), FLOAT_FAULTS[fault], "value")
        fault = division_fault(x.b, 2 * c_sqrt(x.a))
        if fault != OK:
            return failed(operation, (x,), FLOAT_FAULTS[fault], "tangent")
        return of_floats(c_sqrt(x.a), x.b / (2 * c_sqrt(x.a)), x.ring)
    with components.working_context(primal(x), ctx):
        outcome = square_root(unchecked(x), ctx)
    return concluded(operation, (x,), outcome, is_checked(x))


cdef object concluded(str operation, tuple operands, object outcome, bint checked):
    # what the recursion below found, told to the caller
    if type(outcome) is Fallen:
        return failed(operation, operands, outcome.failure, outcome.path)
    if checked and not is_finite(outcome) and all_finite(operands):
        return failed(operation, operands, OUT_OF_RANGE_FAILURE, not_finite(outcome))
    return marked(outcome, checked)


cdef object quotient(object x, object y, object ctx):
    # D4 at any depth: the quotient in T[eps], or Fallen
    cdef long long level = max(level_of(x), level_of(y))
    if level == 0:
        return outcome_of(scalar_div_checked(x, y, ctx))
    a, b = pair_at(x, level)
    c, d = pair_at(y, level)
    value = quotient(a, c, ctx)
    if type(value) is Fallen:
        return value.within("value")
    floats = isinstance(primal(value), float)
    # a constant among floats has the tangent 0, as it has in two C doubles
    tested = or_zero(b) * c - a * or_zero(d) if floats else numerator(a, b, c, d)
    tangent = quotient(tested, c * c, ctx)
    if type(tangent) is Fallen:
        return tangent.within("tangent")
    if floats:
        tangent = float_tangent(value, a, b, c, d)
    return in_range(make(value, tangent, ring_of(level, False)), x, y)


cdef object square_root(object x, object ctx):
    # D6 at any depth
    if type(x) is not Dual:
        return outcome_of(scalar_sqrt_checked(x, ctx))
    a, b = pair(x)
    value = square_root(a, ctx)
    if type(value) is Fallen:
        return value.within("value")
    tangent = quotient(b, 2 * value, ctx)
    if type(tangent) is Fallen:
        return tangent.within("tangent")
    return in_range(make(value, tangent, ring_of(level_of(x), False)), x, 0)


cdef object in_range(Dual result, object x, object y):
    # D7: finite floats have a finite result, or none
    if not isinstance(primal(result), float) or is_finite(result):
        return result
    if not (is_finite(x) and is_finite(y)):
        return result
    return Fallen(not_finite(result), OUT_OF_RANGE_FAILURE)


cdef object outcome_of(object result):
    if isinstance(result, Err):
        error = (<Err> result).error
        return Fallen(error.component or "", Failure(error.kind, error.message, error.__cause__))
    return result.value
