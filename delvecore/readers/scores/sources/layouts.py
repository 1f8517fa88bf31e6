"""Tables of no known program, with a column a run, or a method and metric."""

import re

from delvecore.readers.scores import words
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.melting import melted
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.roles import labels, named, without
from delvecore.readers.scores.sources.known import Known, Names
from delvecore.readers.scores.summaries import PARTS, is_summary

__all__ = ["numbered", "paired"]


def numbered(sheet: Sheet, names: Names) -> Known | None:
    """A column a fold, seed or run: `fold1`, `fold2`, ..."""
    found = {column.name: re.fullmatch(r"(?i)([a-z]+)[ _.-]?(\d+)", column.name) for column in sheet.columns}
    parts = {name: match for name, match in found.items() if match and match[1].lower() in words.INSTANCES}
    kinds = {match[1].lower() for match in parts.values()}
    if len(parts) < 2 or len(kinds) > 1 or not all(sheet.column(name).is_mostly_numbers for name in parts):
        return None
    groups = {match[2]: {"score": sheet.column(name)} for name, match in parts.items()}
    kept = [column for column in sheet.columns if column.name not in parts]
    return Known(
        "a column a run", melted(sheet, kept, groups, kinds.pop()), ScoreOptions(value=("score",)), plain=True
    )


def paired(sheet: Sheet, names: Names) -> Known | None:
    """A column a method and metric: `A_acc`, `A_f1`, `B_acc`, `B_f1`."""
    numbers = [column for column in sheet.columns if column.is_mostly_numbers]
    if named(sheet.columns, words.METHODS) or len(labels(sheet.columns)) > 1:
        return None
    for joint in ("_", "-", " ", "/", ".", ":"):
        groups: dict[str, dict[str, Column]] = {}
        for column in numbers:
            method, _, metric = column.name.rpartition(joint)
            if method.lower() not in ("", *PARTS) and not is_summary(method) and words.is_metric(metric):
                groups.setdefault(method, {})[metric] = column
        metrics = {tuple(group) for group in groups.values()}
        if len(groups) > 1 and len(metrics) == 1 and len(metrics.pop()) > 1:
            taken = [column for group in groups.values() for column in group.values()]
            kept = without(sheet.columns, taken)
            long = melted(sheet, kept, groups, "method")
            return Known("a column a method and metric", long, ScoreOptions(method="method"), plain=True)
    return None
