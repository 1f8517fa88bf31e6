"""Roles of the numeric columns of a table, by rules on the properties of each column.

The first rule that applies decides. One question covers all columns that remain undecided."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import pandas as pd

from delvecore.errors import ParseError
from delvecore.score_tables import names
from delvecore.score_tables.cells import begins_with_score, parse_texts
from delvecore.score_tables.options import Answer, Question, ScoreOptions, keep_or_drop
from delvecore.score_tables.summaries import is_summary, is_summary_column
from delvecore.score_tables.table import Column, Table, determines

Role = Literal["score", "not used", "summary", "open"]
ODD_RATIO = 1000.0
"""A column whose numbers differ by this factor from the others may hold scores of another kind."""
NEAR, FAR = 3.0, 8.0
"""Usual ratio between the scores of methods, and the largest ratio that raises no question."""
PER_CENT = (30.0, 300.0)
"""Possible ratios of percentages to fractions."""
RELATED, UNRELATED, APART = 0.5, 0.2, 5.0
"""Rank correlations with the typical scores of rows from which a column is related, and below which it is
unrelated; distance from these scores, in median distances, beyond which it is apart."""
FEWEST, FEWEST_ALIKE = 5, 3
"""Rows needed to judge whether columns rise and fall together, and columns needed for a pattern of names."""
GENERIC = ("value", "values", "score", "scores", "metricvalue", "result", "results")
"""Names of columns that may hold scores, but do not name a method."""
NO_SCORES = (names.SECONDS, names.MEGABYTES, names.SIZES, names.COUNTS)
_PROPERTIES = names.words_in(
    "imbalance missingness dimensionality cardinality skewness kurtosis difficulty hardness entropy sparsity "
    "noise price frequency"
)
_NUMBERED = re.compile(r"(?P<stem>.*[^\W\d_])[-_ ]?\d+")
AVERAGES = ("macro avg", "weighted avg", "micro avg", "samples avg")
"""Summary rows of scikit-learn's classification reports."""
_BESIDE = names.words_in(
    "time times seconds duration durations memory train training rank ranks lower upper low high ci ci95 min "
    "max median mean best worst sec ms mb gb runtime latency cost lr alpha beta gamma lambda c depth dropout "
    "weight decay momentum temperature threshold fit predict learning"
)


def _ratio(values: np.ndarray, medians: np.ndarray) -> float:
    """Return the ratios of values to typical scores, inverted if below 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.abs(values / medians)
    ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
    typical = float(np.median(ratios)) if len(ratios) else 1.0
    return max(typical, 1 / typical)


def _is_called(column: Column, *lists: tuple[str, ...]) -> bool:
    """Is the name of a column in a list, without a unit in parentheses as in `Params (M)`?"""
    return column.is_called(*lists) or names.is_called(names.without_unit(column.name), *lists)


def _is_like(column: Column, others: Sequence[Column]) -> bool:
    """Are the numbers of a column in the range of the other columns, and fractions if the others are?"""
    if not others:
        return False
    values, all_others = column.parsed.value, [one.parsed.value for one in others]
    low, high = np.nanmin(all_others), np.nanmax(all_others)
    margin = 0.5 * (high - low)
    is_within = np.nanmin(values) >= low - margin and np.nanmax(values) <= high + margin
    is_fraction = not column.is_whole or column.distinct == 1
    return bool(is_within) and (is_fraction or any(one.is_whole for one in others))


def _goes_with(numbers: np.ndarray, medians: np.ndarray, least: float) -> bool:
    """Is the rank correlation of numbers with the typical scores at least a bound?"""
    there = ~np.isnan(numbers) & ~np.isnan(medians)
    values = pd.Series(numbers[there])
    is_seen = len(values) >= FEWEST and values.nunique() > 1
    correlation = values.corr(pd.Series(medians[there]), method="spearman") if is_seen else 0.0
    return bool((0.0 if np.isnan(correlation) else correlation) >= least)


def role_by_name(column: Column, others: Sequence[Column] = ()) -> Role | None:
    """Return the role that a numeric column's name implies, or None. others: columns with names of scores."""
    if is_summary_column(column, others):
        return "summary"
    words, name = column.words, column.name
    is_count = _is_called(column, names.COUNTS, names.P_VALUES) and len(name) > 1
    is_rank = not {"rank", "ranks"}.isdisjoint(words) or _is_called(column, GENERIC, names.CHANGES)
    if is_rank or (is_summary(name) and not is_count):
        return "open"
    lists = (names.SIZES, names.PROPERTIES, names.HORIZONS, names.IDENTIFIERS)
    is_property = _is_called(column, *lists) or name in ("", "#", "№")
    is_cost = names.is_cost(name) or _is_called(column, names.SECONDS, names.MEGABYTES)
    if is_count or is_cost or (is_property and column.has_whole_numbers):
        return "open" if _is_like(column, others) else "not used"
    is_described = len(words) > 1 and not set(names.PROPERTY_WORDS).isdisjoint(words)
    return "open" if is_property or is_described or names.ends_with(name, _PROPERTIES) else None


def _open_by_numbers(columns: Sequence[Column], *, is_scaled: bool) -> list[str]:
    """Return the columns whose numbers do not fit those of the others.

    They have a different scale, are whole numbers among fractions, or do not correlate with the others.
    is_scaled: does an option state the scale of the values?"""
    fractions = [one for one in columns if not one.is_whole]
    # Typical scores are the medians of the columns with fractions, or of all columns if none has fractions.
    # Most columns may have an upper bound, 1 or 100.
    table = np.array([one.parsed.value for one in fractions or columns])
    medians = np.nanmedian(table, axis=0) if len(columns) > 2 else table[0]
    low, high, unit, most = np.nanmin(table, axis=1), np.nanmax(table, axis=1), None, np.nanmax(table)
    for bound, share in ((1.0, 1 / 2), (100.0, 2 / 3)) if fractions else ():
        inside = table[(low >= 0) & (high <= bound)]
        if len(inside) >= len(table) * share and (len(inside) > 1 or len(table) < 3):
            unit, medians = bound, np.nanmedian(inside, axis=0)
            break
    related = 0.0
    if len(table) >= 3 and len(medians) >= FEWEST:
        ranks = pd.DataFrame(table.T).rank()
        related = float(ranks.corrwith(pd.Series(medians).rank()).fillna(0.0).median())
    spread = float(np.nanmedian(np.abs(table - medians)))
    ratio = float(np.median([_ratio(one.parsed.value, medians) for one in columns]))

    def is_open(column: Column) -> bool:
        values = column.parsed.value
        is_apart = bool(np.nanmedian(np.abs(values - medians)) > APART * spread)
        there = ~np.isnan(values) & ~np.isnan(medians)
        if np.count_nonzero(there) >= min(3, len(there)):
            typical = _ratio(values, medians)
            # Scores near zero are many times smaller than the others, but not far from them.
            is_far = typical > FAR and ratio < NEAR and is_apart
            if typical > ODD_RATIO or (is_far and not _goes_with(values, medians, RELATED)):
                return True
            is_scale = unit == 1 and (is_scaled or len(columns) < 3) and PER_CENT[0] < typical < PER_CENT[1]
            beyond = 0.0 if unit is None or is_scale else np.mean(np.abs(values[there]) > unit)
            is_beyond = beyond >= 0.5 or (beyond > 0 and typical >= NEAR)
            if is_beyond and not (typical < NEAR and _goes_with(values, medians, RELATED)):
                return True
        is_odd = column.is_whole and column.distinct > 2 and len(fractions) == len(columns) - 1
        # 80.0 is a fraction if it is printed as the others are.
        is_odd = is_odd and (column.is_typed or not any("." in text for text in column.levels))
        if is_odd and (np.nanmin(values) >= most or np.nanmax(values) > 3 * most):
            return True
        if related < 0.7 or np.count_nonzero(~np.isnan(values)) < FEWEST:
            return False
        return (
            is_apart and not column.is_called(names.ALGORITHMS) and not _goes_with(values, medians, UNRELATED)
        )

    return [one.name for one in columns if is_open(one)]


def judge_columns(
    columns: Sequence[Column], keep: Sequence[str], *, is_scaled: bool = False
) -> dict[str, Role]:
    """Decide which numeric columns of a wide table contain scores of one kind."""
    certain = {*alike(columns), *(one.name for one in columns if one.name in keep)}
    suspects = [one for one in columns if one.name not in certain and role_by_name(one) is not None]
    plain = [one for one in columns if one not in suspects]
    roles: dict[str, Role] = dict.fromkeys((one.name for one in columns), "score")
    roles |= {one.name: role_by_name(one, plain) or "score" for one in suspects}
    scores = [one for one in columns if roles[one.name] == "score"]
    if len(scores) > 1:
        unclear = _open_by_numbers(scores, is_scaled=is_scaled)
        if len(scores) == 2 and unclear:
            unclear = [one.name for one in scores]
        roles |= {name: "open" for name in unclear if name not in certain}
    return roles


def alike(columns: Sequence[Column]) -> list[str]:
    """Return the names that share the most frequent pattern: `m1, m2, ...`, or single letters."""
    patterns = {}
    for name in (one.name for one in columns):
        numbered = _NUMBERED.fullmatch(name)
        is_letter = len(name) == 1 and name.isalpha()
        patterns[name] = "a letter" if is_letter else numbered and numbered["stem"] + " and a number"
    counts = Counter(filter(None, patterns.values()))
    least = max(FEWEST_ALIKE, len(columns) / 2)
    return [name for name, pattern in patterns.items() if pattern and counts[pattern] >= least]


def ask(table: Table, listed: Sequence[str], expected: str = "scores of one kind") -> None:
    """Raise one question about all open columns, if there are any."""
    if listed:
        text = f"{'a column' if len(listed) == 1 else 'columns'} called {shortened(listed)}"
        raise table.question(expected, text, keep_or_drop(listed))


def shortened(listed: Sequence[str], most: int = 6) -> str:
    """Quote the names, or the first ones of many."""
    return ", ".join(map(repr, listed[:most])) + (", ..." if len(listed) > most else "")


def is_open_score(column: Column, *labels: pd.Categorical | None) -> bool:
    """May a column next to known metrics also be a metric?

    It has fractions and an unclear name, and its values do not follow from a label."""
    name = column.name
    lists = (names.PROPERTIES, names.HORIZONS, names.IDENTIFIERS, names.P_VALUES, names.INSTANCES)
    beside = {*names.PROPERTY_WORDS, *names.DEVIATIONS, *_BESIDE}
    says_more = _is_called(column, *NO_SCORES, *lists) or not name or is_summary(name)
    if says_more or column.has_whole_numbers or not beside.isdisjoint(column.words):
        return False
    several = [by for by in labels if by is not None and len(by.categories) < len(column)]
    return not any(determines(by, column.names) for by in several)


def ask_averages(table: Table, options: ScoreOptions) -> None:
    """Ask which row of a classification report to use, since classes are neither datasets nor methods."""
    for column in table.filled:
        rows = [level for level in AVERAGES if column.kind == "text" and level in column.levels]
        if rows and column.distinct > 1 and column.name not in dict(options.where):
            answers = [Answer(f"The rows {level}", "where", ((column.name, (level,)),)) for level in rows]
            expected = "one row per run, and not one per class"
            raise table.question(expected, f"{', '.join(column.levels[:3])}, ... in {column.name!r}", answers)


def has_numbers(column: Column) -> bool:
    """Is any cell of a column a number?"""
    return not bool(np.isnan(parse_texts(column.levels).value).all())


def ask_unread(table: Table, columns: Iterable[Column], *, are_scores: bool = False) -> None:
    """Ask about columns of text that may be scores. are_scores: are there also columns of scores?"""
    others = (*NO_SCORES, names.PROPERTIES, names.IDENTIFIERS, names.STATUSES)
    for column in columns:
        if column.is_typed or column.is_called(*others):
            continue
        texts = column.levels[:1000]
        cells = parse_texts(texts, column.decimal)
        words, numbers = (
            [texts[place] for place in np.flatnonzero(part)] for part in (cells.bad, ~np.isnan(cells.value))
        )
        unread = [text for text in words if begins_with_score(text)]
        row = int(table.frame.index[(column.names == (unread or words or [""])[0]).argmax()])
        if 2 * len(unread) > column.distinct:
            answers = [Answer("Leave it out", "drop", (column.name,))]
            expected = f"plain numbers in the column {column.name!r}"
            raise table.question(expected, repr(unread[0]), answers, row=row)
        if are_scores and any("." in text for text in numbers):
            raise ask_words(table, column, words, row)


def ask_words(table: Table, column: Column, words: Sequence[str], row: int) -> Question | ParseError:
    """Return the question about words in a column of scores, or the error about a cell with digits."""
    expected = f"a number or a missing value such as `NA` in the column {column.name!r}"
    if any(character.isdigit() for word in words for character in word) or not has_numbers(column):
        remedy = "correct it, or choose other columns of values"
        return table.fault(expected, repr(words[0]), remedy, row=row)
    failed = Answer("They are failed runs", "failed_words", tuple(words))
    answers = [failed, Answer("Leave these columns out", "drop", (column.name,))]
    return table.question(expected, ", ".join(map(repr, words[:6])), answers, row=row)
