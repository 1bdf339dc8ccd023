#!/usr/bin/env -S uv run --script

# /// script
# dependencies = ["nox>=2024.3.2"]
# ///

"""Tasks: ``nox`` runs lint, types, import rules and tests; ``nox -l`` lists all of them."""

import nox

nox.needs_version = ">=2024.3.2"
nox.options.default_venv_backend = "venv"


@nox.session(default=True)
def lint(session: nox.Session) -> None:
    session.install("ruff==0.14.*", "cython-lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("cython-lint", "src")


@nox.session(default=True)
def types(session: nox.Session) -> None:
    session.install(".[lint,test]")
    session.run("mypy")


@nox.session(default=True)
def imports(session: nox.Session) -> None:
    session.install(".[lint]")
    session.run("lint-imports")


@nox.session(python=["3.11", "3.12", "3.13"], default=True)
def tests(session: nox.Session) -> None:
    session.install(".[test]")
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session(default=False)
def strict(session: nox.Session) -> None:
    """Build with every compiler and Cython warning an error."""
    session.install("setuptools>=77", "Cython>=3.1", "numpy>=2.0")
    session.run(
        "python",
        "setup.py",
        "build_ext",
        "--force",
        env={"LUNAFLOW_STRICT": "1"},
    )


@nox.session(default=False)
def fuzz(session: nox.Session) -> None:
    session.install(".[test]")
    options = session.posargs or ["kernels", "--cases", "1000000"]
    session.run("python", "-m", "tests.fuzz", *options)


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    session.install(".[docs]")
    session.run("sphinx-build", "-W", "--keep-going", "-b", "html", "docs", "docs/_build/html")


@nox.session(default=False)
def build(session: nox.Session) -> None:
    session.install("build")
    session.run("python", "-m", "build")


@nox.session(default=False)
def sanitize(session: nox.Session) -> None:
    """Test the compiled modules under the address and undefined-behaviour sanitizers."""
    session.install(".[test]")
    session.run("bash", ".ci/sanitize", "python", *session.posargs, external=True)


@nox.session(default=False)
def threads(session: nox.Session) -> None:
    """Test the compiled modules under the thread sanitizer; needs clang and its OpenMP runtime."""
    session.install(".[test]")
    session.run("bash", ".ci/threads", "python", *session.posargs, external=True)


@nox.session(default=False)
def report_in_browser(session: nox.Session) -> None:
    """Check a report in an installed Chromium: accessibility, width, requests, screenshots."""
    session.install(".[experiment]", "axe-playwright-python")
    given = session.posargs or [session.create_tmp()]
    session.run("python", ".ci/report_in_browser.py", *given)


@nox.session(default=False, venv_backend="none")
def wheel(session: nox.Session) -> None:
    """Make the manylinux wheel of this Python, and test it where there is no compiler."""
    session.run("bash", ".ci/wheel", *session.posargs, external=True)


if __name__ == "__main__":
    nox.main()
