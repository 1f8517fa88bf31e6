"""The loss files of a task, found by their names and read as rows of losses, one row a task instance.

Source: DELVE manual, sections 7.5 and 8.3 (names), 6.2 (instances).
"""

from collections.abc import Sequence

from delvecore.commands.frame.computed_losses import ComputedLosses, LossFiles, path_of
from delvecore.errors import ParseError
from delvecore.losses.spec import parse_loss
from delvecore.numerals.numbers import whole_number
from delvecore.readers.files import plain_name, read_text, two_copies
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import parse_losses, parse_test_set_stats

__all__ = ["find_losses", "read_losses", "read_standardizer"]

STATISTICS_FILE = "Test-set-stats"
REMEDY = "run mloss again"


def find_losses(hierarchy: Hierarchy, names: Sequence[str], base: str) -> dict[str, dict[int, str]]:
    """Return {loss: {instance: path}} of the files `base.LOSS.INSTANCE` of a method's task.

    A loss is a letter, or the name of a specialised loss such as `Z0.2N`, which may hold dots itself.

    The directories of the task are merged; ParseError for a file that lies in two of them.
    """
    found: dict[str, dict[int, str]] = {}
    for name, paths in hierarchy.entries("methods", *names).items():
        root, _, text = plain_name(name).rpartition(".")
        loss, instance = root.removeprefix(f"{base}."), whole_number(text)
        if loss == root or not parse_loss(loss) or instance is None:
            continue
        files = found.setdefault(loss, {})
        for path in paths:
            if instance in files:
                raise two_copies(files[instance], path)
            files[instance] = path
    return found


def read_losses(files: LossFiles, loss: str, sizes: Sequence[int] | None = None) -> list[list[float]]:
    """Return the rows of losses of instances 0 to n-1. files: {instance: path, or ComputedLosses}.

    sizes: of the test sets of all instances, where they may differ, else None.

    Raises ParseError for a gap in the numbers, an empty file, and files of different lengths.
    """
    last = max(files)
    for instance in range(last):
        if instance not in files:
            missing = _sibling(path_of(files[last]), last, instance)
            expected = f"a loss file of each instance from 0 to {last}"
            raise ParseError(missing, None, expected, "none", REMEDY, kind="results")
    rows: list[list[float]] = []
    for instance in range(last + 1):
        path, row = _read(files[instance], loss)
        wanted = sizes[instance] if sizes and instance < len(sizes) else None
        if len(row) != wanted or not row:
            _check_length(row, path, rows, files)
        rows.append(row)
    return rows


def _read(losses: ComputedLosses | str, loss: str) -> tuple[str, list[float]]:
    """Return (path, losses) of one instance."""
    if isinstance(losses, ComputedLosses):
        return losses
    return losses, parse_losses(read_text(losses), losses, loss=loss)


def _sibling(path: str, instance: int, other: int) -> str:
    """Return the plain path of another instance's file."""
    return plain_name(path).removesuffix(str(instance)) + str(other)


def _check_length(row: list[float], path: str, rows: list[list[float]], files: LossFiles) -> None:
    if not row:
        raise ParseError(path, None, "one loss a test case", "an empty file", REMEDY, kind="results")
    if rows and len(row) != len(rows[0]):
        expected = f"{len(rows[0])} losses, as in {path_of(files[0])}"
        raise ParseError(path, None, expected, str(len(row)), REMEDY, kind="results")


def read_standardizer(hierarchy: Hierarchy, places: Sequence[Sequence[str]], loss: str) -> float | None:
    """Return the number that standardizes a loss, or None where nothing defines it.

    places: the names of one task's directories of several methods. It comes from the first `Test-set-stats`
    that defines the loss, for a no-guess penalty the loss that it is added to; for a loss matrix from the
    task's data, which takes longer. The losses of several targets are added, and so are their
    standardizers. Raises DelveError where the data of a loss matrix cannot be read.
    """
    known = parse_loss(loss)
    if known is None:
        return None
    if known.matrix:
        return _matrix_standardizer(hierarchy, places[0][1:], loss)
    for names in places:
        path = hierarchy.find("methods", *names, STATISTICS_FILE)
        values = parse_test_set_stats(read_text(path), path).get(known.letter or "") if path else None
        numbers = [value for value in values or () if value is not None]
        if values and len(numbers) == len(values):
            return known.constant(numbers)
    return None


def _matrix_standardizer(hierarchy: Hierarchy, task: Sequence[str], loss: str) -> float | None:
    # Imported here: this needs NumPy, which other losses need not wait for.
    from delvecore.losses.baselines import task_constants

    dataset, prototask, name = task
    return task_constants(hierarchy, dataset, prototask, name, (loss,)).get(loss)
