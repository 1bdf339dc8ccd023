"""A stored field that is missing, unknown or wrong is named, with its place in the file."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from lunaflow.policy import load

STORED = json.loads((Path(__file__).parents[1] / "data" / "policies_version_1.json").read_text())
PLACES = {(e["operation"], e["element_type"]): i for i, e in enumerate(STORED["policies"])}
PIECEWISE = ("policies", PLACES["sum", "i32"], "policy")
LOOKUP = ("policies", PLACES["sort", "f64"], "policy")
PARETO = ("policies", PLACES["fit", "f64"], "policy")
FALLBACK = ("policies", PLACES["scan", "i32"], "policy")
REGION = (*PIECEWISE, "regions", 0)


def message(tmp_path: Path, stored: Any) -> str:
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(stored))
    with pytest.raises(ValueError, match=r"changed\.json: ") as caught:
        load(path)
    return str(caught.value)


def container(stored: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        stored = stored[name]
    return stored


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("format",), "lunaflow-plan", "format must be 'lunaflow-policy-set'"),
        (("version",), 2, "version must be 1, not 2"),
        (("version",), 1.0, "version must be 1, not 1.0"),
        (("extra",), 1, "the file has the unknown field 'extra'"),
        (("policies",), {}, "policies: expected a list"),
        (("policies", 0), 3, "policies: [0]: the entry must be an object"),
        (("policies", 0, "operation"), None, "[0]: operation must be a string, not None"),
        (("policies", 1), STORED["policies"][0], "[1]: the policy of"),
        (("environment",), [], "environment: expected an object"),
        (("environment", "isa"), {"$": "hex"}, "environment: isa: a damaged tagged value"),
        ((*PIECEWISE, "kind"), "best", "kind must be one of global, fallback"),
        ((*PIECEWISE, "kind"), ["global"], "kind must be one of"),
        ((*PIECEWISE, "regions"), [], "piecewise: regions must hold at least one"),
        ((*PIECEWISE, "undecided"), 3, "piecewise: expected a list, not 3"),
        ((*PIECEWISE, "undecided"), ["x"], "piecewise: a member of undecided must be"),
        ((*REGION, "lower"), True, "lower must be a real number"),
        ((*REGION, "lower"), 2000, "lower must be at most upper"),
        ((*REGION, "lower"), {"$": "int", "text": "1e3"}, "lower: a damaged tagged value"),
        ((*REGION, "lower"), {"hex": "1"}, "lower must be an int, a float or a Fraction"),
        ((*REGION, "lower"), {"$": "float", "text": "nan"}, "lower must be a number, not NaN"),
        ((*REGION, "lower"), {"$": "fraction", "items": [1, 0]}, "a fraction must be of two"),
        ((*REGION, "lower"), {"$": "fraction", "items": [1, 2], "x": 1}, "a damaged tagged"),
        ((*REGION, "choice"), None, "choice must be a str"),
        ((*REGION, "evidence_ids"), [1.5], "evidence_ids must be an integer"),
        ((*LOOKUP, "pairs"), [[1, "a"], [1, "b"]], "lookup: keys must be unique"),
        ((*LOOKUP, "pairs"), [[1]], "lookup: a member of pairs must be a pair"),
        ((*PARETO, "points"), [{"choice": "a"}], "pareto: the point lacks the field 'objectives'"),
        ((*FALLBACK, "reason"), 3, "fallback: reason must be a str"),
        ((*FALLBACK, "because"), 3, "the fallback policy has the unknown field 'because'"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, path: tuple[Any, ...], value: Any, words: str
) -> None:
    stored = copy.deepcopy(STORED)
    container(stored, path[:-1])[path[-1]] = value
    assert words in message(tmp_path, stored)


@pytest.mark.parametrize(
    "path", [(), ("policies", 0), PIECEWISE, REGION, LOOKUP, PARETO, FALLBACK], ids=str
)
def test_what_is_missing_is_named(tmp_path: Path, path: tuple[Any, ...]) -> None:
    for name in container(STORED, path):
        stored = copy.deepcopy(STORED)
        del container(stored, path)[name]
        assert name in message(tmp_path, stored)


def test_a_number_beyond_every_float_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(STORED).replace("0.5", "1e999"))
    with pytest.raises(ValueError, match="beyond the range of a float"):
        load(path)
