"""M8: who may change an input is said once, and what contradicts it is refused."""

import inspect
import pickle
import re
from typing import Any

import pytest

from lunaflow.experiment import Experiment, Fixture, SetupPolicy
from lunaflow.experiment._fingerprint import fingerprint


def generate(size: int, rng: Any) -> Any:
    return list(range(size))


def test_an_immutable_fixture_shares_its_inputs() -> None:
    fixture = Fixture.immutable(generate)
    assert fixture.setup_policy is SetupPolicy.SHARED
    assert fixture.fingerprint is fingerprint
    assert fixture.hidden_from_workers == ()
    assert Fixture.immutable(generate, str).fingerprint("x") == "x"
    assert pickle.loads(pickle.dumps(fixture)) == fixture
    assert hash(fixture) == hash(Fixture.immutable(generate))


def test_others_make_a_copy_for_each_call() -> None:
    fixture = Fixture(generate, list, tuple, list.clear)
    assert fixture.setup_policy is SetupPolicy.EACH_CALL
    assert fixture.hidden_from_workers == ("clone", "prepare", "reset")


def test_what_is_reset_before_each_call_is_for_each_call() -> None:
    with pytest.raises(ValueError, match=r"reset is called before each call.*not EACH_BLOCK"):
        Fixture(generate, reset=list.clear, setup_policy=SetupPolicy.EACH_BLOCK)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"materialize": 3}, "materialize must be callable"),
        ({"clone": 3}, "clone must be callable"),
        ({"prepare": "x"}, "prepare must be callable"),
        ({"reset": []}, "reset must be callable"),
        ({"setup_policy": "shared"}, "setup_policy must be a SetupPolicy"),
        ({"fingerprint": None}, "fingerprint must be callable"),
    ],
)
def test_wrong_types_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Fixture(**{"materialize": generate, **changed})


@pytest.mark.parametrize(
    ("make", "signature"),
    [(lambda n: 3, "make(n)"), (lambda: 3, "make()"), (lambda *, n, rng: n, "make(")],
)
def test_a_function_that_cannot_be_called_with_size_and_generator_is_refused(
    make: Any, signature: str
) -> None:
    message = "make is called as make(size, rng), with an int and a numpy.random.Generator"
    with pytest.raises(TypeError, match=re.escape(message)) as caught:
        Experiment("e", {"f": len}, sizes=[1], make=make)
    assert f"which {signature}" in str(caught.value)
    with pytest.raises(TypeError, match=r"materialize is called as materialize\(size, rng\)"):
        Fixture(make)


def test_functions_that_do_not_say_what_they_take_and_those_that_take_more_are_accepted() -> None:
    with pytest.raises(ValueError, match="no signature found"):
        inspect.signature(max)
    for make in (max, generate, lambda *given: given, lambda n, rng, more=0: n):
        assert Fixture(make).materialize is make
