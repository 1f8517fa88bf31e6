"""Rebuild the results of the registered methods that ship with the archive, or check a sample of them.

    python data/rebuild_results.py [--again] [METHOD ...]
    python data/rebuild_results.py --check [--whole] [METHOD ...]

Every method runs on every task that it can be applied to. Without --again, complete instances are left as
they are. --check runs the methods again on the smallest task of each prototask (--whole: on every task) in a
temporary directory and compares the contents of all files. See `REBUILD.md`.
"""

import argparse
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))  # for a source tree that is not installed

from delvecore.runner.threads import compute_in_one_thread, usable_cores  # noqa: E402

compute_in_one_thread()  # before NumPy is imported

from delvecore.errors import DelveError  # noqa: E402
from delvecore.methods import METHODS, load_method  # noqa: E402
from delvecore.readers.files import plain_name, read_bytes  # noqa: E402
from delvecore.readers.hierarchy import Hierarchy  # noqa: E402
from delvecore.runner.choice import Chosen, choose_tasks  # noqa: E402
from delvecore.runner.runs import Step, plan_run, run_methods  # noqa: E402

ARCHIVE = HERE / "delve"
CODE = HERE.parent / "delvecore" / "methods"


def all_tasks(archive: Path = ARCHIVE) -> Chosen:
    """Every task of the archive."""
    return choose_tasks(Hierarchy([str(archive)]), [()])


def smallest_tasks(chosen: Chosen) -> Chosen:
    """The task with the smallest training sets of each prototask."""
    sizes = {}
    for specified in chosen.tasks:
        prototask = specified[1].path
        if prototask not in sizes or specified[3].training_size < sizes[prototask][3].training_size:
            sizes[prototask] = specified
    return Chosen(tuple(sizes.values()), chosen.faults)


def run(
    name: str, chosen: Chosen, into: Path, *, again: bool, workers: int = 1, notify=lambda step: None
) -> list[str]:
    """Run one method on tasks, in several processes; return what failed, a line each."""
    hierarchy, method = Hierarchy([str(ARCHIVE)]), load_method(name)
    planned = plan_run(hierarchy, method, chosen, str(into), again=again, compress=True)
    return [f"{name}: {failure}" for failure in run_methods([planned], workers=workers, notify=notify)]


def copy_code(name: str, archive: Path = ARCHIVE) -> None:
    """Write the modules that define a method into its `Source` directory, compressed, otherwise unchanged."""
    target = archive / "methods" / name / "Source"
    target.mkdir(parents=True, exist_ok=True)
    for module in METHODS[name].modules:
        code = (CODE / f"{module}.py").read_bytes()
        (target / f"{module}.py.gz").write_bytes(gzip.compress(code, mtime=0))


def code_differences(name: str, archive: Path = ARCHIVE) -> Iterator[str]:
    """Say, a line each, which copies of a method's modules are not what runs, or stand for nothing."""
    source = archive / "methods" / name / "Source"
    wanted = {f"{module}.py" for module in METHODS[name].modules}
    for file in sorted(wanted):
        path = source / f"{file}.gz"
        if not path.is_file() or read_bytes(str(path)) != (CODE / file).read_bytes():
            yield f"{name}/Source/{file}: is not a copy of delvecore/methods/{file}"
    for path in sorted(source.glob("*.py*")):
        if plain_name(path.name) not in wanted or path.suffix != ".gz":
            yield f"{name}/Source/{path.name}: belongs to no module of the method"


def task_files(directory: Path) -> dict[str, bytes]:
    """The contents of the files of a task directory, decompressed, by plain name, without the costs."""
    found = sorted(directory.iterdir()) if directory.is_dir() else []
    paths = [path for path in found if path.name != "Costs"]
    return {plain_name(path.name): read_bytes(str(path)) for path in paths}


def result_differences(name: str, made: Path, archive: Path = ARCHIVE) -> Iterator[str]:
    """Say, a line each, where the archive's results of a method differ from those made below `made`."""
    for directory in sorted(path for path in (made / "methods" / name).glob("*/*/*") if path.is_dir()):
        place = directory.relative_to(made / "methods")
        new, old = task_files(directory), task_files(archive / "methods" / place)
        for file in sorted(new.keys() | old.keys()):
            if new.get(file) != old.get(file):
                yield f"{place}/{file}: {_difference(new.get(file), old.get(file))}"


def _difference(new: bytes | None, old: bytes | None) -> str:
    if old is None:
        return "is missing"
    if new is None:
        return "is not made"
    pairs = zip(new.splitlines(), old.splitlines(), strict=False)
    lines = [number for number, pair in enumerate(pairs, start=1) if pair[0] != pair[1]]
    return f"differs in {len(lines)} lines, first in line {lines[0]}" if lines else "differs in length"


def check(name: str, chosen: Chosen) -> list[str]:
    """Return what is wrong with a method's results on these tasks, and with the copies of its code."""
    with TemporaryDirectory(prefix="delve-check-") as made:
        failures = run(name, chosen, Path(made), again=True)
        return [*code_differences(name), *failures, *result_differences(name, Path(made))]


def main(arguments: list[str] | None = None) -> int:
    """Rebuild or check; the exit status is 1 when an instance failed or a check found a difference."""
    options = _parse(arguments)
    chosen, found = all_tasks(), []
    if options.check and not options.whole:
        chosen = smallest_tasks(chosen)
    try:
        for name in options.methods or METHODS:
            if options.check:
                found += check(name, chosen)
            else:
                copy_code(name)
                found += run(
                    name,
                    chosen,
                    ARCHIVE,
                    again=options.again,
                    workers=options.workers,
                    notify=_Log(name),
                )
    except DelveError as error:
        found.append(f"{name}: {error}")
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


class _Log:
    """Prints a line a task: how far the method is, and how long it learned on each instance."""

    def __init__(self, name: str):
        self.name, self.path, self.seconds = name, "", []

    def __call__(self, step: Step) -> None:
        if step.path != self.path:
            self.path, self.seconds = step.path, []
        self.seconds.append(step.seconds)
        mean = sum(self.seconds) / len(self.seconds)
        print(f"{step.share:5.1%} {self.name}{step.path} instance {step.instance}: {mean:.3f} s", flush=True)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Rebuild the results of methods, or check a sample of them.")
    parser.add_argument("methods", nargs="*", metavar="METHOD", help="all, when none is named")
    parser.add_argument("--again", action="store_true", help="run complete instances too")
    parser.add_argument(
        "--workers", type=int, default=usable_cores(), metavar="COUNT", help="processes (default: all cores)"
    )
    parser.add_argument("--check", action="store_true", help="compare what is made again, write nothing")
    parser.add_argument("--whole", action="store_true", help="with --check: every task, not a sample")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.methods) - set(METHODS))
    if unknown:
        parser.error(f"no method {' '.join(unknown)}; there are {' '.join(METHODS)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
