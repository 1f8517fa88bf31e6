"""Make the tables that ship with the archive, or check that they are those of its files.

    python data/build_tables.py
    python data/build_tables.py --check

They are in `data/tables`, not in the wheel. --check reads the whole archive anew, as making does; a test
checks the digest alone. See `REBUILD.md`.
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # for a source tree that is not installed

import delvecore  # noqa: E402
from delvecore.archive.shipped import FOLDER, SHIPPED, read_shipped, write_shipped  # noqa: E402
from delvecore.cache import FORM  # noqa: E402
from delvecore.tables import Tables  # noqa: E402

ARCHIVE = HERE / "delve"
TABLES = HERE / FOLDER


def tables_of(root: Path) -> Tables:
    """Read a delve directory anew."""
    return delvecore.open(root, verify=True)._stored


def main() -> int:
    """Make or check the tables; return 1 if some are not those of the files."""
    parser = argparse.ArgumentParser(
        prog="python data/build_tables.py", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; name tables that differ")
    is_check, tables, status = parser.parse_args().check, tables_of(ARCHIVE), 0
    if not is_check:
        write_shipped(tables, str(ARCHIVE), str(TABLES), FORM)
        return 0
    kept = read_shipped(str(TABLES), str(ARCHIVE))
    for name in SHIPPED:
        if not tables[name].equals(kept[name]):
            print(f"{TABLES}/{name}.arrow: expected the table of {ARCHIVE}, found another one")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
