"""What several runs on the same training sets tell of a method's stochastic training, from its loss files."""

from typing import TYPE_CHECKING

from delvecore.archive.computed import PredictedLosses
from delvecore.checks.prediction_rules import loss_files
from delvecore.errors import Faults
from delvecore.model import TaskId
from delvecore.readers.files import read_text
from delvecore.readers.instances import INSTANCE_SUFFIX, listed_facts, parse_instances
from delvecore.readers.loss_files import read_loss_files
from delvecore.stats.losses.stochastic_training import StochasticTraining, stochastic_training

if TYPE_CHECKING:
    from delvecore.archive import Archive


def stochastic_trainings(archive: "Archive", task: TaskId, loss: str) -> dict[str, StochasticTraining]:
    """Return what is known of each method with several runs on each training set of a task."""
    seen, names = archive._snapshot, (task.dataset, task.prototask, task.task)
    unit = seen.datasets.get(task.dataset)
    path = unit.files.get(f"{task.prototask}/{task.task}{INSTANCE_SUFFIX}") if unit else None
    if path is None:
        return {}
    listed = listed_facts(parse_instances(read_text(path), path), "hierarchical")
    found = {}
    for place, result in seen.results.items() if listed.runs > 1 else ():
        if place[1:] != names:
            continue
        faults = Faults()  # which are among the problems of the archive
        files = [file for file in loss_files(result.files, report=faults.append) if file.loss == loss]
        paths, count = [file.path for file in files], len(files)
        arrays = read_loss_files(paths, [loss] * count, [None] * count, report=faults.append)
        losses = {file.instance: row for file, row in zip(files, arrays, strict=True) if row is not None}
        if not files:
            computed = PredictedLosses(archive.hierarchy, {}).losses(result, report=faults.append)
            losses = {number: row for (letter, number), row in computed.items() if letter == loss}
        if told := stochastic_training(losses, listed.sets, design=listed.design):
            found[place[0]] = told
    return found
