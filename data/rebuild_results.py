"""Rebuild the results of the registered methods that ship with the archive, or check a sample of them.

    python data/rebuild_results.py [--again] [METHOD ...]
    python data/rebuild_results.py --check [--whole] [METHOD ...]

Every method runs on every task that it can be applied to. Most results are kept as predictions in archive
files, one for each method and task-array; they are run below `build/results`, which git ignores, and packed
at the end. Without --again, archive files that hold every task, and complete instances, are left as they
are. --check runs the methods again on the smallest task of each prototask (--whole: on every task) in a
temporary directory and compares the contents of all files. See `REBUILD.md`.
"""

import argparse
import gzip
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))  # for a source tree that is not installed

from delvecore.parallel.processes import compute_in_one_thread, usable_cores  # noqa: E402

compute_in_one_thread()  # before NumPy is imported

from delvecore.errors import DelveError  # noqa: E402
from delvecore.methods import METHODS, SHIPPED, load_method  # noqa: E402
from delvecore.methods.protocol import TaskView  # noqa: E402
from delvecore.packaging.pack import pack_predictions  # noqa: E402
from delvecore.progress import Progress  # noqa: E402
from delvecore.readers.files import plain_name, read_bytes  # noqa: E402
from delvecore.readers.hierarchy import Hierarchy  # noqa: E402
from delvecore.runner.choice import Specified, choose_tasks  # noqa: E402
from delvecore.runner.runs import plan_run, run_methods  # noqa: E402
from delvecore.simulators import SIMULATORS  # noqa: E402

ARCHIVE = HERE / "delve"
WORK = HERE.parent / "build" / "results"
CODE = HERE.parent / "delvecore" / "methods"
IN_PLAIN_FILES = ("base-1", "lin-1", "knn-cv-1", "gp-1", "rf-1")
"""Methods whose results on the small datasets are kept as plain files, losses included."""
SMALL, FURTHER = "small", "further"
GENERATED = ("clinic", "harbour", "orchard")
"""Datasets whose results are kept in the archive files `FURTHER`, with those of priors other than `std`."""


def all_tasks(archive: Path = ARCHIVE) -> Sequence[Specified]:
    """Return every task of the archive. Raises DelveError for a task that cannot be read."""
    tasks, faults = choose_tasks(Hierarchy([str(archive)]), [()])
    if faults:
        raise DelveError(faults[0])
    return tasks


def smallest_tasks(tasks: Sequence[Specified]) -> Sequence[Specified]:
    """Return the task with the smallest training sets of each prototask."""
    sizes = {}
    for specified in tasks:
        prototask = specified[1].path
        if prototask not in sizes or specified[3].training_size < sizes[prototask][3].training_size:
            sizes[prototask] = specified
    return tuple(sizes.values())


def group_of(name: str, dataset: str, task: str) -> str:
    """Return which archive file of a method has its results on a task: "" where they are plain files."""
    if dataset in SIMULATORS:
        return dataset.partition("-")[0]
    if dataset in GENERATED or not task.startswith("std."):
        return FURTHER
    return "" if name in IN_PLAIN_FILES else SMALL


def in_groups(name: str, tasks: Sequence[Specified]) -> dict[str, list[Specified]]:
    """Return the tasks that a method can do, by the place of its results; see `group_of`."""
    method, groups = load_method(name), {}
    for specified in tasks:
        if method.can(TaskView(*specified)) is None:
            task = specified[3]
            groups.setdefault(group_of(name, task.dataset, task.name), []).append(specified)
    return groups


def packed_path(name: str, group: str) -> Path:
    """The archive file with a method's results on a group of datasets."""
    return ARCHIVE / "methods" / f"{name}-{group}.tar.gz"


def work_of(group: str) -> Path:
    """The delve directory in which the results of a group are run: no two groups share one."""
    return WORK / group / "delve"


def is_packed(name: str, group: str, tasks: Sequence[Specified]) -> bool:
    """Does the archive file of a group hold every task?"""
    if not packed_path(name, group).is_file():
        return False
    kept = Hierarchy([str(ARCHIVE)])
    return all(kept.directories("methods", name, *task.path[1:].split("/")) for *_, task in tasks)


def pack(name: str, group: str, tasks: Sequence[Specified]) -> None:
    """Write the archive file of a group from results below `work`: all but encoded data and losses."""
    datasets = {task.dataset for *_, task in tasks}
    pack_predictions(Hierarchy([str(work_of(group))]), name, datasets, str(packed_path(name, group)))


def rebuild(name: str, tasks: Sequence[Specified], *, again: bool, workers: int) -> list[str]:
    """Bring all results of a method up to date; return what failed, a line each: then nothing is packed."""
    failures, bar = [], Progress(sys.stdout)
    for group, members in in_groups(name, tasks).items():
        if group and is_packed(name, group, members) and not again:
            continue
        into = work_of(group) if group else ARCHIVE
        (into / "data").mkdir(parents=True, exist_ok=True)
        failed = run(name, members, into, again=again, workers=workers, compress=not group, bar=bar)
        if group and not failed:
            pack(name, group, members)
        failures += failed
    return failures


def run(
    name: str,
    tasks: Sequence[Specified],
    into: Path,
    *,
    again: bool,
    workers: int = 1,
    compress=True,
    bar: Progress | None = None,
) -> list[str]:
    """Run one method on tasks, in several processes; return what failed, a line each."""
    hierarchy, method = Hierarchy([str(ARCHIVE)]), load_method(name)
    planned = plan_run(hierarchy, method, tasks, str(into), again=again, compress=compress)
    return [f"{name}: {failure}" for failure in run_methods([planned], workers=workers, bar=bar)]


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


def task_files(hierarchy: Hierarchy, *names: str) -> dict[str, bytes]:
    """The contents of the files of a task directory, decompressed, by plain name, without the costs."""
    found = hierarchy.files("methods", *names)
    return {name: read_bytes(path) for name, path in sorted(found.items()) if name != "Costs"}


def result_differences(name: str, made: Path, archive: Path = ARCHIVE) -> Iterator[str]:
    """Say, a line each, where the archive's results of a method differ from those made below `made`.

    Losses are compared where the archive keeps any; otherwise they are made from the predictions.
    """
    new_ones, old_ones = Hierarchy([str(made)]), Hierarchy([str(archive)])
    for directory in sorted(path for path in (made / "methods" / name).glob("*/*/*") if path.is_dir()):
        names = directory.relative_to(made / "methods").parts
        new, old = task_files(new_ones, *names), task_files(old_ones, *names)
        if group_of(name, names[1], names[3]):
            new = {file: text for file, text in new.items() if not file.startswith("loss.")}
        for file in sorted(new.keys() | old.keys()):
            if new.get(file) != old.get(file):
                yield f"{'/'.join(names)}/{file}: {_difference(new.get(file), old.get(file))}"


def _difference(new: bytes | None, old: bytes | None) -> str:
    if old is None:
        return "is missing"
    if new is None:
        return "is not made"
    pairs = zip(new.splitlines(), old.splitlines(), strict=False)
    lines = [number for number, pair in enumerate(pairs, start=1) if pair[0] != pair[1]]
    return f"differs in {len(lines)} lines, first in line {lines[0]}" if lines else "differs in length"


def check(name: str, tasks: Sequence[Specified]) -> list[str]:
    """Return what is wrong with a method's results on these tasks, and with the copies of its code."""
    with TemporaryDirectory(prefix="delve-check-") as made:
        failures = run(name, tasks, Path(made), again=True)
        return [*code_differences(name), *failures, *result_differences(name, Path(made))]


def main(arguments: list[str] | None = None) -> int:
    """Rebuild or check; the exit status is 1 when an instance failed or a check found a difference."""
    options, found, name = _parse(arguments), [], "tasks"
    try:
        tasks = all_tasks()
        if options.check and not options.whole:
            tasks = smallest_tasks(tasks)
        for name in options.methods or SHIPPED:
            if options.check:
                found += check(name, tasks)
            else:
                copy_code(name)
                found += rebuild(name, tasks, again=options.again, workers=options.workers)
    except DelveError as error:
        found.append(f"{name}: {error}")
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


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
    unknown = sorted(set(options.methods) - set(SHIPPED))
    if unknown:
        parser.error(f"no method {' '.join(unknown)}; there are {' '.join(SHIPPED)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
