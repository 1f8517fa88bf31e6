"""Describe the prototasks of the shipped archive for `delve like`, or check that the file is of its data.

    python data/build_descriptions.py
    python data/build_descriptions.py --check

The file `data/descriptions.json` is part of the wheel. Making it takes some minutes. See `docs/like.md`.
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # for a source tree that is not installed

import delvecore  # noqa: E402
from delvecore.readers.hierarchy import Hierarchy  # noqa: E402
from delvecore.runner.data_description import SHIPPED_FILE, descriptions_text  # noqa: E402

ARCHIVE = HERE / "delve"
FILE = HERE / SHIPPED_FILE


def main() -> int:
    """Make or check the file; return 1 if it is not that of the data."""
    parser = argparse.ArgumentParser(
        prog="python data/build_descriptions.py", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the file differs")
    is_check = parser.parse_args().check
    tasks = delvecore.open(ARCHIVE).index.methods_on
    text = descriptions_text(
        Hierarchy([str(ARCHIVE)]), sorted({(one.dataset, one.prototask) for one in tasks})
    )
    if not is_check:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{FILE}: expected the descriptions of {ARCHIVE}, found others")
    return 1


if __name__ == "__main__":
    sys.exit(main())
