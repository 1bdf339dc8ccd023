"""The facade lunaflow.autodiff.checked, and generic code that runs on numbers and duals alike."""

import importlib
import subprocess
import sys
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, Protocol, Self, TypeVar

import pytest

import lunaflow.autodiff as autodiff
from lunaflow import arithmetic
from lunaflow.arithmetic import Ok
from lunaflow.autodiff import checked
from lunaflow.autodiff.checked import (
    ArithmeticContext,
    ArithmeticError,
    ArithmeticErrorKind,
    DivChecked,
    Dual,
    SqrtChecked,
    div_checked,
    sqrt_checked,
)


class Number(DivChecked, SqrtChecked, Protocol):
    """What the generic function below asks of a type."""

    def __add__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...


T = TypeVar("T", bound=Number)


def harmonic_root(x: T, y: T, ctx: ArithmeticContext | None = None) -> Any:
    """Return sqrt(x y / (x + y)), written against the protocols."""
    return (x * y).div_checked(x + y, ctx).and_then(lambda ratio: ratio.sqrt_checked(ctx))


def harmonic_root_of_any(x: Any, y: Any) -> Any:
    """Return the same of plain numbers too."""
    return div_checked(x * y, x + y).and_then(sqrt_checked)


def test_the_facade_has_exactly_the_design_names_and_no_copies() -> None:
    from_arithmetic = {
        "ArithmeticContext",
        "ArithmeticError",
        "ArithmeticErrorKind",
        "DivChecked",
        "RoundingMode",
        "SqrtChecked",
    }
    assert set(checked.__all__) == from_arithmetic | {"Dual", "div_checked", "sqrt_checked"}
    # pytest adds names with @ to modules of a distribution that has a plugin for it
    public = {name for name in vars(checked) if name[0] not in "_@"}
    assert public == set(checked.__all__)
    for name in from_arithmetic:
        assert getattr(checked, name) is getattr(arithmetic, name)
    assert checked.Dual is autodiff.Dual


def test_the_package_has_the_design_names() -> None:
    assert set(autodiff.__all__) == {
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
    }
    for name in autodiff.__all__:
        assert getattr(autodiff, name).__doc__


def test_a_dual_fits_the_protocols_of_division_and_root_alone() -> None:
    x = Dual(2.0, 1.0)
    assert isinstance(x, DivChecked)
    assert isinstance(x, SqrtChecked)
    for protocol in (arithmetic.CompareChecked, arithmetic.PowIntChecked, arithmetic.ParseChecked):
        assert not isinstance(x, protocol)


def test_generic_code_runs_on_duals_of_any_depth_and_type() -> None:
    flat = harmonic_root(Dual(3.0, 1.0), Dual(6.0, 0.0)).unwrap()
    deep = harmonic_root(Dual(Dual(3.0, 1.0), Dual(1.0, 0.0)), Dual(Dual(6.0, 0.0), 0)).unwrap()
    exact = harmonic_root(Dual(Fraction(4), Fraction(1)), Dual(Fraction(4, 3), 0)).unwrap()
    assert flat.value == deep.value.value == harmonic_root_of_any(3.0, 6.0).unwrap()
    assert flat.tangent == deep.value.tangent == deep.tangent.value
    assert exact.identical(Dual(Fraction(1), Fraction(1, 32)))
    context = ArithmeticContext(8)
    decimal = harmonic_root(Dual(Decimal(3), Decimal(1)), Dual(Decimal(6), 0), context).unwrap()
    assert decimal.value == Decimal("1.4142136")
    assert harmonic_root_of_any(Decimal(4), Decimal(4)) == Ok(Decimal(2).sqrt(Context(prec=34)))
    failed = harmonic_root(Dual(0.0, 1.0), Dual(1.0, 0.0)).error
    assert isinstance(failed, ArithmeticError)
    assert failed.kind is ArithmeticErrorKind.DIVISION_BY_ZERO


def test_checkers_know_the_types() -> None:
    x: Dual[float] = Dual(2, 1.0)
    y: Dual[Fraction] = Dual(Fraction(1), 0) * 2 + Fraction(1, 2)
    z: Dual[Dual[float]] = Dual(x, x) * x / 3
    value: float = (x + 1.5 - x * 2 / 3).value
    tangent: Fraction = y.tangent
    assert value == 3.5 - 4 / 3
    assert tangent == Fraction(0)
    assert z.value.value == 4.0 / 3.0
    assert x.div_checked(x).unwrap().value == 1.0


@pytest.mark.parametrize("module", ["lunaflow", "lunaflow.arithmetic"])
def test_the_rest_of_the_package_does_not_load_autodiff(module: str) -> None:
    code = f"import sys, {module}; print([m for m in sys.modules if 'autodiff' in m])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


def test_submodules_are_reached_from_the_package() -> None:
    for name in ("checked", "elementary"):
        assert getattr(autodiff, name) is importlib.import_module(f"lunaflow.autodiff.{name}")
