"""Do two versions of the program say the same? Every Arrow table, and what every command prints.

    python benchmarks/agreement.py record TREE ARCHIVE FILE    # once for each version
    python benchmarks/agreement.py compare BEFORE AFTER        # two such files

TREE: a directory that holds `delvecore`; ARCHIVE: a delve directory, the same for both. `compare` prints each
difference, and a line that counts them; its exit status is 1 where there are any.
"""

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

TABLES = """
import hashlib, json, sys
import delvecore
from delvecore.tables import SCHEMAS
archive = delvecore.open()
names = [*SCHEMAS, "comparisons"]
found = {}
for name in names:
    table = getattr(archive, name).combine_chunks()
    for column in table.column_names:
        text = json.dumps(table[column].to_pylist(), default=str)
        found[f"{name}.{column}"] = [table.num_rows, hashlib.sha256(text.encode()).hexdigest()]
print(json.dumps(found))
"""
SHOWN = 12
PLACES = (
    "/",
    "/demo",
    "/demo/age",
    "/demo/age/std.128",
    "/titanic/survived",
    "/wine",
    "/kin-8fm/dist/std.64",
)
METHOD_PLACES = ("/", "/lin-1", "/lin-1/demo", "/knn-cv-1/demo/age/std.128", "/gp-1/kin-8nm/dist/std.256")
FORMATS = {
    **{
        f"delve array {array} --table {table} --format": "text csv latex"
        for array in ("kin", "bank")
        for table in ("estimates", "winners", "differences", "effects", "slopes", "costs")
    },
    "delve rank --format": "text json csv latex",
    "delve rank /demo /titanic --format": "text json csv latex",
    "delve table /demo --loss S --format": "text latex markdown html typst csv",
    "delve table /kin-8fm /kin-8nm --loss S --reference lin-1 --format": "text latex markdown html typst csv",
    "delve measures lin-1 /titanic --format": "text csv json",
    "mtable /demo -f": "text csv latex html markdown",
    "mtable -l S -r lin-1 /demo/age -f": "text csv latex html markdown",
}


def commands() -> Iterator[list[str]]:
    """Every command that prints what it finds, with each of its formats and options once at least."""
    classic = (
        "dcheck",
        "dgenorder",
        "dgenproto",
        "dinfo",
        "dls",
        "dmore",
        "mcheck",
        "mgendata",
        "mgendir",
        "minfo",
    )
    for name in (*classic, "mloss", "mls", "mmore", "mstats", "mtable"):
        yield from ([name, "-h"], [name, "-v"], [name, "-Y"])
    for place in PLACES:
        yield from (["dinfo", *options, place] for options in ([], ["-a"], ["-t"], ["-q"], ["-at"]))
        yield ["dls", place]
    for place in METHOD_PLACES:
        yield from (["minfo", *options, place] for options in ([], ["-a"], ["-t"], ["-q"]))
        yield ["mls", place]
    yield from (
        ["dcheck", "/demo"],
        ["dcheck", "/titanic/survived"],
        ["mcheck", "/lin-1/demo"],
        ["dmore", "/demo/Summary"],
    )
    for place in ("/lin-1/demo/age/std.128", "/knn-cv-1/demo", "/rf-1/wine/cultivar"):
        yield from (
            ["mstats", *options, place]
            for options in ([], ["-l", "S"], ["-c", "base-1"], ["-c", "base-1 gp-1"])
        )
    yield from sub_commands()


def sub_commands() -> Iterator[list[str]]:
    """The commands of `delve`, and `mtable`, in all their formats."""
    names = "array build check dashboard install measures pack rank run table"
    yield from (["delve", name, "--help"] for name in names.split())
    yield from (["delve", "--help"], ["delve", "--version"], ["delve", "nothing"], ["delve", "array"])
    for line, forms in FORMATS.items():
        yield from ([*line.split(), form] for form in forms.split())


def environment(tree: Path, archive: Path) -> dict[str, str]:
    names = {"PYTHONPATH": str(tree), "DELVE_PATH": str(archive), "COLUMNS": "80", "PAGER": "cat"}
    return {**os.environ, **names}


def output(tree: Path, archive: Path, words: list[str], place: str) -> str:
    """What a command prints, with its errors and its exit status."""
    code = [sys.executable, "-m", f"delvecore.cli.{words[0]}", *words[1:]]
    done = subprocess.run(
        code, env=environment(tree, archive), cwd=place, capture_output=True, text=True, check=False
    )
    return f"{done.stdout}\n--- {done.stderr}\n--- exit {done.returncode}\n".replace(str(tree), "TREE")


def tables(tree: Path, archive: Path, place: str) -> dict[str, list]:
    """Rows and digest of each column of each table."""
    code = [sys.executable, "-c", TABLES]
    done = subprocess.run(
        code, env=environment(tree, archive), cwd=place, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def record(tree: Path, archive: Path) -> dict[str, str]:
    """What each command prints, and the rows and digest of each column of each table."""
    with tempfile.TemporaryDirectory() as place:
        found = {" ".join(words): output(tree, archive, words, place) for words in commands()}
        columns = tables(tree, archive, place)
    return found | {f"table {name}": f"{rows} rows, {digest}" for name, (rows, digest) in columns.items()}


def differences(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """One text for each command or column that differs, with the first lines that do."""
    for name in dict.fromkeys([*before, *after]):
        old, new = (found.get(name, "").splitlines() for found in (before, after))
        if old != new:
            changed = list(difflib.unified_diff(old, new, "before", "after", n=0))[2:]
            yield "\n".join([f"$ {name}", *changed[:SHOWN]])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    actions = parser.add_subparsers(dest="action", required=True)
    recording, comparing = actions.add_parser("record"), actions.add_parser("compare")
    for name in ("tree", "archive", "file"):
        recording.add_argument(name, type=Path)
    for name in ("before", "after"):
        comparing.add_argument(name, type=Path)
    options = parser.parse_args()
    if options.action == "record":
        found = record(options.tree.resolve(), options.archive.resolve())
        options.file.write_text(json.dumps(found, indent=0), encoding="utf-8")
        return 0
    found = list(
        differences(
            *(json.loads(path.read_text(encoding="utf-8")) for path in (options.before, options.after))
        )
    )
    print("\n".join([*found, f"{len(found)} differences"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
