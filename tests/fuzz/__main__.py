"""Long random runs: ``python -m tests.fuzz kernels --cases 1000000``."""

import argparse
from importlib import import_module

FUZZERS = ("autodiff", "forks", "kernels", "resume")


def main() -> None:
    """Run one fuzzer and report how many cases agreed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("what", choices=FUZZERS)
    parser.add_argument("--cases", type=int, default=100_000, help="how many random cases")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same cases")
    given = parser.parse_args()
    # one fuzzer needs nothing of what the others import
    print(import_module(f"tests.fuzz.{given.what}").fuzz(given.cases, given.seed))


if __name__ == "__main__":
    main()
