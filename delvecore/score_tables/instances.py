"""Instances of a dataset: the fold, seed or repetition of a score, and how they depend on each other."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from delvecore.model import Scheme
from delvecore.score_tables.names import folded
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.roles import Notes
from delvecore.score_tables.table import Column
from delvecore.stats.designs import RunDesign, design_of_runs

__all__ = ["design_of", "instance_names"]

_KINDS = {
    "fold": "fold",
    "cv": "fold",
    "split": "split",
    "resampl": "resample",
    "repe": "repeat",
    "rep": "repeat",
    "iter": "iteration",
    "seed": "seed",
    "randomstate": "seed",
    "trial": "trial",
    "replic": "replicate",
    "run": "run",
}
_ORDER = ("seed", "run", "trial", "replicate", "iteration", "repeat", "resample", "split", "fold")
"""The order in which the parts of an instance's name stand."""
_FOLD = re.compile(r"fold[ _.]*(\d+)(?:[ _.]*rep(?:eat)?[ _.]*(\d+))?", re.IGNORECASE)


def kind_of(name: str) -> str:
    """What a column of instances counts: `fold`, `seed`; its own name where that is not known."""
    key = folded(name)
    return next((kind for start, kind in _KINDS.items() if start in key), name.strip())


def natural_key(text: str) -> list[tuple[bool, float, str]]:
    """A key that sorts texts by the numbers in them: `fold 10` after `fold 9`."""
    parts = re.findall(r"\d+(?:\.\d+)?|\D+", text)
    return [(not part[0].isdigit(), float(part) if part[0].isdigit() else 0.0, part) for part in parts]


def instance_names(columns: Sequence[Column], rows: int) -> pd.Categorical:
    """The instance of each row: `fold 3`, `seed 7, fold 0`; empty texts without a column."""
    ordered = sorted(columns, key=lambda one: _rank(kind_of(one.name)))
    if not ordered:
        return pd.Categorical.from_codes(np.zeros(rows, dtype=np.int8), [""])
    labelled = [_labelled(column) for column in ordered]
    whole = labelled[0]
    for further in labelled[1:]:
        joined = [f"{one}, {other}" for one in whole.categories for other in further.categories]
        codes = whole.codes.astype(np.int64) * len(further.categories) + further.codes
        codes[(whole.codes < 0) | (further.codes < 0)] = -1
        whole = pd.Categorical.from_codes(codes, joined).remove_unused_categories()
    if (whole.codes < 0).any():
        whole = whole.add_categories([""]).fillna("")
    return whole.reorder_categories(sorted(whole.categories, key=natural_key))


def _rank(kind: str) -> int:
    return _ORDER.index(kind) if kind in _ORDER else -1


def _labelled(column: Column) -> pd.Categorical:
    """The texts of a column after what they count, where they do not say it themselves."""
    kind = kind_of(column.name)
    is_whole = column.is_whole
    texts = [
        f"{kind} {float(text):.0f}" if is_whole else text if any(map(str.isalpha, text)) else f"{kind} {text}"
        for text in column.levels
    ]
    if len(set(texts)) < len(texts):  # `1` and `1.0`
        texts = [f"{kind} {text}" for text in column.levels]
    return column.names.rename_categories(texts)


def design_of(columns: Sequence[Column], options: ScoreOptions, notes: Notes) -> RunDesign:
    """The design of the instances that some columns tell apart."""
    counts = {kind: many for column in columns for kind, many in _counts(column).items()}
    design = design_of_runs(counts, name=options.design, test_share=options.share)
    if design.runs > 1:
        kinds = f" ({', '.join(counts)})" if design.kind == Scheme.ONE_SPLIT else ""
        notes.take("design", design.words + kinds, "default" if design.assumed else "said", option="design")
    return design


def _counts(column: Column) -> dict[str, int]:
    """How many folds, seeds, ... there are; `Fold01.Rep2` says two things."""
    found = [_FOLD.fullmatch(level) for level in column.levels]
    parts = [match.groups() for match in found if match is not None]
    if not parts or len(parts) < len(found):
        return {kind_of(column.name): column.distinct}
    folds, repeats = map(set, zip(*parts, strict=True))
    return {"fold": len(folds)} | ({"repeat": len(repeats)} if repeats != {None} else {})
