"""What the columns of a table hold: a row of facts for each column, and lists of rules that judge it.

A rule sees the facts of one column and those of its neighbors. It returns a `Claim` (role, certainty and
reason), or None where it says nothing. The first rule of a list that says something decides. What no rule
holds for certain is open, and all open columns of a table stand in one question."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from delvecore.errors import ParseError
from delvecore.score_tables import names
from delvecore.score_tables.cells import begins_with_score, parse_cell
from delvecore.score_tables.options import Answer, Question, ScoreOptions, keep_or_drop
from delvecore.score_tables.summaries import is_summary, is_summary_column
from delvecore.score_tables.table import Column, Table, determines

Role = Literal["score", "not used", "summary", "open"]
ODD_RATIO = 1000.0
"""A column whose numbers are so many times those of the others may be no scores of the same kind."""
NEAR, FAR = 3.0, 8.0
"""How many times each other scores of methods mostly are, and may be without a question."""
RELATED, UNRELATED, APART = 0.5, 0.2, 5.0
"""Correlations of a column with the typical score of a row, and how far from it an unrelated one is."""
FEWEST = 5
"""Rows by which it is seen whether columns rise and fall together."""
GENERIC = ("value", "values", "score", "scores", "metricvalue", "result", "results")
"""Names of a column that may hold scores of no method."""
NO_SCORES = (names.SECONDS, names.MEGABYTES, names.SIZES, names.COUNTS)


class Claim(NamedTuple):
    """What a rule says of a column. reason: in words, as the reading shows it."""

    role: Role
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Facts:
    """The facts of a column of numbers by which it is judged.

    others: columns that hold scores by their names; reference: the typical score of each row."""

    column: Column
    others: Sequence[Column] = ()
    reference: "Reference | None" = None

    @property
    def name(self) -> str:
        return self.column.name

    @cached_property
    def values(self) -> np.ndarray:
        return self.column.parsed.value

    @cached_property
    def words(self) -> list[str]:
        return names.words_of(self.name)

    def is_called(self, *lists: tuple[str, ...]) -> bool:
        """Does its name, also without a unit in parentheses as in `Params (M)`, stand in a list?"""
        return names.is_called(self.name, *lists) or names.is_called(names.without_unit(self.name), *lists)

    @cached_property
    def is_like_others(self) -> bool:
        """Are its numbers within the range of the others, and not whole beside fractions?"""
        if not self.others:
            return False
        known = [one.parsed.value for one in self.others]
        low, high = np.nanmin(known), np.nanmax(known)
        margin = 0.5 * (high - low)
        is_within = np.nanmin(self.values) >= low - margin and np.nanmax(self.values) <= high + margin
        is_fraction = not self.column.is_whole or self.column.distinct == 1
        return bool(is_within) and (is_fraction or any(one.is_whole for one in self.others))


_LEAST, _MOST = 30.0, 300.0
"""How many times fractions per cent may be."""


class Reference(NamedTuple):
    """Typical scores of the rows of a wide table.

    medians: of each row; unit: the bound, 1 or 100, that most columns keep, or None; most: the largest of
    columns with fractions; related: the typical correlation of a column with the medians; spread: the typical
    distance from them; is_scaled: is the scale asked about elsewhere?; ratio: how many times the medians a
    column typically is."""

    medians: np.ndarray
    unit: float | None
    most: float
    related: float
    spread: float
    is_scaled: bool
    ratio: float


def reference_of(columns: Sequence[Column], *, is_scaled: bool = False) -> Reference:
    """The typical scores of rows, by the columns with fractions, or by all without any. is_scaled: does the
    caller say what is per cent, or are there two columns, which are asked about?"""
    fractions = [one for one in columns if not one.is_whole] or list(columns)
    values = np.array([one.parsed.value for one in fractions])
    medians = np.nanmedian(values, axis=0) if len(columns) > 2 else values[0]
    low, high = np.nanmin(values, axis=1), np.nanmax(values, axis=1)
    unit = None
    for bound in (1.0, 100.0) if any(not one.is_whole for one in columns) else ():
        within = int(np.count_nonzero((low >= 0) & (high <= bound)))
        least = len(fractions) / 2 if bound == 1 else len(fractions) * 2 / 3
        if within >= least and (within > 1 or len(fractions) < 3):
            unit = bound
            inside = values[(low >= 0) & (high <= bound)]
            medians = np.nanmedian(inside, axis=0)
            break
    related, spread = _related(values, medians), _spread(values, medians)
    ratio = float(np.median([_ratio(one.parsed.value, medians) for one in columns]))
    is_scaled = is_scaled or len(columns) < 3
    return Reference(medians, unit, float(np.nanmax(values)), related, spread, is_scaled, ratio)


def _ratio(values: np.ndarray, medians: np.ndarray) -> float:
    """How many times the typical scores are values, or the reverse?"""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.abs(values / medians)
    ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
    typical = float(np.median(ratios)) if len(ratios) else 1.0
    return max(typical, 1 / typical)


def _related(values: np.ndarray, medians: np.ndarray) -> float:
    if len(values) < 3 or len(medians) < FEWEST:
        return 0.0
    ranks = pd.DataFrame(values.T).rank()
    return float(ranks.corrwith(pd.Series(medians).rank()).fillna(0.0).median())


def _spread(values: np.ndarray, medians: np.ndarray) -> float:
    return float(np.nanmedian(np.abs(values - medians)))


def _correlation(values: np.ndarray, medians: np.ndarray) -> float:
    if len(values) < FEWEST:
        return 0.0
    found = pd.Series(values).corr(pd.Series(medians), method="spearman") if np.ptp(values) else 0.0
    return 0.0 if np.isnan(found) else float(found)


# Rules of the columns of numbers of a wide table, by their names. Each is judged beside the plain ones.
def _summary(one: Facts) -> Claim | None:
    if is_summary_column(one.column, one.others):
        return Claim("summary")
    return None


def _rank_or_change(one: Facts) -> Claim | None:
    is_rank = is_summary(one.name) or not {"rank", "ranks"}.isdisjoint(one.words)
    if is_rank or (one.is_called(GENERIC, names.COUNTS, names.P_VALUES) and len(one.name) > 1):
        return Claim("open", "its name is none of scores")
    return None


def _cost(one: Facts) -> Claim | None:
    if names.is_cost(one.name) or one.is_called(names.SECONDS, names.MEGABYTES):
        return Claim("open" if one.is_like_others else "not used", "a cost by its name")
    return None


def _property(one: Facts) -> Claim | None:
    lists = (names.SIZES, names.PROPERTIES, names.HORIZONS, names.IDENTIFIERS)
    is_property = one.is_called(*lists) or one.name in ("", "#", "№")
    if is_property and one.column.has_whole_numbers:
        return Claim("open" if one.is_like_others else "not used", "a property by its name")
    if is_property or (len(one.words) > 1 and not set(names.PROPERTY_WORDS).isdisjoint(one.words)):
        return Claim("open", "a property by its name")
    return Claim("open", "a property by its name") if one.words[-1:] in _PROPERTIES else None


_PROPERTIES = [
    [word] for word in ("imbalance", "missingness", "dimensionality", "cardinality", "skewness", "kurtosis")
]


# Rules by numbers.
def _other_scale(one: Facts) -> Claim | None:
    if (ref := one.reference) is None:
        return None
    there = ~np.isnan(one.values) & ~np.isnan(ref.medians)
    if np.count_nonzero(there) < min(3, len(there)):
        return None  # too few to tell
    typical = _ratio(one.values, ref.medians)
    # Scores near zero are many times smaller than the others, and no farther from them than these are.
    is_far = typical > FAR and ref.ratio < NEAR and _distance(one, ref) > APART * ref.spread
    if typical > ODD_RATIO or (is_far and not _goes_with(one, ref)):
        return Claim("open", "its numbers are of another scale")
    if ref.unit is None or (ref.unit == 1 and ref.is_scaled and _LEAST < typical < _MOST):
        return None  # asked about as a scale of its own
    beyond = np.mean(np.abs(one.values[there]) > ref.unit)
    if (beyond >= 0.5 or (beyond > 0 and typical >= NEAR)) and not (typical < NEAR and _goes_with(one, ref)):
        return Claim("open", "its numbers are of another scale")
    return None


def _distance(one: Facts, ref: Reference) -> float:
    """Return how far the numbers of a column typically are from the typical scores."""
    return float(np.nanmedian(np.abs(one.values - ref.medians)))


def _goes_with(one: Facts, ref: Reference) -> bool:
    """Do the numbers of a column rise and fall with the typical scores?"""
    there = ~np.isnan(one.values) & ~np.isnan(ref.medians)
    return _correlation(one.values[there], ref.medians[there]) >= RELATED


def _whole_beside_fractions(one: Facts) -> Claim | None:
    ref, column = one.reference, one.column
    if ref is None or not column.is_whole or column.distinct < 3 or any(c.is_whole for c in one.others):
        return None
    if np.nanmin(one.values) >= ref.most or np.nanmax(one.values) > 3 * ref.most:
        return Claim("open", "whole numbers beside fractions")
    return None


def _unrelated(one: Facts) -> Claim | None:
    """Scores of methods rise and fall together: what does not, and lies far off, may be none."""
    ref = one.reference
    if ref is None or ref.related < 0.7 or names.is_called(one.name, names.ALGORITHMS):
        return None
    there = ~np.isnan(one.values)
    if np.count_nonzero(there) < FEWEST:
        return None
    is_unrelated = _correlation(one.values[there], ref.medians[there]) < UNRELATED
    if is_unrelated and _distance(one, ref) > APART * ref.spread:
        return Claim("open", "its numbers do not go with the others")
    return None


BY_NAME: tuple[Callable[[Facts], Claim | None], ...] = (_summary, _rank_or_change, _cost, _property)
BY_NUMBERS: tuple[Callable[[Facts], Claim | None], ...] = (_other_scale, _whole_beside_fractions, _unrelated)


def judged(rules: Iterable[Callable[[Facts], Claim | None]], one: Facts) -> Claim:
    """What the first rule says that says anything; otherwise it holds scores."""
    return next((claim for rule in rules if (claim := rule(one)) is not None), Claim("score"))


def judge_columns(
    columns: Sequence[Column], keep: Sequence[str], *, is_scaled: bool = False
) -> dict[str, Claim]:
    """Judge the columns of numbers of a wide table, by name: which of them hold scores of one kind?"""
    claims = {name: Claim("score", "its name is like the others") for name in alike(columns)}
    claims |= {one.name: Claim("score", "your answer") for one in columns if one.name in keep}
    certain = set(claims)
    suspects = [one for one in columns if one.name not in claims and _is_suspect(one)]
    plain = [one for one in columns if one not in suspects]
    for column in suspects:
        claims[column.name] = judged(BY_NAME, Facts(column, plain))
    scores = [one for one in columns if one.name not in claims or claims[one.name].role == "score"]
    if len(scores) > 1:
        reference = reference_of(scores, is_scaled=is_scaled)
        found = {}
        for column in scores:
            others = [one for one in scores if one is not column] if column.is_whole else ()
            found[column.name] = judged(BY_NUMBERS, Facts(column, others, reference))
        if len(scores) == 2 and any(claim.role == "open" for claim in found.values()):
            found = dict.fromkeys(found, Claim("open", "their numbers are of two scales"))
        claims |= {name: claim for name, claim in found.items() if name not in certain}
    return {one.name: claims.get(one.name, Claim("score")) for one in columns}


FEWEST_ALIKE = 3
_NUMBERED = re.compile(r"(?P<stem>.*[^\W\d_])[-_ ]?\d+")


def alike(columns: Sequence[Column]) -> list[str]:
    """Return the names that most columns share a pattern with: `m1, m2, ...`, or single letters."""
    patterns = {one.name: _pattern(one.name) for one in columns}
    counts = Counter(filter(None, patterns.values()))
    usual = {pattern for pattern, count in counts.items() if count >= max(FEWEST_ALIKE, len(columns) / 2)}
    return [name for name, pattern in patterns.items() if pattern in usual]


def _pattern(name: str) -> str:
    if len(name) == 1 and name.isalpha():
        return "letter"
    numbered = _NUMBERED.fullmatch(name)
    return f"{numbered['stem']} and a number" if numbered else ""


def _is_suspect(column: Column) -> bool:
    """Does any rule by name say something of a column?"""
    return is_summary(column.name) or any(rule(Facts(column)) is not None for rule in BY_NAME[1:])


def ask(table: Table, claims: dict[str, Claim], expected: str = "scores of one kind") -> None:
    """Ask about all open columns, if there are any, in one question."""
    listed = [name for name, claim in claims.items() if claim.role == "open"]
    if listed:
        text = ", ".join(map(repr, listed[:6])) + (", ..." if len(listed) > 6 else "")
        found = f"{'a column' if len(listed) == 1 else 'columns'} called {text}"
        raise table.question(expected, found, keep_or_drop(listed))


# Rules of the columns of numbers of a long table that are no known metric.
def is_open_score(column: Column, datasets: pd.Categorical | None, methods: pd.Categorical | None) -> bool:
    """May a column beside known metrics be one, too: fractions that neither datasets nor methods determine,
    under a name that says nothing else?"""
    one = Facts(column)
    lists = (*NO_SCORES, names.PROPERTIES, names.HORIZONS, names.IDENTIFIERS, names.P_VALUES, names.INSTANCES)
    says_more = one.is_called(*lists) or not one.name or is_summary(one.name)
    beside = {*names.PROPERTY_WORDS, *names.DEVIATIONS, *_BESIDE}
    if says_more or column.has_whole_numbers or not beside.isdisjoint(one.words):
        return False
    return not any(by is not None and _tells(by, column) for by in (datasets, methods))


def _tells(by: pd.Categorical, column: Column) -> bool:
    """Do names that stand in several rows each have one number?"""
    return len(by.categories) < len(column) and determines(by, column.names)


_BESIDE = names.words_in(
    "time times seconds duration durations memory train training rank ranks lower upper low high ci ci95 min "
    "max median mean best worst sec ms mb gb runtime latency cost lr alpha beta gamma lambda c depth dropout "
    "weight decay momentum temperature threshold fit predict learning"
)


AVERAGES = ("macro avg", "weighted avg", "micro avg", "samples avg")
"""Rows of scikit-learn's reports of classes."""


def ask_averages(table: Table, options: ScoreOptions) -> None:
    """Ask which row of a report of classes counts: classes are neither datasets nor methods."""
    for column in table.filled:
        found = [level for level in AVERAGES if column.kind == "text" and level in column.levels]
        if found and column.distinct > 1 and column.name not in dict(options.where):
            answers = [Answer(f"The rows {level}", "where", ((column.name, (level,)),)) for level in found]
            expected = "one row a run, and not one a class"
            raise table.question(expected, f"{', '.join(column.levels[:3])}, ... in {column.name!r}", answers)


def has_numbers(column: Column) -> bool:
    """Is any cell of a column a number?"""
    return any(cell is not None and not np.isnan(cell.value) for cell in map(parse_cell, column.levels))


def ask_unread(table: Table, columns: Iterable[Column], *, are_scores: bool = False) -> None:
    """Ask about the columns of texts that may hold scores: those in which some cells are numbers with
    decimals. are_scores: do columns of scores stand beside them?"""
    others = (*NO_SCORES, names.PROPERTIES, names.IDENTIFIERS, names.STATUSES)
    for column in columns:
        if column.is_typed or names.is_called(column.name, *others):
            continue
        cells = {text: parse_cell(text, column.decimal) for text in column.levels[:1000]}
        unread = [text for text, cell in cells.items() if cell is None and begins_with_score(text)]
        words = [text for text, cell in cells.items() if cell is None]
        numbers = [text for text, cell in cells.items() if cell is not None and not np.isnan(cell.value)]
        row = int(table.frame.index[(column.names == (unread or words or [""])[0]).argmax()])
        if 2 * len(unread) > column.distinct:
            answers = [Answer("Leave it out", "drop", (column.name,))]
            expected = f"plain numbers in the column {column.name!r}"
            raise table.question(expected, repr(unread[0]), answers, row=row)
        if are_scores and any("." in text for text in numbers):
            raise ask_words(table, [column], words, row)


def ask_words(
    table: Table, columns: Sequence[Column], words: Sequence[str], row: int
) -> Question | ParseError:
    """The question what words in columns of scores are; the error about a cell with digits."""
    listed = tuple(dict.fromkeys(words))
    if any(character.isdigit() for word in listed for character in word) or not has_numbers(columns[0]):
        expected = f"a number or a missing value such as `NA` in the column {columns[0].name!r}"
        return table.fault(
            expected, repr(listed[0]), "correct it, or choose other columns of values", row=row
        )
    answers = [
        Answer("They are failed runs", "failed_words", listed),
        Answer("Leave these columns out", "drop", tuple(one.name for one in columns)),
    ]
    named = ", ".join(repr(one.name) for one in columns[:4])
    expected = f"a number or a missing value such as `NA` in the column {named}"
    return table.question(expected, ", ".join(map(repr, listed[:6])), answers, row=row)
