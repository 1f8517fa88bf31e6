"""The loss files of a task, found by their names and read as rows of losses, one row a task instance.

Source: DELVE manual, sections 7.5 and 8.3 (names), 6.2 (instances).
"""

from delvecore.errors import ParseError
from delvecore.model import LOSSES
from delvecore.readers.files import plain_name, read_text, two_copies
from delvecore.readers.results import parse_losses, parse_test_set_stats

__all__ = ["find_losses", "read_losses", "read_standardizer"]

STATISTICS_FILE = "Test-set-stats"
REMEDY = "run mloss again"


def find_losses(hierarchy, names, base):
    """Return {loss letter: {instance: path}} of the files `base.LOSS.INSTANCE` of a method's task.

    The directories of the task are merged; ParseError for a file that lies in two of them.
    """
    found = {}
    for name, paths in hierarchy.entries("methods", *names).items():
        root, _, instance = plain_name(name).rpartition(".")
        stem, _, loss = root.rpartition(".")
        if stem != base or loss not in LOSSES or len(loss) != 1 or not instance.isdecimal():
            continue
        files = found.setdefault(loss, {})
        for path in paths:
            if int(instance) in files:
                raise two_copies(files[int(instance)], path)
            files[int(instance)] = path
    return found


def read_losses(files, loss):
    """Return the rows of losses of instances 0 to n-1. files: {instance: path}.

    Raises ParseError for a gap in the numbers, an empty file, and files of different lengths.
    """
    last = max(files)
    for instance in range(last):
        if instance not in files:
            missing = _sibling(files[last], last, instance)
            expected = f"a loss file of each instance from 0 to {last}"
            raise ParseError(missing, None, expected, "none", REMEDY, kind="results")
    rows = []
    for instance in range(last + 1):
        path = files[instance]
        row = parse_losses(read_text(path), path, loss=loss)
        _check_length(row, path, rows, files)
        rows.append(row)
    return rows


def _sibling(path, instance, other):
    """Return the plain path of another instance's file."""
    return plain_name(path).removesuffix(str(instance)) + str(other)


def _check_length(row, path, rows, files):
    if not row:
        raise ParseError(path, None, "one loss a test case", "an empty file", REMEDY, kind="results")
    if rows and len(row) != len(rows[0]):
        expected = f"{len(rows[0])} losses, as in {files[0]}"
        raise ParseError(path, None, expected, str(len(row)), REMEDY, kind="results")


def read_standardizer(hierarchy, places, loss):
    """Return the number that standardizes a loss, from the first `Test-set-stats` that defines it, or None.

    places: the names of one task's directories of several methods. The losses of several targets are added,
    and so are their standardizers.
    """
    for names in places:
        path = hierarchy.find("methods", *names, STATISTICS_FILE)
        values = parse_test_set_stats(read_text(path), path).get(loss) if path else None
        if values and None not in values:
            return sum(values)
    return None
