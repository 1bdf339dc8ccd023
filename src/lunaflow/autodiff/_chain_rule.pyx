"""The chain rule for functions that know no duals, one epsilon after the other, outermost first."""

from lunaflow.autodiff._dual cimport (
    Dual, constant_beside, is_finite, make, not_finite, of_floats, ring_of,
)

import numpy as np

from lunaflow._arguments import reject_type
from lunaflow.arithmetic._failures import failed
from lunaflow.autodiff import _refusals as refusals
from lunaflow.autodiff import _rule_failures as failures
from lunaflow.autodiff._components import Fallen, kind_of


def chain(rule, tuple args):
    """Return what the rule says of arguments of which at least one is a Dual.

    Raises
    ------
    ArithmeticError
        If an argument obeys the checked rules, and value or slope do not exist.
    """
    cdef bint checked = False
    for x in args:
        checked |= type(x) is Dual and (<Dual> x).ring & 1
    judging = checked and all([is_finite_number(primal(x)) for x in args])
    result = along(rule, tuple([unchecked(x) for x in args]), judging)
    if type(result) is Fallen:
        raise failed(rule.operation, args, result.failure, result.path).error
    if not checked:
        return result
    if not is_finite(result) and all([is_finite_number(x) for x in args]):
        raise refusals.out_of_range(rule.operation, args, not_finite(result))
    (<Dual> result).ring |= 1
    return result


cdef bint is_finite_number(object x):
    # an argument that is no number is an option, which makes nothing infinite
    return is_finite(x) if type(x) is Dual or kind_of(x) is not None else True


cdef object along(object rule, tuple args, bint judging):
    # the value with its tangents in the unchecked ring, or Fallen
    cdef long long level = 0
    cdef Dual highest = None
    for x in args:
        if type(x) is Dual and (<Dual> x).ring >> 1 > level:
            level = (<Dual> x).ring >> 1
            highest = x
    values = tuple([part(x, level, 0) for x in args])
    value = below(rule, highest, values, judging)
    if type(value) is Fallen:
        return value.within("value")
    tangent = slope_along(rule, highest, values, [part(x, level, 1) for x in args], judging)
    return tangent if type(tangent) is Fallen else make(value, tangent, ring_of(level, False))


cdef object below(object rule, Dual highest, tuple values, bint judging):
    # what the function is in the ring of the components of `highest`
    for x in values:
        if type(x) is Dual:
            return along(rule, values, judging)
    value = number_of("value", rule, highest, rule.function(*values))
    return failures.of_value(value) if judging and not is_finite(value) else value


cdef object slope_along(
    object rule, Dual highest, tuple values, list tangents, bint judging
):
    slopes = rule.slopes(values)
    total = None
    for slope, tangent in zip(slopes, tangents):
        if tangent is None:
            continue
        slope = number_of("slope", rule, highest, slope)
        if judging and not is_finite(slope):
            return failures.of_slope(first_not_finite(slope), not_finite(slope)).within("tangent")
        term = slope * tangent
        total = term if total is None else total + term
    return total


cdef object number_of(str what, object rule, Dual highest, object x):
    # a plain number in the type that the components have, or a dual of theirs
    if type(x) is Dual:
        return unchecked(x)
    if isinstance(x, np.ndarray) and x.ndim == 0:
        x = x[()]
    number = constant_beside(highest, x)
    if number is NotImplemented:
        raise reject_type(f"a {what} of {rule.operation}", x, "a real number")
    return number


cdef object part(object x, long long level, int which):
    # value or tangent by the epsilon of that level; other numbers are constants, without a tangent
    cdef Dual d
    if type(x) is not Dual or (<Dual> x).ring >> 1 != level:
        return None if which else x
    d = x
    if d.parts is None:
        return d.b if which else d.a
    return d.parts[which]


cdef object unchecked(object x):
    cdef Dual copy
    if type(x) is not Dual or not (<Dual> x).ring & 1:
        return x
    copy = of_floats((<Dual> x).a, (<Dual> x).b, (<Dual> x).ring ^ 1)
    copy.parts = (<Dual> x).parts
    return copy


cdef object primal(object x):
    while type(x) is Dual:
        x = x.value
    return x


cdef object first_not_finite(object x):
    while type(x) is Dual:
        x = x.value if not is_finite(x.value) else x.tangent
    return x
