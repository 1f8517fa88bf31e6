"""Dataset and task that a name in a table of scores denotes.

A dataset of a table of scores has one prototask, `scores`. It has a task for each size of its training sets,
or `all` if no size is known: `/iris/scores/all`. A name such as `age/std.128` is a task of a dataset, and
`/demo/age/std.128` is the path of one. Any other name with slashes, such as `openml.org/t/3`, is a dataset.
The exception is a column of tasks that has several tasks of one dataset: `iris/one`, `iris/two`, `wine/one`.
"""

from collections.abc import Sequence

from delvecore.model import SCORED, SLASH, WHOLE, Task, TaskId
from delvecore.readers.specifications import parse_task_name

SIZED = "std"
"""The prior of tasks with training sets of known sizes."""


def place_of(label: str, training_size: int = 0) -> Task:
    """Return the task that a name in a table denotes. `training_size` is 0 if unknown."""
    parts = label.removeprefix("/").split("/")
    known = parse_task_name(parts[-1])
    if label.startswith("/") and len(parts) == 3 and (known or parts[1] == SCORED):
        return Task(parts[0], parts[1], *(known or (parts[2], training_size)))
    if known and len(parts) == 2 and parts[0] and not training_size:
        return Task(parts[0], SCORED, *known)
    return Task(label.replace("/", SLASH), SCORED, SIZED if training_size else WHOLE, training_size)


def task_paths(tasks: Sequence[str]) -> dict[str, str]:
    """Return the path of each task whose name begins with its dataset.

    `tasks` are all names in a column of tasks. Returns {} if this would give one dataset, or as many datasets
    as tasks.
    """
    split = {task: task.split("/", 1) for task in tasks if _begins_with_dataset(task)}
    datasets = [split[task][0] if task in split else place_of(task).dataset for task in tasks]
    if not 1 < len(set(datasets)) < len(datasets):
        return {}
    return {task: task_path(name, rest) for task, (name, rest) in split.items()}


def task_path(dataset: str, task: str) -> str:
    """Return the path of a task of a dataset, for any names of the two."""
    return TaskId(dataset.replace("/", SLASH), SCORED, task.replace("/", SLASH)).path


def _begins_with_dataset(task: str) -> bool:
    """Does a name begin with a dataset, followed by a task? Web addresses and names that end in a task do
    not."""
    first, slash, rest = task.partition("/")
    is_whole = place_of(task).dataset == task.replace("/", SLASH)
    return bool(first and slash and rest.strip("/")) and is_whole and not ("." in first or ":" in first)


def datasets_in_names(tasks: Sequence[str]) -> tuple[str, ...] | None:
    """Return the dataset of each task if all names are those of tasks; otherwise None."""
    paths = task_paths(tasks)
    places = [place_of(paths.get(task, task)) for task in tasks]
    are_tasks = all(
        place.dataset != task.replace("/", SLASH) for place, task in zip(places, tasks, strict=True)
    )
    return tuple(place.dataset for place in places) if are_tasks else None
