"""Does a table hold scores of methods, or cases such as patients or flowers?

Names of columns decide: two typical columns of a table of scores, or the columns of a known program.
Otherwise the kind is unclear if rows have names, and numbers on one scale."""

import os
from collections.abc import Sequence
from math import prod
from typing import Literal

import numpy as np
import pandas as pd

from delvecore.errors import ParseError
from delvecore.score_tables import names
from delvecore.score_tables.files import plain_file
from delvecore.score_tables.formats import Source, read_content, table_in
from delvecore.score_tables.programs import known_source
from delvecore.score_tables.roles import metric_column, named, without
from delvecore.score_tables.table import Column, Table
from delvecore.score_tables.text_tables import NAMES_ABOVE

Kind = Literal["scores", "cases", "unclear"]
CASES_ALONE = ".arff"
"""The file suffix for cases, except for results of a program that also uses it."""
TARGETS = names.words_in("target class label classlabel species diagnosis survived churn default")
"""Names of classification targets, which are no roles of a table of scores."""
SAMPLE, BEGINNING = 2000, 1 << 18
"""Rows, and bytes of a text file, that determine the kind of a table."""
ONE_SCALE = 100.0
"""Columns whose median sizes differ by this factor do not hold the same measure."""
FEWEST, CORRELATED = 20, 0.2
"""Rows needed to judge whether columns rise and fall together, and the mean correlation if they do."""


TableKind = tuple[Kind, str]
"""The kind of a table, and the reason, as the end of a sentence that begins with `It looks so since`."""


def table_kind(frame: pd.DataFrame) -> TableKind:
    """Distinguish a table of scores from one of cases, by the names of columns and the first 2,000 rows.

    The kind is `unclear` if rows have names, and numbers on one scale, or if all columns are numbers on one
    scale that rise and fall together.

    Examples
    --------
    >>> table_kind(pd.DataFrame({"dataset": ["iris"], "method": ["svm"], "accuracy": ["0.9"]}))[0]
    'scores'
    >>> table_kind(pd.DataFrame({"rooms": ["3", "4"], "price": ["90000", "99000"]}))[0]
    'cases'
    >>> table_kind(pd.DataFrame({"": ["iris", "wine"], "svm": ["0.9", "0.7"], "knn": ["0.8", "0.7"]}))[0]
    'unclear'
    """
    frame = frame.head(SAMPLE)
    program = known_source(frame)
    if program is not None:
        return "scores", f"it has the columns of {program.title}"
    columns = Table("table", "", frame).filled
    numbers = sum(one.is_mostly_numbers for one in columns)
    why = f"its {len(columns)} columns ({numbers} numeric) do not look like scores, by name or by value"
    return _by_names(columns) or _by_shape(columns, len(frame)) or ("cases", why)


def file_kind(source: Source, *, name: str = "") -> TableKind:
    """Distinguish a file of scores from one of cases by its first lines. Raises ParseError without a
    table."""
    data, shown = read_content(source, name=name)
    if os.path.splitext(plain_file(shown))[1].lower() == CASES_ALONE:
        return "cases", "its name has the ending of a file of cases"
    try:
        return table_kind(_beginning(data, shown).frame)
    except ParseError as error:
        if error.expected != NAMES_ABOVE:
            raise
        return "cases", "its first line has numbers instead of names of columns"


def _beginning(data: bytes, name: str) -> Table:
    """Return the table in the first complete lines of a text, or in the whole text if these form no table."""
    end = data.rfind(b"\n", 0, BEGINNING) + 1
    if len(data) > BEGINNING:
        try:
            return table_in(data[:end], name)
        except ParseError:
            pass  # a row may continue after the end, and other formats have no lines
    return table_in(data, name)


def _by_names(columns: Sequence[Column]) -> TableKind | None:
    """Return the kind by names of columns: two typical columns of a table of scores, or a target."""
    metrics = [one for one in columns if one.is_mostly_numbers and names.is_metric(one.name)]
    of_metric = metric_column(columns)
    roles = {
        "methods": named(columns, names.METHODS),
        "datasets": named(columns, names.DATASETS),
        "metrics": metrics if of_metric is None else [of_metric],
        "folds or seeds": [one for one in named(columns, names.INSTANCES) if one.is_whole],
    }
    reasons = [f"{listed[0].name!r} is a name for {role}" for role, listed in roles.items() if listed]
    targets = [repr(one.name) for one in named(columns, TARGETS)]
    if len(reasons) > 1 and (roles["metrics"] or (roles["methods"] and roles["datasets"])):
        if targets and len(reasons) == 2:
            return "unclear", f"{reasons[0]}, but {targets[0]} is one for a target of cases"
        return "scores", " and ".join(reasons[:3])
    if targets:
        return None if reasons else ("cases", f"{targets[0]} is a name for a target of cases")
    has_numbers = any(one.is_mostly_numbers for one in columns[1:])
    if has_numbers and columns[0].is_called(names.OF_TASKS):
        return "scores", f"its first column is called {columns[0].name!r}"
    return None


def _by_shape(columns: Sequence[Column], rows: int) -> TableKind | None:
    """Return the kind if named rows have numbers on one scale, or rows are all combinations of labels."""
    numbers = [one for one in columns if one.is_mostly_numbers]
    texts = without(columns, numbers)
    named_rows = [one for one in texts if one.distinct == rows]
    first = numbers[0] if len(numbers) > 1 and not texts else None
    if first is not None and first.is_whole and first.distinct == rows:
        is_index = first.counts_rows or first.is_called(names.IDENTIFIERS)
        named_rows, numbers = ([first], numbers[1:]) if is_index else ([], numbers)
    if len(texts) > 1 and len(texts) == sum(one.is_label for one in texts) and numbers:
        listed = " and ".join(repr(one.name) for one in texts[:3])
        is_product = prod(one.distinct for one in texts) == rows
        return ("unclear", f"its rows are all combinations of {listed}") if is_product else None
    if len(numbers) < 2 or len(texts) > len(named_rows) or not _are_alike(numbers):
        return None
    why = f"its {len(numbers)} columns are numbers on one scale"
    if named_rows:
        why = f"each row has a name in {named_rows[0].name!r}, and its numbers are on one scale"
    return "unclear", why


def _are_alike(columns: Sequence[Column]) -> bool:
    """Do columns look like scores of methods: one sign, one scale, and correlated if they are long?"""
    values = pd.DataFrame([column.parsed.value for column in columns]).T.dropna()
    sizes = values.abs().median()
    is_one = len(values) and (values < 0).any().nunique() == 1
    if not is_one or sizes.max() > ONE_SCALE * max(sizes.min(), np.finfo(float).tiny):
        return False
    ranks = values.rank()
    correlations = ranks.loc[:, ranks.std() > 0].corr().to_numpy()
    pairs = correlations[~np.eye(len(correlations), dtype=bool)]
    return len(values) < FEWEST or not len(pairs) or bool(pairs.mean() > CORRELATED)
