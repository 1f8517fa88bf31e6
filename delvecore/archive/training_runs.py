"""Runs of networks in an archive: what `Training.n` says of each, with its errors on the test set."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from delvecore.answers.network_training import NetworkRun
from delvecore.archive.metrics import metric_rows
from delvecore.metrics.registry import measures
from delvecore.model import TaskId, is_below
from delvecore.readers.files import read_text
from delvecore.readers.training import TRAINING, parse_training

if TYPE_CHECKING:
    from delvecore.archive import Archive

NAN = float("nan")
Errors = dict[str, dict[tuple[str | int, ...], float | None]]
"""Values of metrics by method, dataset, prototask, task and instance."""


def network_runs(archive: "Archive", places: Sequence[Sequence[str]] = ()) -> list[NetworkRun]:
    """Return the runs at or below some places, all for none, by task, method and instance. Raises ParseError
    for a file that cannot be read."""
    wanted = [tuple(place) for place in places] or [()]
    errors: Errors = {}
    asked = [measures()[name] for name in ("sep", "cep")]
    for name, found in metric_rows(archive, asked, wanted).items():
        errors[name] = {(*place, row.instance): row.value for place, rows in found.items() for row in rows}
    runs = []
    for method, paths in archive.index.tasks_done.items():
        for task in map(TaskId.parse, paths):
            if is_below(task, wanted):
                runs += _runs_of(archive, method, task, errors)
    return sorted(runs, key=lambda run: (run.task, run.method, run.instance))


def _runs_of(
    archive: "Archive",
    method: str,
    task: TaskId,
    errors: Errors,
) -> list[NetworkRun]:
    runs = []
    for name, path in archive.hierarchy.files("methods", method, *task).items():
        stem, _, number = name.partition(".")
        if stem != TRAINING or not number.isdecimal():
            continue
        one = parse_training(read_text(path), path)
        key = (method, *task, int(number))
        test, wrong = (value if (value := errors[each].get(key)) is not None else NAN for each in errors)
        nodes = one.network.partition(",")[0].split("-")[1:-1]
        runs.append(
            NetworkRun(
                method,
                task,
                int(number),
                network=f"{'+'.join(nodes) or 'none'} {one.outputs}",
                weights=one.weights,
                training=min(strip.training for strip in one.curve),
                validation=one.kept.validation,
                test=test,
                classification=wrong,
                overfit=one.curve[-1].loss,
                epochs=one.epochs,
                relevant=one.relevant,
            )
        )
    return runs
