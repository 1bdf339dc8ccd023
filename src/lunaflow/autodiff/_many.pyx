"""Functions of many numbers, or of the parts of one: lengths, exact sums, mantissas."""

import math

from lunaflow.autodiff._dual cimport (
    Dual, constant_beside, is_checked, is_finite, level_of, make, marked, not_finite, pair_at,
    primal, require_mixing, ring_of, unchecked,
)
from lunaflow.autodiff._ring cimport functions, lacks_slope, refuse, unsupported

import numpy as np

from lunaflow.autodiff import _plain as plain
from lunaflow.autodiff import _refusals as refusals
from lunaflow.autodiff import _rules as rules
from lunaflow.autodiff import _slopes as slopes
from lunaflow.autodiff._values import Unsupported

cdef object LENGTH = rules.LENGTH
cdef object MANTISSA = rules.MANTISSA
cdef object INTEGER_PART = rules.UNARY["trunc"]


cdef bint has_dual(list numbers):
    for x in numbers:
        if type(x) is Dual:
            return True
    return False


cdef object computed(str name, object function, list operands, tuple shown, object rule):
    """Return a function of operands of which one is a dual, under the rules that they obey."""
    model = next(x for x in operands if type(x) is Dual)
    numbers = [x if type(x) is Dual else constant_beside(model, x) for x in operands]
    for x, number in zip(operands, numbers, strict=True):
        if number is NotImplemented:
            raise refusals.no_mix(name, model, x)
        require_mixing(model, number)
    cdef bint checked = any([is_checked(x) for x in numbers])
    if checked and rule is not None:
        refuse(name, rule, tuple(numbers))
    try:
        result = function([unchecked(x) for x in numbers])
    except Unsupported as reason:
        raise unsupported(name, shown, reason, checked) from None
    if checked and not is_finite(result) and all([is_finite(x) for x in numbers]):
        raise refusals.out_of_range(name, shown, not_finite(result))
    return marked(result, checked)


cdef long long highest_level(list numbers):
    return max([level_of(x) for x in numbers])


cdef int require_floats(str name, list numbers) except -1:
    kinds = plain.kinds_of(numbers) - {float}
    if kinds:
        raise Unsupported(f"{next(iter(kinds)).__name__} has no {name}")
    return 0


cdef int require_plain_floats(str name, list numbers) except -1:
    try:
        require_floats(name, numbers)
    except Unsupported as reason:
        raise plain.unsupported(name, numbers, reason) from None
    return 0


def hypot_of_many(coordinates):
    """Return the distance of a point with any number of coordinates from the origin."""
    if any([plain.is_array(x) for x in coordinates]):
        return hypot_of_arrays(coordinates)
    if has_dual(coordinates):
        return computed("hypot", length, coordinates, tuple(coordinates), LENGTH)
    require_plain_floats("hypot", coordinates)
    return math.hypot(*coordinates)


cdef object hypot_of_arrays(list coordinates):
    plain.refuse_masks("hypot", coordinates)
    lengths = plain.elementwise(lambda *numbers: hypot_of_many(list(numbers)), coordinates)
    if any([plain.holds_objects(np.asarray(x)) for x in coordinates]):
        return lengths
    return np.asarray(lengths, dtype=float)[()]


def length(coordinates):
    # in the ring of the coordinates
    cdef long long level = highest_level(coordinates)
    if level == 0:
        require_floats("hypot", coordinates)
        return math.hypot(*coordinates)
    pairs = [pair_at(x, level) for x in coordinates]
    points = [a for a, _ in pairs]
    distance = length(points)
    moving = [(a, b) for a, b in pairs if b is not None]
    if lacks_slope(LENGTH.breaks, distance, tuple([primal(a) for a in points])):
        return make(distance, slopes.undefined(moving[0][1]), ring_of(level, False))
    if highest_level(points) == 0:
        tangent = length_tangent(points, moving)
    else:
        tangent = sum([slopes.share(functions, a, distance) * b for a, b in moving])
    return make(distance, tangent, ring_of(level, False))


cdef object length_tangent(list points, list moving):
    # scaled, since a length that is subnormal has few digits
    cdef int twos = math.frexp(max(map(abs, points)))[1]
    if not -1000 < twos < 1000:
        points = [math.ldexp(a, -twos) for a in points]
        moving = [(math.ldexp(a, -twos), b) for a, b in moving]
    distance = math.hypot(*points)
    return exact_sum([slopes.share(functions, a, distance) * b for a, b in moving])


def dist(p, q, /):
    """Return the distance of two points, given as sequences of coordinates."""
    p, q = list(p), list(q)
    if not has_dual(p) and not has_dual(q):
        require_plain_floats("dist", [*p, *q])
        return math.dist(p, q)
    if len(p) != len(q):
        raise ValueError(
            f"both points must have the same number of dimensions, not {len(p)} and {len(q)}"
        )
    return hypot_of_many([x - y for x, y in zip(p, q, strict=True)])


def fsum(numbers, /):
    """Return the sum of an iterable, rounded once."""
    numbers = list(numbers)
    if has_dual(numbers):
        return computed("fsum", total, numbers, (numbers,), None)
    require_plain_floats("fsum", numbers)
    return math.fsum(numbers)


def total(numbers):
    # in the ring of the numbers
    cdef long long level = highest_level(numbers)
    if level == 0:
        require_floats("fsum", numbers)
        return exact_sum(numbers)
    pairs = [pair_at(x, level) for x in numbers]
    tangents = [b for _, b in pairs if b is not None]
    return make(total([a for a, _ in pairs]), total(tangents), ring_of(level, False))


cdef double exact_sum(list numbers) except? -1:
    try:
        return math.fsum(numbers)
    except (OverflowError, ValueError):
        return sum(numbers)


def sumprod(p, q, /):
    """Return the sum of the products of two sequences, rounded once over floats."""
    p, q = list(p), list(q)
    if not has_dual(p) and not has_dual(q):
        return math.sumprod(p, q)
    if len(p) != len(q):
        raise ValueError(f"sumprod takes sequences of one length, not of {len(p)} and {len(q)}")
    return computed("sumprod", product, [*p, *q], (p, q), None)


def product(numbers):
    # in the ring of the numbers, of which the second half are the other sequence
    cdef long long level = highest_level(numbers)
    cdef Py_ssize_t n = len(numbers) // 2
    if level == 0:
        return math.sumprod(numbers[:n], numbers[n:])
    pairs = [pair_at(x, level) for x in numbers]
    values = [a for a, _ in pairs]
    others = values[n:] + values[:n]
    moving = [(b, c) for (_, b), c in zip(pairs, others, strict=True) if b is not None]
    tangent = product([b for b, _ in moving] + [c for _, c in moving])
    return make(product(values), tangent, ring_of(level, False))


def fma(x, y, z, /):
    """Return x*y + z, rounded once over floats."""
    if not has_dual([x, y, z]):
        require_plain_floats("fma", [x, y, z])
        return math.fma(x, y, z)
    return computed("fma", fused, [x, y, z], (x, y, z), None)


def fused(numbers):
    # in the ring of the numbers
    cdef long long level = highest_level(numbers)
    if level == 0:
        require_floats("fma", numbers)
        x, y, z = numbers
        return fused_floats(x, y, z)
    (a, b), (c, d), (e, tangent) = [pair_at(x, level) for x in numbers]
    for factor, moving in ((a, d), (c, b)):
        if moving is not None:
            tangent = factor * moving if tangent is None else fused([factor, moving, tangent])
    return make(fused([a, c, e]), tangent, ring_of(level, False))


cdef object fused_floats(double x, double y, double z):
    try:
        return math.fma(x, y, z)
    except (OverflowError, ValueError):
        return x * y + z


def ldexp(x, i, /):
    """Return x * 2**i."""
    if plain.is_array(x) or plain.is_array(i):
        return np.ldexp(x, i)
    if type(i) is Dual:
        raise refusals.exponent(i)
    if type(x) is Dual:
        return computed("ldexp", lambda numbers: scaled(numbers[0], i), [x], (x, i), None)
    require_plain_floats("ldexp", [x])
    return math.ldexp(x, i)


cdef object scaled(object x, object twos):
    # in the ring of x
    if type(x) is Dual:
        a, b = pair_at(x, level_of(x))
        return make(scaled(a, twos), scaled(b, twos), (<Dual> x).ring)
    require_floats("ldexp", [x])
    try:
        return math.ldexp(x, twos)
    except OverflowError:
        return math.copysign(math.inf, x)


def frexp(x, /):
    """Return the mantissa m, 0 or of size in [0.5, 1), and the int e of x = m * 2**e."""
    if plain.is_array(x):
        return np.frexp(x)
    if type(x) is not Dual:
        require_plain_floats("frexp", [x])
        return math.frexp(x)
    return computed("frexp", lambda numbers: mantissa(numbers[0]), [x], (x,), MANTISSA), (
        math.frexp(primal(x))[1]
    )


cdef object mantissa(Dual x):
    # in the ring of x
    number = primal(x)
    require_floats("frexp", [number])
    a, b = pair_at(scaled(x, -math.frexp(number)[1]), level_of(x))
    if lacks_slope(MANTISSA.breaks, number, (number,)):
        b = slopes.undefined(b)
    return make(a, b, x.ring)


def modf(x, /):
    """Return the fractional and the integer part of x, both with the sign of x."""
    if plain.is_array(x):
        return np.modf(x)
    if type(x) is not Dual:
        require_plain_floats("modf", [x])
        return math.modf(x)
    return tuple([
        computed("modf", lambda numbers: part(numbers[0], which), [x], (x,), INTEGER_PART)
        for which in (0, 1)
    ])


cdef object part(object x, int which):
    # in the ring of x
    if type(x) is not Dual:
        require_floats("modf", [x])
        return math.modf(x)[which]
    a, b = pair_at(x, level_of(x))
    value = part(a, which)
    if lacks_slope(INTEGER_PART.breaks, primal(a), (primal(a),)):
        b = slopes.undefined(b)
    return make(value, 0 * b if which else b, (<Dual> x).ring)
