"""The rules in words: docstrings of the functions, and the table of the reference."""

from collections.abc import Mapping

from lunaflow.autodiff import _rules as rules
from lunaflow.autodiff._rules import Rule
from lunaflow.autodiff._troubles import FAILURES, Fails, Trouble
from lunaflow.autodiff._values import types_with

LOG_SIGNATURE = "(x, base=2.718281828459045, /)"

_ROUNDED = "Of a plain number it is an int, as in `math`; of an array or a Dual one of floats."
_MORE = {
    "floor": _ROUNDED,
    "ceil": _ROUNDED,
    "trunc": _ROUNDED,
    "log": "With a `base` it is log(x) / log(base), and the slopes are those of the quotient.",
    "hypot": "It takes any number of coordinates; the slope in each is itself over the distance.",
    "pow": "A plain number as exponent or base has no slope that could fail.",
    "maximum": "At a tie of equal tangents, or of plain numbers, it is the first argument.",
    "minimum": "At a tie of equal tangents, or of plain numbers, it is the first argument.",
}


def docstring(rule: Rule) -> str:
    """Return the docstring of the function, in NumPy's style."""
    name = public_name(rule)
    types = ["float", "int", *types_with(rule.name), "Dual", "array of them"]
    taken = f"{_arguments(name, rule)} : {', '.join(types[:-1])} or {types[-1]}"
    parts = [
        f"Return {rule.returns}.",
        *([_MORE[name]] if name in _MORE else ()),
        _section("Parameters", taken, f"Values: {rule.domain}."),
        _section("Returns", "of the type of the arguments", *_slopes(rule)),
        _section("Raises", "ArithmeticError", *_raised(rule)),
    ]
    return "\n\n".join(parts) + "\n"


def public_name(rule: Rule) -> str:
    """Return the name of the rule's function in `lunaflow.autodiff.elementary`."""
    return "pow" if rule.name == "power" else rule.name


def public_rules() -> list[Rule]:
    """Return the rules that users call, in the order of the reference."""
    return [*rules.UNARY.values(), *rules.BINARY.values(), *rules.CHOICES.values()]


def reference_table(worst: Mapping[str, str]) -> str:
    """Return the table of the rules, in Markdown, with what is known of their worst errors."""
    head = ("function", "NumPy", "values", "derivative", "fails at", "worst error")
    rows = [_row(rule, worst.get(public_name(rule), "")) for rule in public_rules()]
    table = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in table) + "\n"


def _arguments(name: str, rule: Rule) -> str:
    if name == "log":
        return "x, base"
    return "*coordinates" if name == "hypot" else ", ".join(rule.arguments)


def _section(title: str, entry: str, *lines: str) -> str:
    return "\n".join([title, "-" * len(title), entry, *(f"    {line}" for line in lines)])


def _slopes(rule: Rule) -> list[str]:
    if len(rule.derivatives) == 1:
        return [f"Its slope is {rule.derivatives[0]}."]
    pairs = zip(rule.arguments, rule.derivatives, strict=True)
    return [f"Its slope in {name} is {slope}." for name, slope in pairs]


def _raised(rule: Rule) -> list[str]:
    # two forms of a power share a fault
    found = dict.fromkeys(f"{kind_name(fault.trouble)} at {fault.where}," for fault in rule.fails)
    return [
        "Of a Dual under the checked rules:",
        *found,
        "OVERFLOW where finite numbers give none.",
    ]


def kind_name(trouble: Trouble) -> str:
    """Return the name of the kind of error that the trouble leads to."""
    return FAILURES[trouble][1].kind.name


def _row(rule: Rule, worst: str) -> tuple[str, ...]:
    call = f"`{public_name(rule)}({', '.join(rule.arguments)})`"
    numpy = f"`{rule.numpy}`" if rule.numpy else ""
    slopes = ", ".join(f"`{slope}`" for slope in rule.derivatives)
    fails = dict.fromkeys(_failure(fault) for fault in rule.fails)
    return call, numpy, _prose(rule.domain), slopes, "; ".join(fails), worst


def _failure(fault: Fails) -> str:
    component = FAILURES[fault.trouble][0]
    return _prose(f"{fault.where}: {kind_name(fault.trouble)} of the {component}")


def _prose(text: str) -> str:
    # what Markdown takes for emphasis
    return text.replace("*", r"\*").replace("_", r"\_")
