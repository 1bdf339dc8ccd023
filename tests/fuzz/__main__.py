"""Long random runs: ``python -m tests.fuzz kernels --cases 1000000``."""

import argparse
import os
from importlib import import_module

# how many cases each runs unless told
FUZZERS = {"autodiff": 100_000, "forks": 200, "huge": 1, "kernels": 100_000, "resume": 50}


def main() -> None:
    """Run one fuzzer and report how many cases agreed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("what", choices=FUZZERS)
    parser.add_argument("--cases", type=int, help=f"how many random cases, else {FUZZERS}")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same cases")
    given = parser.parse_args()
    cases = FUZZERS[given.what] if given.cases is None else given.cases
    # helpers that spin between calls as small as these take a hundred times the work's time
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    # one fuzzer needs nothing of what the others import
    print(import_module(f"tests.fuzz.{given.what}").fuzz(cases, given.seed))


if __name__ == "__main__":
    main()
