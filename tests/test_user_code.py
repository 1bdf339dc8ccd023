"""The place in a person's code that an error can name."""

import inspect
from pathlib import Path
from typing import Any

from lunaflow._user_code import user_location


def line_of_caller() -> int:
    frame: Any = inspect.currentframe()
    return int(frame.f_back.f_lineno)


def test_the_nearest_frame_outside_of_the_package_is_named() -> None:
    found, line = user_location(), line_of_caller()
    assert found == f"{Path(__file__)}:{line}"


def test_frames_inside_of_the_package_are_passed_over() -> None:
    inside: dict[str, Any] = {"__name__": "lunaflow.runtime._run", "user_location": user_location}
    exec("def run(): return user_location()", inside)
    found, line = inside["run"](), line_of_caller()
    assert found == f"{Path(__file__)}:{line}"


def test_a_package_whose_name_only_begins_alike_is_the_users() -> None:
    outside: dict[str, Any] = {"__name__": "lunaflowers", "user_location": user_location}
    exec(compile("def run(): return user_location()", "theirs.py", "exec"), outside)
    assert outside["run"]() == "theirs.py:1"
