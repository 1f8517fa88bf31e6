"""What is wrong with a part of an archive: a dataset, a method's documentation, or its results on a dataset.
A process of its own may check one part after the other."""

from delvecore.checks.datasets import check_documentation, dataset_problems
from delvecore.checks.methods import method_problems
from delvecore.errors import DelveError, Problem
from delvecore.parallel.processes import be_nice
from delvecore.readers.hierarchy import Hierarchy


def part_problems(
    hierarchy: Hierarchy, method: str | None, dataset: str | None, *, niceness: int = 0
) -> tuple[Problem, ...]:
    """Return what `dcheck` and `mcheck` find in a dataset (method None), in a method's documentation (dataset
    None), or in its results on a dataset. niceness: see `be_nice`."""
    be_nice(niceness)
    try:
        if method is None:
            return tuple(dataset_problems(hierarchy, dataset or ""))
        if dataset is not None:
            return tuple(method_problems(hierarchy, method, dataset))
    except DelveError:
        return ()  # what lies there without a directory or specification: reading the archive has reported it
    problems: list[Problem] = []
    tolerant = hierarchy.reporting(lambda error: None)
    check_documentation(tolerant, method, report=lambda error: problems.append(error.problem))
    return tuple(problems)
