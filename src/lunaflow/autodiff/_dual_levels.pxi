# Whose epsilon a dual holds: derivatives begin and end, and what they made is taken apart.


cdef long long new_level():
    """Return the level of a new epsilon, higher than all before; a derivative begins."""
    global last_level
    last_level += FIRST_TAG
    running.add(last_level)
    return last_level


cdef int end_level(long long level) except -1:
    """Let the derivative of that level have ended: its duals are refused by others from now on."""
    running.discard(level)
    return 0


cdef bint is_alive(object x):
    # a dual made by hand belongs to what it was made over
    cdef long long tag = level_of(x) // FIRST_TAG * FIRST_TAG
    return tag == 0 or tag in running


cdef int require_alive(object x) except -1:
    if not is_alive(x):
        raise refusals.outlived(x)
    return 0


def seed(value, tangent, level, checked):
    """Make the dual that a derivative starts from, of the given level."""
    return make(
        unchecked(value), unchecked(tangent),
        ring_of(level, checked or is_checked(value) or is_checked(tangent)),
    )


def fresh_level():
    """Return the level of a new epsilon, higher than all before; a derivative begins."""
    return new_level()


def finish(level):
    """Let the derivative of that level have ended: its duals are refused by others from now on."""
    end_level(level)


def split(x, level):
    """Return what `x` is in the ring of that level: value and tangent, None for a constant.

    Raises
    ------
    ValueError
        If `x` holds an epsilon of another, later derivative, from which it escaped.
    """
    cdef long long own = level
    cdef long long above = level_of(x)
    if above < own:
        require_alive(x)
        return released(x), None
    if above == own:
        return released(component(x, 0)), released(component(x, 1))
    if above >= own + FIRST_TAG:
        raise refusals.escaped(x)
    # made by hand in the function, over duals of this level
    value, value_tangent = split(component(x, 0), level)
    tangent, tangent_tangent = split(component(x, 1), level)
    if value_tangent is None and tangent_tangent is None:
        return Dual(value, tangent), None
    return Dual(value, tangent), Dual(
        zero_like(value) if value_tangent is None else value_tangent,
        zero_like(tangent) if tangent_tangent is None else tangent_tangent,
    )


cdef object released(object x):
    # a dual made by hand is not checked any more once no derivative runs
    return unchecked(x) if level_of(x) < FIRST_TAG else x
