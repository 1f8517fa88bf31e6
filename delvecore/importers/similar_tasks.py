"""Find the tasks of an archive that are similar to a file of cases, and rank methods on them."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import delvecore
from delvecore.answers.answer import Answer
from delvecore.answers.leaderboard import Leaderboard, leaderboard_answer
from delvecore.answers.similar_data import (
    DataDescription,
    Nearness,
    Neighbor,
    distance,
    nearest_task,
    own_distances,
    similar_answer,
)
from delvecore.archive import Archive
from delvecore.archive.leaderboards import leaderboard, leading_loss, leading_scores, task_facts
from delvecore.archive.views import under
from delvecore.errors import DelveError, Fault
from delvecore.importers.attributes import Role
from delvecore.importers.dataset_writer import write_import
from delvecore.importers.import_messages import WHY, notices, target_line
from delvecore.importers.in_memory import ONE_NAME, read_data
from delvecore.importers.plan import ImportOptions, ImportPlan, plan_import
from delvecore.packaging.staging import target_directory
from delvecore.readers.hierarchy import Hierarchy
from delvecore.render.answers import records
from delvecore.render.formats import NEAREST
from delvecore.render.json import json_text
from delvecore.render.numbers import counted, integer
from delvecore.render.spans import as_name, plain
from delvecore.report.words import and_list
from delvecore.runner.data_description import (
    FOLDS,
    SEED,
    describe_prototask,
    known_description,
)
from delvecore.stats.ranking.analysis import Analysis

MOST_SHOWN = 6
"""Largest number of columns that are named."""
LARGEST = 1e100
"""Largest number that is squared; the squares of much larger numbers are not finite."""
KINDS = ("real", "integer", "categorical")


@dataclass(frozen=True, eq=False)
class SimilarTasks:
    """Tasks of an archive that are similar to a dataset, and the ranking of methods on them.

    Attributes
    ----------
    assumed : tuple of str
        Assumptions made when the data were read.
    description : DataDescription
        Description of the data.
    tasks : Answer
        The nearest tasks, below a row for the data.
    board : Leaderboard
        The ranking of the methods on these tasks.
    nearness : Nearness
        Distance of the nearest task.
    """

    assumed: tuple[str, ...]
    description: DataDescription
    tasks: Answer
    board: Leaderboard
    nearness: Nearness

    @property
    def methods(self) -> Answer:
        """The leaderboard of the nearest tasks."""
        return leaderboard_answer(self.board)

    @property
    def ranking(self) -> Analysis:
        return self.board.analysis

    @property
    def sentence(self) -> str:
        """A sentence on the method that wins on the nearest tasks, its significance, and the distance of the
        tasks."""
        return plain(f"{self.methods.headline} {self.nearness.sentence}")

    def to_frame(self) -> Any:
        """The methods as a data frame, best first."""
        return self.methods.table.frame()

    def __repr__(self) -> str:
        return f"{self.sentence}\n\n{self.to_frame()}"

    def to_json(self) -> str:
        """The whole result as JSON, with assumptions first."""
        methods = self.methods
        record = {"assumed": list(self.assumed), "question": "like", "is_near": not self.nearness.is_far}
        for name, answer in (("tasks", self.tasks), ("methods", methods)):
            rows, notes = records(answer.table), list(answer.notes)
            record |= {name: {"answer": answer.headline, "rows": rows, "notes": notes}}
        return json_text(record)


def like(
    data: Any,
    target: str | None = None,
    *,
    archive: Any = None,
    loss: str | None = None,
    nearest: int = NEAREST,
    types: Mapping[str, str] | None = None,
) -> SimilarTasks:
    """Find the tasks of an archive that are similar to a dataset, and the methods that win on them.

    Parameters
    ----------
    data : path, data frame, pair or bunch
        The path of a CSV, Parquet or ARFF file, a data frame, a pair (inputs, target), or the result of
        scikit-learn's `load_*` or `fetch_*`.
    target : str, optional
        The column to predict, unless the data name it.
    archive : Archive or path, optional
        The archive to search; the active delve directories by default.
    loss : str, optional
        Loss or metric for the ranking; the usual one of the tasks by default.
    nearest : int
        Number of prototasks for the ranking.
    types : mapping of str to str, optional
        Types of columns by name, as for `delve import --type`.

    Returns
    -------
    SimilarTasks
        Assumptions, a description, the nearest tasks and the ranking.

    Raises
    ------
    DelveError
        For data that cannot be read, a missing target or one that cannot be predicted, too few cases, and an
        archive without tasks of this type.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [n * 7 % 40 / 10 for n in range(40)]})
    >>> frame["y"] = 3 * frame["x"] + 1
    >>> like(frame, "y").description.noise
    0.0
    """
    name = os.path.basename(os.fspath(data)) if isinstance(data, str | os.PathLike) else ONE_NAME
    source = read_data(name, data)
    opened = archive if isinstance(archive, Archive) else delvecore.open(archive)
    targets = () if target is None else (target,)
    options = ImportOptions(targets, types or {}, name=ONE_NAME)
    return similar_tasks(plan_import(source, options), opened, loss=loss, nearest=nearest)


def similar_tasks(plan: ImportPlan, archive: Archive, **options: Any) -> SimilarTasks:
    """Find the tasks similar to a planned dataset. options: see `similar_to`. Raises DelveError."""
    description = describe_plan(plan)
    return similar_to(description, archive, assumed=assumptions(plan, description), **options)


def similar_to(
    description: DataDescription,
    archive: Archive,
    *,
    assumed: Sequence[str] = (),
    loss: str | None = None,
    nearest: int = NEAREST,
    command: str = "",
) -> SimilarTasks:
    """Find the tasks similar to described data, and rank methods on them.

    assumed: assumptions about the data; command: one that prints the same result. Raises DelveError."""
    if nearest < 2:
        raise DelveError(f"--nearest: expected at least 2 tasks, found {nearest}")
    archive, loss = under(archive, loss)
    described, unread = described_prototasks(archive)
    same = [one for one in described if one.target == description.target]
    if not same:
        raise DelveError(f"expected tasks with a target of {description.target} in the archive, found none")
    neighbors, loss = nearest_neighbors(description, same, archive, loss=loss, count=nearest)
    board = leaderboard(archive, loss=loss, tasks=[one.task for one in neighbors])
    nearness = Nearness(neighbors[0].distance, own_distances(same, families_of(archive)))
    are_all = len(neighbors) == len(same) or len(neighbors) < nearest
    answer = similar_answer(description, neighbors, nearness, command=command, are_all=are_all)
    return SimilarTasks((*assumed, *unread), description, answer, board, nearness)


def families_of(archive: Archive) -> dict[str, str]:
    """Return the family of each prototask, by its path."""
    return {path.rpartition("/")[0]: facts.family for path, facts in task_facts(archive).items()}


def described_prototasks(archive: Archive) -> tuple[list[DataDescription], list[str]]:
    """Return the descriptions of the prototasks with results, and the reasons why others have none."""
    if not archive.paths:
        raise DelveError("expected a delve directory with datasets, found none; scores have no cases")
    hierarchy, descriptions, unread = Hierarchy(list(archive.paths)), [], []
    for dataset, prototask in sorted({(one.dataset, one.prototask) for one in archive.index.methods_on}):
        try:
            descriptions.append(known_description(hierarchy, dataset, prototask))
        except DelveError as error:
            unread.append(f"A task is left out: {error}.")
    return descriptions, unread


def nearest_neighbors(
    description: DataDescription,
    described: Sequence[DataDescription],
    archive: Archive,
    *,
    loss: str | None,
    count: int,
) -> tuple[list[Neighbor], str]:
    """Return the nearest prototasks with results under a loss, and that loss. loss: None for the default.

    Each is represented by the task whose training set is nearest in size to the data."""
    paths = {one.name for one in described}
    facts = {path: one for path, one in task_facts(archive).items() if path.rpartition("/")[0] in paths}
    loss = loss or leading_loss(archive, tuple(facts))
    table = leading_scores(archive, loss, tasks=list(facts))
    oriented = np.where(np.isnan(table.oriented), np.inf, table.oriented)
    places = zip(table.task_paths, oriented.argmin(axis=1).tolist(), strict=True)
    best = {path: table.methods[place] for path, place in places}
    sizes: dict[str, dict[str, int]] = {}
    for path in best:
        if facts[path].training_size:
            sizes.setdefault(path.rpartition("/")[0], {})[path] = facts[path].training_size
    neighbors = []
    for one in described:
        if one.name in sizes:
            task = nearest_task(sizes[one.name], description.cases)
            size = sizes[one.name][task]
            neighbors.append(Neighbor(one, distance(description, one), task, size, best[task]))
    if len(neighbors) < 2:
        raise DelveError(f"expected two tasks or more with results under {loss}, found {len(neighbors)}")
    return sorted(neighbors, key=lambda one: (one.distance, one.task))[:count], loss


def describe_plan(plan: ImportPlan, name: str = "") -> DataDescription:
    """Describe a planned dataset under a name, after writing it to a temporary directory. Raises
    DelveError."""
    (targets, *others), place = plan.targets, plan.source.place
    name = name or (os.path.basename(place) if os.path.isfile(place) else plan.source.name)
    if others or len(targets) > 1:
        raise DelveError(f"target: expected one column, found {and_list([*targets, *sum(others, ())])}")
    if not any(column.role is Role.INPUT for column in plan.columns):
        raise Fault(name, "an input in addition to the target", "none", "set the types of left-out columns")
    for column in plan.kept:
        if column.profile.is_numeric and max(-column.profile.low, column.profile.high) > LARGEST:
            raise Fault(f"{name}: {column.source}", f"numbers up to {LARGEST:g}", "larger ones", "scale it")
    with tempfile.TemporaryDirectory(prefix="delve-like-") as folder:
        with target_directory(os.path.join(folder, "delve"), (), folder) as root:
            (prototask,) = write_import(plan, root)
        return describe_prototask(Hierarchy([root]), plan.name, prototask.name, name=name)


def assumptions(plan: ImportPlan, description: DataDescription) -> list[str]:
    """Return the assumptions about the data, one sentence each."""
    counts = [f"{count} {kind}" for count, kind in zip(description.counts, KINDS, strict=True)]
    target = target_line(plan)
    sentences = [f"{target[0].upper()}{target[1:]}.", f"Inputs: {', '.join(counts)}."]
    left = [f"{as_name(one.source)} ({WHY[one.reason]})" for one in plan.columns if one.role is Role.LEFT_OUT]
    if left:
        more = f" and {len(left) - MOST_SHOWN} more" if len(left) > MOST_SHOWN else ""
        sentences.append(f"Left out: {', '.join(left[:MOST_SHOWN])}{more}.")
    gaps = [one for one in plan.kept if one.role is Role.INPUT and one.profile.missing]
    if gaps:
        count = sum(one.profile.missing for one in gaps)
        missing = f"{counted(count, 'missing value')} of {counted(len(gaps), 'input')}"
        sentences.append(f"{missing}: the most usual value replaces them.")
    sentences += [f"{one[0].upper()}{one[1:]}." for one in notices(plan)]
    is_sample, cases = description.sampled < description.cases, counted(description.cases, "case")
    used = (
        f"{integer(description.sampled)} of {cases}, drawn with seed {SEED}" if is_sample else f"All {cases}"
    )
    kept = "cases of one group stay together" if plan.group else "cases count as independent"
    sentences.append(f"{used}: {FOLDS}-fold cross-validation; {kept}.")
    return sentences
