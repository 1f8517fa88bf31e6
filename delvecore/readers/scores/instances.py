"""Which fold, seed or repetition is a score of, and how do these lie to each other?"""

import re
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from delvecore.errors import Fault
from delvecore.readers.overlaps import fold_share, resampled_share
from delvecore.readers.scores.batches.codes import Codes, crossed, looked_up, narrow
from delvecore.readers.scores.columns import Column
from delvecore.readers.scores.records import Kind, ScoreDesign, ScoreOptions
from delvecore.readers.scores.remarks import Remarks
from delvecore.readers.scores.words import folded

__all__ = ["design_of", "instance_codes", "natural"]

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
RESAMPLED = resampled_share(0.5)
_FOLD = re.compile(r"fold[ _.]*(\d+)(?:[ _.]*rep(?:eat)?[ _.]*(\d+))?", re.IGNORECASE)


def kind_of(name: str) -> str:
    """Return what a column of instances counts: `fold`, `seed`; its own name where that is not known."""
    key = folded(name)
    return next((kind for start, kind in _KINDS.items() if start in key), name.strip())


def natural(text: str) -> list[tuple[bool, float, str]]:
    """Return a key that sorts texts by the numbers in them."""
    parts = re.findall(r"\d+(?:\.\d+)?|\D+", text)
    return [(not part[0].isdigit(), float(part) if part[0].isdigit() else 0.0, part) for part in parts]


def instance_codes(columns: Sequence[Column], rows: int) -> Codes:
    """Return the instance of each row: `fold 3`, `seed 7, fold 0`; empty texts without a column."""
    if not columns:
        return Codes(np.zeros(rows, dtype=np.int8), ("",))
    ordered = sorted(columns, key=lambda one: _rank(kind_of(one.name)))
    codes = crossed([_labelled(column) for column in ordered])
    if (codes.places < 0).any():
        many = len(codes.levels)
        places = codes.places.astype(narrow(many + 1))
        places[places < 0] = many
        codes = Codes(places, (*codes.levels, ""))
    order = sorted(range(len(codes.levels)), key=lambda place: natural(codes.levels[place]))
    moved = np.empty(len(order), dtype=narrow(len(order)))
    moved[order] = np.arange(len(order))
    return Codes(looked_up(moved, codes.places), tuple(codes.levels[place] for place in order))


def _rank(kind: str) -> int:
    return _ORDER.index(kind) if kind in _ORDER else -1


def _labelled(column: Column) -> Codes:
    """Return the texts of a column behind what they count, where they do not say it themselves."""
    kind = kind_of(column.name)
    levels = column.codes.levels
    if column.is_whole:
        return Codes(column.codes.places, tuple(f"{kind} {float(level):.0f}" for level in levels))
    says_it = [any(map(str.isalpha, level)) for level in levels]
    named = [level if said else f"{kind} {level}" for level, said in zip(levels, says_it, strict=True)]
    return Codes(column.codes.places, tuple(named))


def design_of(columns: Sequence[Column], options: ScoreOptions, remarks: Remarks) -> ScoreDesign:
    """How do the instances of a dataset lie to each other? Folds are taken for those of cross-validation."""
    if options.share is not None and not 0 <= options.share < 1:
        expected = "a share of all cases in a test set, at least 0 and below 1"
        raise Fault("--share", expected, f"{options.share:g}", "for ten folds it is 0.1")
    counts = {kind: many for column in columns for kind, many in _counts(column).items()}
    if not columns or max(counts.values()) < 2:
        return ScoreDesign("single")
    repeats = prod(many for kind, many in counts.items() if kind not in ("fold", "split"))
    folds = counts.get("fold", counts.get("split", 1))
    kind = _kind(folds, counts)
    if options.share is not None:
        kind = "resamples" if kind == "seeds" else kind
        return ScoreDesign(kind, folds, repeats, resampled_share(options.share), assumed=False)
    many = f", {repeats} times" if repeats > 1 else ""
    taken, share = {
        "cross-validation": (f"{folds}-fold cross-validation{many}", 0.0),
        "resamples": (f"{repeats} training sets, half of the cases drawn anew each", RESAMPLED),
        "seeds": (f"{repeats} runs on one training set ({', '.join(counts)})", 1.0),
    }[kind]
    remarks.guess("instances", taken, (), "--share")
    return ScoreDesign(kind, folds, repeats, share or fold_share(folds, repeats))


def _counts(column: Column) -> dict[str, int]:
    """Return how many folds, seeds, ... there are; `Fold01.Rep2` says two things."""
    found = [_FOLD.fullmatch(level) for level in column.codes.levels]
    parts = [match.groups() for match in found if match is not None]
    if not parts or len(parts) < len(found):
        return {kind_of(column.name): column.distinct}
    folds, repeats = map(set, zip(*parts, strict=True))
    return {"fold": len(folds)} | ({"repeat": len(repeats)} if repeats != {None} else {})


def _kind(folds: int, counts: Mapping[str, int]) -> Kind:
    if folds > 1:
        return "cross-validation"
    return "resamples" if "resample" in counts else "seeds"
