"""Record the targets of simulated datasets, or check that they are as simulated.

    python data/record_targets.py [--check] [DATASET ...]

Without names all that are recorded. They lie in `delvecore/simulators/recorded`, as whole numbers of the last
decimal; which datasets have some is decided by naming them here once.
"""

import argparse
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for a tree not installed

from delvecore.simulators import SIMULATORS, record_path, simulated_cases


def whole_targets(name: str) -> np.ndarray:
    """Simulate a dataset anew; return its targets in units of their last decimal: uint32, one a case."""
    decimals = import_module(f"delvecore.simulators.{SIMULATORS[name]}").TARGET_DECIMALS
    return np.round(simulated_cases(name, anew=True)[:, -1] * 10.0**decimals).astype(np.uint32)


def main() -> int:
    """Write, or with --check compare and return 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; say what differs")
    parser.add_argument("names", nargs="*", metavar="DATASET", help="(default: all recorded ones)")
    options = parser.parse_args()
    status = 0
    for name in options.names or [name for name in SIMULATORS if Path(record_path(name)).is_file()]:
        targets, path = whole_targets(name), Path(record_path(name))
        if not options.check:
            path.parent.mkdir(exist_ok=True)
            np.save(path, targets)
        elif not path.is_file() or not np.array_equal(np.load(path), targets):
            print(f"{path}: not what is simulated")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
