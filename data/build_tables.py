"""Make the tables that ship with the archive, or check that they are those of its files.

    python data/build_tables.py
    python data/build_tables.py --check

They lie in `data/tables`, and in `data/wheel_tables` for the part of the archive that is in the wheel of the
program. --check reads the whole archive anew, as making does; a test checks the digests alone. See
`REBUILD.md`.
"""

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]  # for a source tree that is not installed

from wheel_archive import copy_files, wheel_files  # noqa: E402

import delvecore  # noqa: E402
from delvecore.archive.reading import FORM  # noqa: E402
from delvecore.archive.shipped import MANIFEST, SHIPPED, read_shipped, write_shipped  # noqa: E402
from delvecore.readers.tree_digest import tree_digest  # noqa: E402
from delvecore.tables import Tables  # noqa: E402

ARCHIVE = HERE / "delve"
PLACES = ("tables", "wheel_tables")


def tables_of(root: Path) -> Tables:
    """Read a delve directory anew."""
    return delvecore.open(root, verify=True)._stored


def main() -> int:
    """Make or check the tables; return 1 if some are not those of the files."""
    parser = argparse.ArgumentParser(
        prog="python data/build_tables.py", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; name tables that differ")
    is_check, source, status = parser.parse_args().check, tree_digest(str(ARCHIVE)).digest, 0
    with TemporaryDirectory() as scratch:
        wheel = Path(scratch, "delve")
        copy_files(wheel_files(ARCHIVE, Path(scratch)), wheel)
        for root, place in zip((ARCHIVE, wheel), PLACES, strict=True):
            tables, folder = tables_of(root), HERE / place
            if not is_check:
                write_shipped(tables, str(root), str(folder), FORM)
                manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
                text = json.dumps(manifest | {"source": source}, indent=1) + "\n"
                (folder / MANIFEST).write_text(text, encoding="utf-8")
                continue
            kept = read_shipped(str(folder), str(root))
            for name in SHIPPED:
                if not tables[name].equals(kept[name]):
                    print(f"{folder}/{name}.arrow: expected the table of {root}, found another one")
                    status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
