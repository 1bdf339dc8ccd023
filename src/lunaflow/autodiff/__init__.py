"""Derivatives of Python code, or the error that says where there is none: dual numbers."""

from lunaflow._compiled import not_built

try:
    from lunaflow.autodiff import checked as checked
    from lunaflow.autodiff import elementary as elementary
    from lunaflow.autodiff._check_gradient import GradientCheck, check_gradient
    from lunaflow.autodiff._define_rule import define_rule
    from lunaflow.autodiff._derivative import derivative, value_and_derivative
    from lunaflow.autodiff._drivers import (
        gradient,
        hessian,
        jacobian,
        jvp,
        value_and_gradient,
        value_and_jacobian,
        value_and_jvp,
    )
    from lunaflow.autodiff._dual import Dual, primal
except ModuleNotFoundError as missing:
    raise not_built(missing) from missing

__all__ = [
    "Dual",
    "GradientCheck",
    "check_gradient",
    "define_rule",
    "derivative",
    "gradient",
    "hessian",
    "jacobian",
    "jvp",
    "primal",
    "value_and_derivative",
    "value_and_gradient",
    "value_and_jacobian",
    "value_and_jvp",
]
