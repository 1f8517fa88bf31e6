"""The values of a ranking as a file: tasks x methods, as `delve rank` reads them."""

from delvecore.report.writers.csv import csv_text
from delvecore.stats.ranking.score_table import ScoreTable

__all__ = ["values_csv"]


def values_csv(table: ScoreTable) -> str:
    """Return a line for each task, its family too where names do not tell it; without a value a field is
    empty."""
    lines = zip(table.tasks, table.values.tolist(), strict=True)
    rows = [[task, *(None if value != value else value for value in values)] for task, values in lines]
    if table.units is None or (
        table.units.known_by != "column" and table.units.families == table.units.datasets
    ):
        return csv_text(["task", *table.methods], rows)
    groups = zip(table.units.datasets, table.units.families, strict=True)
    named = [[task, *group, *values] for (task, *values), group in zip(rows, groups, strict=True)]
    return csv_text(["task", "dataset", "family", *table.methods], named)
