"""The variants of a method in an archive, and which of their settings mattered."""

from typing import NamedTuple

import delvecore
from delvecore.archive.score_tables import archive_score_table
from delvecore.readers.settings import SETTINGS, family_of, parse_settings
from delvecore.stats.choose import DEFAULT_LEVEL
from delvecore.stats.ranking.main_effects import MainEffects, main_effects
from delvecore.stats.ranking.score_table import complete_table


class Variants(NamedTuple):
    """settings: of each variant, by name; effects: None where fewer than two have results on a task that they
    share; left_out: the variants without a result under the loss; dropped: tasks that not all have done."""

    family: str
    settings: dict[str, dict[str, str]]
    effects: MainEffects | None
    left_out: tuple[str, ...] = ()
    dropped: int = 0


def has_settings(archive: delvecore.Archive, method: str) -> bool:
    """Does a method say with which settings it was run?"""
    rows = archive.methods.select(["method", "documents"]).to_pylist()
    return any(row["method"] == method and SETTINGS in (row["documents"] or ()) for row in rows)


def variants_of(
    archive: delvecore.Archive, method: str, *, loss: str = "S", level: float = DEFAULT_LEVEL
) -> Variants:
    """Main effects of settings: which mattered among the variants of a method? Losses are standardized.

    Parameters
    ----------
    archive : Archive
        Where the variants have results.
    method : str
        One of the variants, or their family.
    loss : str
        By which they are judged.
    level : float
        Confidence of intervals.

    Returns
    -------
    Variants
        Settings by variant, and their effects, None where fewer than two share a task.

    Examples
    --------
    >>> variants_of(delvecore.open([], cache=False), "lin-1").effects is None
    True
    """
    family = family_of(method) or method
    rows = archive.methods.select(["method", "documents"]).to_pylist()
    told = [row["method"] for row in rows if SETTINGS in (row["documents"] or ())]
    names = sorted((name for name in told if family_of(name) == family), key=_number) or [method]
    settings = {
        name: parse_settings(archive.read_document("methods", name, "Source", SETTINGS))
        for name in names
        if name in told
    }
    known = set(archive.results["loss"].to_pylist())
    table = archive_score_table(archive, loss=loss, methods=names, keep=names) if loss in known else None
    ranked = [name for name in settings if table is not None and name in table.methods]
    left_out = tuple(name for name in settings if name not in ranked)
    if table is None or len(ranked) < 2:
        return Variants(family, settings, None, left_out)
    own = table.select(methods=ranked)
    is_done = ~(own.values != own.values).all(axis=1)
    own = own.select(tasks=[task for task, done in zip(own.tasks, is_done, strict=True) if done])
    complete = complete_table(own)
    if not complete.table.tasks:
        return Variants(family, settings, None, left_out, len(complete.dropped_tasks))
    effects = main_effects(complete.table, settings, level=level)
    return Variants(family, settings, effects, left_out, len(complete.dropped_tasks))


def _number(method: str) -> int:
    return int(method.rpartition(".v")[2])
