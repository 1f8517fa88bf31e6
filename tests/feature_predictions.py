"""Predictions of two invented methods on the tasks of tests/feature_files.py, and their losses.

`bold` always guesses; `careful` makes no guess for every third card where a loss lets it.
"""

from pathlib import Path

from delvecore.losses.compute import write_task_losses
from delvecore.losses.method_task import open_method_task
from delvecore.readers.hierarchy import Hierarchy

SHAPES = ("round", "square", "long")
WORDS = ("yes", "no", "maybe")
METHODS = ("bold", "careful")
# Task below the method: instances, and test cases of each.
TASKS = {
    "shapes/shape/std.3": (4, 12),
    "shapes/shape/std.6": (3, 12),
    "river/flow/std.15": (2, 10),
    "river/flow/std.10": (4, 15),
    "speech/word/std.8": (3, 10),
}
SPECIAL = ("Z0.2N", "Mcosts")


def _guesses(task: str, method: str, instance: int, cases: int, *, none: bool) -> str:
    """A guess a line; the two methods differ in every second case or so."""
    lines = []
    for case in range(cases):
        turn = case + instance + (case % 2 if method == "bold" else 0)
        if task.startswith("river"):
            lines.append(f"{20 + 9 * (turn % 5) + (5 if method == 'bold' else 0)}")
        elif none and case % 3 == 0:
            lines.append("?")
        else:
            lines.append((SHAPES if task.startswith("shapes") else WORDS)[turn % 3])
    return "\n".join(lines) + "\n"


def prediction_files() -> dict[str, str]:
    """Summaries and prediction files of both methods, by path below a delve directory."""
    files = {}
    for method in METHODS:
        files[f"methods/{method}/Summary"] = f"The {method} method.\n"
        for task, (instances, cases) in TASKS.items():
            for instance in range(instances):
                place = f"methods/{method}/{task}"
                files[f"{place}/guess.{instance}"] = _guesses(task, method, instance, cases, none=False)
                for loss in SPECIAL if task.startswith("shapes") else ():
                    text = _guesses(task, method, instance, cases, none=method == "careful")
                    files[f"{place}/guess.{loss}.{instance}"] = text
    return files


def make_losses(root: Path) -> None:
    """Write the loss files that the predictions give, as `mloss` does."""
    hierarchy = Hierarchy([str(root)])
    for method in METHODS:
        for task in TASKS:
            method_task = open_method_task(hierarchy, method, *task.split("/"))
            write_task_losses(method_task, str(root / "methods" / method / task))
