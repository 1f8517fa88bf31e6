"""Instances of a dataset: the fold, seed or repetition of a score, and how they depend on each other."""

import re
from collections.abc import Sequence
from math import prod

import pandas as pd

from delvecore.errors import Fault
from delvecore.model import Scheme
from delvecore.score_tables.names import folded
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.score_file import Notes
from delvecore.score_tables.table import Column, combined, same_name
from delvecore.stats.designs import RunDesign, design_of_runs

_KINDS = {
    "fold": "fold",
    "cv": "fold",
    "split": "split",
    "resampl": "resample",
    "rep": "repeat",
    "iter": "iteration",
    "trial": "trial",
    "run": "run",
    "randomstate": "seed",
    "seed": "seed",
}
"""What columns of instances count, by parts of their names; an instance's name has the last of them first."""
_FOLD = re.compile(r"fold[ _.]*(\d+)(?:[ _.]*rep(?:eat)?[ _.]*(\d+))?", re.IGNORECASE)


def kind_of(name: str) -> str:
    """What a column of instances counts: `fold`, `seed`; its own name where that is not known."""
    key = folded(name)
    return next((kind for part, kind in _KINDS.items() if part in key), name.strip())


def natural_key(text: str) -> list[tuple[bool, float, str]]:
    """A key that sorts texts by the numbers in them: `fold 10` after `fold 9`."""
    parts = re.findall(r"\d+(?:\.\d+)?|\D+", text)
    return [(not part[0].isdigit(), float(part) if part[0].isdigit() else 0.0, part) for part in parts]


def instance_names(columns: Sequence[Column], rows: int) -> pd.Categorical:
    """The instance of each row: `fold 3`, `seed 7, fold 0`; empty texts without a column."""
    if not columns:
        return same_name(rows, "")
    order = {kind: -place for place, kind in enumerate(_KINDS.values())}
    ordered = sorted(columns, key=lambda one: order.get(kind_of(one.name), -len(order)))
    whole = combined([Column(one.name, pd.Series(_labelled(one))) for one in ordered])
    if (whole.codes < 0).any():
        whole = whole.add_categories([""]).fillna("")
    return whole.reorder_categories(sorted(whole.categories, key=natural_key))


def _labelled(column: Column) -> pd.Categorical:
    """The texts of a column after what they count, where they do not say it themselves."""
    kind, texts = kind_of(column.name), column.levels
    counted = [f"{kind} {text}" for text in texts]
    if column.is_whole:  # `1` and `1.0` stay apart
        found = [f"{kind} {float(text):.0f}" for text in texts]
    else:
        found = [text if any(map(str.isalpha, text)) else f"{kind} {text}" for text in texts]
    return column.names.rename_categories(found if len(set(found)) == len(found) else counted)


def design_of(
    columns: Sequence[Column], options: ScoreOptions, notes: Notes, *, of_cases: bool = False
) -> RunDesign:
    """The design of the instances that some columns tell apart. of_cases: has each a score for every case?
    Fault for another design of these."""
    counts = {kind: many for column in columns for kind, many in _counts(column).items()}
    if of_cases:
        if options.design or options.share is not None:
            raise Fault("design", "none for scores of test cases", "one", "leave design and share out")
        return RunDesign(Scheme.CASES, repeats=prod(counts.values()))
    design = design_of_runs(counts, name=options.design, test_share=options.share)
    if design.runs > 1:
        kinds = f" ({', '.join(counts)})" if design.kind == Scheme.ONE_SPLIT else ""
        notes.take("design", design.words + kinds, "default" if design.assumed else "said", option="design")
    return design


def _counts(column: Column) -> dict[str, int]:
    """How many folds, seeds, ... there are; `Fold01.Rep2` says two things."""
    found = [_FOLD.fullmatch(level) for level in column.levels]
    if not found or not all(found):
        return {kind_of(column.name): column.distinct}
    folds, repeats = ({match[part] for match in found if match} for part in (1, 2))
    return {"fold": len(folds)} | ({"repeat": len(repeats)} if repeats != {None} else {})
