"""Is a table more likely one of scores, or one of cases with inputs and a target, and what speaks for it?"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from delvecore.errors import ParseError
from delvecore.readers.scores import words
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.content import Source, read_content
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.roles import is_wide, metric_column, named
from delvecore.readers.scores.sources.finding import known_source
from delvecore.readers.scores.structured import read_structured, shows_format
from delvecore.readers.scores.text import NAMES_ABOVE, beginning, read_text_table

__all__ = ["Likely", "likely_content", "likely_sheet"]

_SAMPLE = 2000
"""Lines by which a table is judged, and datasets that a table a line a dataset has at most."""
_ONE_SCALE = 100.0
"""How many times the numbers of one method may be those of another."""
_FEWEST, _CORRELATED = 20, 0.2
"""Datasets by which it is seen whether methods find the same ones hard, and how much they do."""


class Likely(NamedTuple):
    """What a table is, and why, as the end of a sentence that begins with `It looks so since`."""

    kind: Literal["scores", "cases"]
    why: str


def likely_content(source: Source, *, name: str = "") -> Likely:
    """Return what a file's table is more likely. Raises ParseError for a file that holds no table."""
    content = read_content(source, name=name)
    kind = shows_format(content.data)
    if kind is not None:
        return likely_sheet(read_structured(content.data, content.name, kind))
    try:
        return likely_sheet(read_text_table(beginning(content.data), content.name))
    except ParseError as error:
        if error.expected != NAMES_ABOVE:
            raise
        return Likely("cases", "its first line holds numbers where names of columns would stand")


def likely_sheet(sheet: Sheet) -> Likely:
    """Return what a table is more likely."""
    sheet = sheet.kept(np.arange(sheet.rows) < _SAMPLE) if sheet.rows > _SAMPLE else sheet
    filled = [column for column in sheet.columns if column.kind != "empty"]
    known = known_source(sheet)
    if known is not None:
        return Likely("scores", f"it has the columns of {known.title}")
    return _by_names(filled) or _by_shape(sheet, filled) or _cases(filled)


def _by_names(filled: Sequence[Column]) -> Likely | None:
    """Return that names of columns speak for scores: two of datasets, methods, metrics and instances."""
    metrics = [one for one in filled if one.is_mostly_numbers and words.is_metric(one.name)]
    of_metric = metric_column(filled)
    found = {
        "methods": _names(named(filled, words.METHODS)),
        "datasets": _names(named(filled, words.DATASETS)),
        "metrics": _names(metrics[:2] if of_metric is None else [of_metric]),
        "folds or seeds": _names([one for one in named(filled, words.INSTANCES) if one.is_whole]),
    }
    told = [f"{listed[0]!r} is a name for {role}" for role, listed in found.items() if listed]
    is_scored = len(told) > 1 and (found["metrics"] or (found["methods"] and found["datasets"]))
    return Likely("scores", " and ".join(told[:3])) if is_scored else None


def _names(columns: Sequence[Column]) -> list[str]:
    return [one.name for one in columns]


def _by_shape(sheet: Sheet, filled: Sequence[Column]) -> Likely | None:
    """Return that shape speaks for scores: each line has a name of its own, and its numbers are of one scale
    and rise and fall together, as those of methods on a dataset do."""
    if not is_wide(sheet, ScoreOptions()) or sheet.rows >= _SAMPLE:
        return None
    numbers = [one for one in filled if one.is_mostly_numbers and one.numbers is not None]
    texts = [one for one in filled if not one.is_mostly_numbers]
    if len(numbers) < 2 or len(texts) != 1 or texts[0].distinct < sheet.rows:
        return None
    sizes = [float(np.nanmedian(np.abs(one.numbers.values))) for one in numbers if one.numbers]
    if max(sizes) > _ONE_SCALE * max(min(sizes), 1e-300) or not _rise_together(numbers):
        return None
    return Likely("scores", f"each line has a name in {texts[0].name!r}, and its numbers are of one scale")


def _rise_together(columns: Sequence[Column]) -> bool:
    """Are columns correlated, or so short that this cannot be seen?"""
    values = np.array([column.numbers.values for column in columns if column.numbers])
    ranks = values[:, ~np.isnan(values).any(axis=0)].argsort(axis=1).argsort(axis=1)
    if ranks.shape[1] < _FEWEST:
        return True
    return bool((np.corrcoef(ranks).sum() - len(ranks)) / (len(ranks) * (len(ranks) - 1)) > _CORRELATED)


def _cases(filled: Sequence[Column]) -> Likely:
    texts = sum(not one.is_mostly_numbers for one in filled)
    numbers = len(filled) - texts
    said = f"none of its {len(filled)} columns ({numbers} of numbers) is called as methods or metrics are"
    return Likely("cases", said)
