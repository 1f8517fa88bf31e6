"""What an archive has results of, for commands that choose among them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from delvecore.commands.frame.places import Names

if TYPE_CHECKING:
    from delvecore.archive import Archive

__all__ = ["faults_of", "methods_by_loss"]


def faults_of(archive: "Archive") -> str | None:
    """Return the warning that something is faulty and left out; None where nothing is."""
    count = archive.problems.num_rows
    said = f"{count} faults in the files, of which delve check tells; what is faulty is left out"
    return said if count else None


def methods_by_loss(archive: "Archive", is_wanted: Callable[[Names], bool]) -> dict[str, set[str]]:
    """Return {loss: methods with results} on the tasks that are wanted, by (dataset, prototask, task)."""
    found: dict[str, set[str]] = {}
    names = ("dataset", "prototask", "task", "loss", "method")
    for *task, loss, method in zip(*(archive.results[name].to_pylist() for name in names), strict=True):
        if is_wanted(tuple(task)):
            found.setdefault(loss, set()).add(method)
    return found
