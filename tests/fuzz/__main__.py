"""Long random runs: ``python -m tests.fuzz kernels --cases 1000000``."""

import argparse

from tests.fuzz import autodiff, forks, kernels, resume

FUZZERS = {
    "autodiff": autodiff.fuzz,
    "forks": forks.fuzz,
    "kernels": kernels.fuzz,
    "resume": resume.fuzz,
}


def main() -> None:
    """Run one fuzzer and report how many cases agreed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("what", choices=sorted(FUZZERS))
    parser.add_argument("--cases", type=int, default=100_000, help="how many random cases")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same cases")
    given = parser.parse_args()
    print(FUZZERS[given.what](given.cases, given.seed))


if __name__ == "__main__":
    main()
