"""Rebuild the datasets of the archive from their generators, or check that they are as generated.

    python data/rebuild_datasets.py [--check] [DATASET ...]

A dataset has its generator in `data/delve/data/DATASET/Source/generate.py`, a module with one function
`make_files()` that returns the texts of the dataset's files by their names; the datasets of the simulated
families have theirs in `generators/families.py`. See `REBUILD.md`.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

HERE = Path(__file__).resolve().parent
DATASETS = HERE / "delve" / "data"
for place in (str(HERE), str(HERE.parent)):
    if place not in sys.path:
        sys.path.insert(0, place)  # for the package `generators` beside this file, and a tree not installed

from generators.bundled import MissingPackageError  # noqa: E402
from generators.families import array_text, family_files  # noqa: E402

from delvecore.simulators import FAMILIES, SIMULATORS  # noqa: E402

# Written by hand: prose, and the generators themselves.
HANDWRITTEN = ("Summary", "Source/Notes", "Source/Contributor", "Source/generate.py")


def generated_files(dataset: str, datasets: Path = DATASETS) -> dict[str, bytes]:
    """Return the contents of all files that a dataset's generator makes, by name; nothing is written.

    A family stands for its task-array.
    """
    if dataset in FAMILIES:
        files = {"Array.spec": array_text(dataset)}
    elif dataset in SIMULATORS:
        files = family_files(dataset)
    else:
        source = datasets / dataset / "Source" / "generate.py"
        files = run_path(str(source))["make_files"]()
    return {name: text.encode("ascii") for name, text in sorted(files.items())}


def differences(dataset: str, made: dict[str, bytes], datasets: Path = DATASETS) -> Iterator[str]:
    """Say, a line each, where the files of a dataset differ from what its generator made."""
    directory = datasets / dataset
    for name, content in made.items():
        path = directory / name
        if not path.is_file():
            yield f"{dataset}/{name}: is missing"
        elif path.read_bytes() != content:
            yield f"{dataset}/{name}: differs from what is generated"
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_file() and name not in made and not _is_handwritten(name):
            yield f"{dataset}/{name}: is neither generated nor documentation"


def write_files(dataset: str, made: dict[str, bytes], datasets: Path = DATASETS) -> None:
    """Write what a generator made, in place of what is there."""
    for name, content in made.items():
        path = datasets / dataset / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def main(arguments: list[str] | None = None) -> int:
    """Rebuild or check; the exit status is 1 when a check found a difference or a package is missing."""
    options = _parse(arguments)
    try:
        for dataset in options.datasets:
            made = generated_files(dataset)
            if options.check:
                options.found += differences(dataset, made)
            else:
                write_files(dataset, made)
                print(f"{dataset}: {len(made)} files, {sum(map(len, made.values()))} bytes")
    except MissingPackageError as error:
        options.found.append(f"{dataset}: {error}")
    print(*options.found, sep="\n", end="\n" if options.found else "", file=sys.stderr)
    return 1 if options.found else 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Rebuild the datasets of the archive from their generators.")
    parser.add_argument("datasets", nargs="*", metavar="DATASET", help="all, when none is named")
    parser.add_argument("--check", action="store_true", help="compare byte for byte, write nothing")
    parser.set_defaults(found=[])
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.datasets) - set(all_datasets()))
    if unknown:
        parser.error(f"no generator for {' '.join(unknown)}; there are {' '.join(all_datasets())}")
    options.datasets = options.datasets or all_datasets()
    return options


def all_datasets() -> list[str]:
    """The names of the datasets that have a generator, and of the task-arrays."""
    bundled = [path.parents[1].name for path in DATASETS.glob("*/Source/generate.py")]
    return sorted([*bundled, *SIMULATORS, *FAMILIES])


def _is_handwritten(name: str) -> bool:
    return name in HANDWRITTEN or (name.count("/") == 1 and name.endswith("/Summary"))


if __name__ == "__main__":
    sys.exit(main())
