"""The factors of a task-array and what defines their levels, those that no member has among them."""

from delvecore.report.grid import Column, Grid, grid_of_texts
from delvecore.task_arrays import TaskArray

__all__ = ["HEADER", "definition_rows", "shown_definition", "vacant_sentences"]

HEADER = ("factor", "level", "label", "meaning", "members")


def definition_rows(array: TaskArray) -> list[tuple[str, str, str, str, int]]:
    """Return a row a level, as HEADER names them; members: how many have it."""
    return [
        (factor.name, *level, sum(member.levels[place] == level.name for member in array.members))
        for place, factor in enumerate(array.factors)
        for level in factor.levels
    ]


def shown_definition(array: TaskArray) -> Grid:
    """Show the factors and levels of an array with what defines them."""
    columns = [*map(Column, HEADER[:-1]), Column(HEADER[-1], "r")]
    rows = [[*map(str, row)] for row in definition_rows(array)]
    caption = f"{array.title or array.name} (/{array.name}): its factors and their levels."
    return grid_of_texts(
        columns, rows, caption=caption, notes=vacant_sentences(array), label=f"tab:{array.name}-definition"
    )


def vacant_sentences(array: TaskArray) -> list[str]:
    """Say which levels no member has: `No member has low noise (below 0.25 %).`"""
    named = [level.label + f" ({level.meaning})" * bool(level.meaning) for level in array.vacant]
    return [f"No member has {', or '.join(named)}."] if named else []
