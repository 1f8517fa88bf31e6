"""Comparison of two methods on one task: the better one, the size of the difference, its certainty, and the
test cases that decide.

A pair is a row of the archive's `comparisons`, with numbers in units of the baseline as `standardized_...`.
Sentences mark names and important parts: see `render.spans`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.answers.answer import Answer, Column, IntervalFields, Kind, Table, table_of
from delvecore.losses.spec import measure_named
from delvecore.measures import Baseline, Measure, Measures
from delvecore.model import SCORED, SLASH, TaskId
from delvecore.render.answers import records
from delvecore.render.grid import NOTHING, Grid, grid_of_texts
from delvecore.render.grid import Column as GridColumn
from delvecore.render.numbers import counted, decimals_for, integer, p_text, parameter, percent, rounded
from delvecore.render.spans import as_name, plain, strong
from delvecore.render.verdicts import SIGNIFICANTLY
from delvecore.report import words
from delvecore.report.verdict_words import NO_DIFFERENCE, PHRASES
from delvecore.stats import notes
from delvecore.stats.array_types import Floats
from delvecore.stats.choose import (
    FEWEST_COMMON_CASES,
    SIGNIFICANT,
    Setting,
    Verdict,
    adjustment_words,
    turned_verdict,
    words_of_tests,
)
from delvecore.stats.losses.case_tests import POWER, CaseDifferences, cases_needed
from delvecore.stats.losses.results import standardized_spread
from delvecore.stats.notes import Note, parsed, words_of
from delvecore.stats.orientation import oriented
from delvecore.tables import distinct_rows, values_of

Row = Mapping[str, Any]
"""Row of an Arrow table as a mapping, to which further columns may be added."""
IDENTICAL = "identical"
MOST_SHOWN = 60
"""Maximum number of printed rows; data frames have all rows."""
MOST_NOTES = 5
_KINDS: dict[str, Kind] = dict.fromkeys(("difference", "lower", "upper"), "number")
SPREADS = ("sd_training", "sd_cases", "sd_residual")
STOCHASTIC = "sd_stochastic"
"""Column with the standard deviation between runs of a method on the same training set."""
_WHY_NOT = {
    notes.ONE_TRAINING_SET: "there is one training set only, so the uncertainty cannot be estimated",
    notes.ONE_TEST_CASE: "there is one test case only, so the uncertainty cannot be estimated",
    notes.FEW_TEST_CASES: f"estimating the uncertainty needs {FEWEST_COMMON_CASES} common test cases",
    notes.TOO_LARGE: "the losses are too large for a test",
    notes.ZERO_VARIANCE: "the difference is the same everywhere, so p is undefined",
    notes.SAME_TRAINING_SETS: "all have the same training set, so the uncertainty cannot be estimated",
    notes.REORDERED: "the same test cases are listed in different orders, and no analysis allows for that",
    notes.UNKNOWN_SPLITS: (
        "nothing shows how the folds were drawn; say design='cross-validation', or "
        "design='repeated cross-validation' or 'resampled' with share= the share of cases in a test set"
    ),
}
_CLIPPED = set(notes.CLIPPED.values())
_NOT_COMPARED = {
    note.code
    for note in (notes.UNKNOWN_TASK, notes.NO_SHARED_INSTANCE, notes.UNEQUAL_LOSSES, notes.MIXED_SIZES)
}
_LIMITED = {
    note.code for note in (notes.SAME_TRAINING_SETS, notes.REORDERED, notes.ONE_SPLIT, notes.ONE_TEST_SET)
}
"""Kinds of shared cases that no test accounts for."""


def with_first(pair: Row, first: str) -> Row:
    """Return a pair with the method `first` as method_a: differences change their sign with the order."""
    turned = dict(pair)
    if pair["method_a"] == first:
        return turned
    for key, value in pair.items():
        if key.endswith("_a"):
            turned |= {key: pair[f"{key[:-1]}b"], f"{key[:-1]}b": value}
        elif key.endswith("lower"):
            upper = key.replace("lower", "upper")
            turned |= {key: _negative(pair[upper]), upper: _negative(value)}
        elif key.endswith(("difference", "statistic")):
            turned[key] = _negative(value)
    turned["verdict"] = turned_verdict(pair["verdict"])
    return turned | {"notes": [str(note.turned) for note in parsed(pair["notes"])]}


def _negative(value: float | None) -> float | None:
    return value if value is None or value == 0 else -value


def _has(pair: Row, note: Note) -> bool:
    return note in parsed(pair["notes"])


def pair_verdict(pair: Row) -> str:
    """Verdict of the test on a minus b: `better`, `worse`, `not significant`, `not tested`, `identical`."""
    verdict: str = pair["verdict"]
    return IDENTICAL if _has(pair, notes.IDENTICAL) else verdict


def verdict_with_p(pair: Row) -> str:
    """`worse, p = 0.012`; without p if there is none."""
    return verdict_text(pair_verdict(pair), pair["p_adjusted"])


def verdict_text(verdict: str, p: float | None) -> str:
    """`worse, p = 0.012`; without p if there is none."""
    return verdict if p is None else f"{verdict}, {words.p_value(p)}"


def pair_heading(pair: Row, measure: Measure, place: str) -> str:
    """`a is significantly better than b on /demo/age/std.8.`: result of a test, in at most 15 words."""
    a, b, place = as_name(pair["method_a"]), as_name(pair["method_b"]), as_name(place)
    if _has(pair, notes.IDENTICAL):
        return f"{a} and {b} have the same {_value_on_each(measure)} of {place}."
    if pair["difference"] is None or _has(pair, notes.NOT_FINITE):
        infinite = [one for one, side in ((a, "mean_a"), (b, "mean_b")) if pair[side] == math.inf]
        if len(infinite) == 1:
            return f"{infinite[0]} has an infinite loss on {place}; {b if infinite == [a] else a} does not."
        return f"{a} and {b} cannot be compared on {place}."
    if pair["p_adjusted"] is None:
        return f"The difference between {a} and {b} on {place} is not tested."
    if pair["verdict"] not in SIGNIFICANT:
        return f"{capital(NO_DIFFERENCE)} between {a} and {b} on {place}."
    better, worse = (a, b) if pair["verdict"] == Verdict.BETTER else (b, a)
    return f"{better} is {PHRASES[Verdict.BETTER]} than {worse} on {place}."


def pair_size(pair: Row, measure: Measure, *, level: float, standardized: bool = False) -> str:
    """`lin-1 loses 0.33 more than knn-cv-1, 95 % interval 0.00 to 0.67.`, or why there is no test."""
    if _has(pair, notes.IDENTICAL):
        return ""
    if pair["difference"] is None or _has(pair, notes.NOT_FINITE):
        return f"{capital(reason_of(pair))}."
    size, interval = _size_and_interval(pair, measure, level=level, standardized=standardized)
    if pair["p_adjusted"] is None:
        return f"{size}, but {reason_of(pair)}."
    return f"{', '.join(filter(None, (size, interval)))}."


def _value_on_each(measure: Measure) -> str:
    """`loss on every test case`, `accuracy on every instance`."""
    return "loss on every test case" if measure.is_loss else f"{as_name(measure.title)} on every instance"


def _size_and_interval(pair: Row, measure: Measure, *, level: float, standardized: bool) -> tuple[str, str]:
    """`a loses 0.33 more than b` and `95 % interval 0.00 to 0.67`, which is empty without an interval."""
    difference, *ends = (
        pair[f"{'standardized_' if standardized else ''}{name}"] for name in ("difference", "lower", "upper")
    )
    decimals = _decimals(*ends)
    size = _size(pair, difference, decimals, measure)
    if decimals is None:
        return size, ""
    # Interval of the difference in words, which has no sign.
    lower, upper = ends if difference >= 0 else (-ends[1], -ends[0])
    return size, f"{percent(level)} interval {_shown(lower, decimals)} to {_shown(upper, decimals)}"


def pair_sentence(pair: Row, measure: Measure, *, level: float, standardized: bool = False) -> str:
    """`lin-1 loses 0.33 more than knn-cv-1, 95 % interval 0.00 to 0.67, p = 0.053, 8 training sets: ...`

    The interval comes from the same test as p. DELVE's own standard error does not, so it appears in tables
    only.
    """
    a, b = as_name(pair["method_a"]), as_name(pair["method_b"])
    if _has(pair, notes.IDENTICAL):
        same = strong(f"{a} and {b} have the same {_value_on_each(measure)}")
        return f"{same}: there is no difference to test."
    if pair["difference"] is None or _has(pair, notes.NOT_FINITE):
        return _without_difference(pair, a, b)
    size, interval = _size_and_interval(pair, measure, level=level, standardized=standardized)
    size = strong(size)
    if pair["p_adjusted"] is None:
        return f"{size}, {'not tested:' if why_untestable(pair) else 'but'} {reason_of(pair)}."
    basis = ", ".join(filter(None, (interval, words.p_value(pair["p_adjusted"]), basis_of(pair))))
    better = a if oriented(pair["difference"], measure) < 0 else b
    is_significant = pair["verdict"] in SIGNIFICANT
    verdict_phrase = f"{better} is {PHRASES[Verdict.BETTER]}" if is_significant else NO_DIFFERENCE
    power = cases_for_power(pair, level=level)
    more = f" For a difference of this size {power}." if power else ""
    return f"{size}{' (standardized)' if standardized else ''}, {basis}: {strong(verdict_phrase)}.{more}"


def _decimals(lower: float | None, upper: float | None) -> int | None:
    """Return the decimals of a difference with these bounds; its error is a quarter of their distance.

    None without bounds.
    """
    if lower is None or upper is None or not math.isfinite(upper - lower):
        return None
    return decimals_for((upper - lower) / 4)


def _shown(value: float, decimals: int) -> str:
    return rounded(value, decimals).replace("-", "−")


def _size(pair: Row, difference: float, decimals: int | None, measure: Measure) -> str:
    """`a loses 0.33 more than b`, `The accuracy of a is 0.33 lower than that of b`."""
    a, b = as_name(pair["method_a"]), as_name(pair["method_b"])
    amount = words.number(abs(difference)) if decimals is None else _shown(abs(difference), decimals)
    if measure.is_loss:
        size = (
            f"{amount} {'more' if difference > 0 else 'less'} than" if difference else "on average as much as"
        )
        return f"{a} loses {size} {b}"
    side = "higher" if difference > 0 else "lower"
    size = f"{amount} {side} than" if difference else "on average the same as"
    return f"The {as_name(measure.title)} of {a} is {size} that of {b}"


def training_sets(row: Row) -> int:
    """Return the number of training sets behind a result.

    Bootstrap .632 also counts the set of all cases, which is excluded here.
    """
    count: int = row["instances"]
    return count - (notes.BOOTSTRAP_632 in parsed(row["notes"]))


def samples_of(row: Row, remarks: Sequence[Note]) -> str:
    """`200 bootstrap samples (.632)`; empty unless the design is a bootstrap."""
    if notes.BOOTSTRAP in remarks:
        return words.count(row["instances"], "bootstrap sample") + " (e0)"
    if notes.BOOTSTRAP_632 in remarks:
        return words.count(training_sets(row), "bootstrap sample") + " (.632)"
    return ""


def basis_of(row: Row) -> str:
    """Describe the replicates of a comparison.

    `8 training sets`, `10 training sets that overlap` if the numbers allow for it, `200 bootstrap samples`.
    """
    remarks = parsed(row.get("notes"))
    if of_cases := _basis_of_cases(row, remarks):
        return of_cases
    if notes.UNPAIRED in remarks:
        return "runs that are not paired"
    if notes.ONE_SPLIT in remarks:
        return words.count(row["instances"], "run") + " on one split, so for this split only"
    if samples := samples_of(row, remarks):
        return samples
    if counts := next((note.numbers[1:3] for note in remarks if note.code == notes.MCNEMAR.code), None):
        only = (
            f"{parameter(counts[n])} that only {as_name(row[f'method_{one}'])}" for n, one in enumerate("ab")
        )
        return f"{words.count(row['instances'], 'case')} left out in turn, {' and '.join(only)} gets wrong"
    if notes.ONE_TEST_SET in remarks:
        return words.count(row["instances"], "training set") + " with one test set"
    overlap = any(note.code in notes.OVERLAPS for note in remarks)
    return words.count(row["instances"], "training set") + " that overlap" * overlap


def _basis_of_cases(row: Row, remarks: Sequence[Note]) -> str:
    """`220 test cases of one run, so valid for these models on such cases, not for new training`; empty for
    other designs.
    """
    known = {note.code: note.numbers for note in remarks}
    if not known.keys() & {notes.CASES.code, notes.CASE_GROUPS.code, notes.CASE_RUNS.code}:
        return ""
    cases = words.count(row["test_cases"], "test case")
    runs = "one run" if row["instances"] == 1 else words.count(row["instances"], "run")
    groups = known.get(notes.CASE_GROUPS.code)
    if row["instances"] > 1 and not groups:
        return f"{cases} in {runs}, so valid for such cases and such runs"
    kept = f" in {words.count(int(groups[0]), 'group')}" if groups else ""
    return f"{cases}{kept} of {runs}, so valid for these models on such cases, not for new training"


def cases_for_power(pair: Row, *, level: float) -> str:
    """`about 940 such cases give 80 % power`; empty unless the test is case by case."""
    codes = {note.code for note in parsed(pair["notes"])}
    if pair["p_adjusted"] is None or not codes & {notes.CASES.code, notes.CASE_GROUPS.code}:
        return ""
    needed = cases_needed(pair["difference"], pair["standard_error"] or 0.0, pair["test_cases"], level=level)
    return "" if needed is None else f"about {integer(needed)} such cases give {percent(POWER)} power"


def _without_difference(pair: Row, a: str, b: str) -> str:
    infinite = [name for name, side in ((a, "mean_a"), (b, "mean_b")) if pair[side] == math.inf]
    if len(infinite) == 1:
        other = b if infinite == [a] else a
        lead = strong(f"{infinite[0]} has an infinite loss, but {other} does not")
        return f"{lead}: {infinite[0]} gave probability zero to what happened. A test is not possible."
    if infinite:
        return f"{strong(f'{a} and {b} both have infinite losses')}: they cannot be compared under this loss."
    return f"{strong(f'{a} and {b} cannot be compared here')}: {reason_of(pair)}."


def why_untestable(pair: Row) -> str:
    """`not tested: not testable with 5 test cases (smallest adjusted p 0.062)`; empty for other pairs."""
    return words_of(note for note in parsed(pair["notes"]) if note.code in notes.NOT_TESTABLE) or ""


def reason_of(pair: Row) -> str:
    remarks = parsed(pair["notes"])
    reason = next((why for note, why in _WHY_NOT.items() if note in remarks), None)
    return (
        reason
        or why_untestable(pair).removeprefix("not tested: ")
        or as_name(pair["note"] or "there is no test")
    )


def caution_about(note: Note, pair: Row) -> tuple[str, bool] | None:
    """Return the caveat of a note, and whether it affects the result rather than only one of its terms."""
    if note in _CLIPPED:
        return words_of([note]) or "", False
    if note.code == notes.SHARED_INSTANCES.code:
        return f"compared on the {words.count(int(note.numbers[0]), 'training set')} that both have", True
    if note.code == notes.MCNEMAR.code:  # The table of pairs has the counts of each pair.
        text = (
            "leave-one-out with losses of 0 or 1 cannot compare methods, but 10 folds can; All pairs has "
            "McNemar's "
        )
        return f"{text}test of these two classifiers, on this training set", True
    if note == notes.UNPAIRED or note.code in _NOT_COMPARED | notes.OVERLAPS:
        said = words_of([note], methods=(pair["method_a"], pair["method_b"]))
        is_allowed_for = note == notes.UNPAIRED or note.code in notes.OVERLAPS - _LIMITED
        return as_name(said or ""), not is_allowed_for
    return None


def capital(text: str) -> str:
    """Return a text with a capital letter after the marks of spans."""
    start = len(text) - len(text.lstrip("\ue000\ue001\ue002"))
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def comparison_sentence(table: pa.Table, setting: Setting, *, measures: Measures) -> str:
    """Return the number of significant pairs, or the result of the test if there is one pair."""
    if table.num_rows == 1:
        row = table.to_pylist()[0]
        measure = measure_named(row["loss"], measures)
        sentence = plain(pair_sentence(row, measure, level=setting.level))
        if row["p_adjusted"] is None:
            return sentence
        noted = f" {capital(row['note'])}." if row["note"] else ""
        return f"{sentence} Tested by {words_of_tests({row['test']})}.{noted}"
    tasks = len(distinct_rows(table, ["dataset", "prototask", "task"]))
    counts = counts_sentence(values_of(table, "verdict"), tasks, setting)
    untested = table.filter(pc.equal(table["verdict"], Verdict.NOT_TESTED)).select(["notes"])
    return " ".join([counts, *untestable_sentences(untested.to_pylist())])


def untestable_sentences(pairs: Iterable[Row]) -> list[str]:
    """Return a sentence for each of the first reasons why no data could make some pairs significant."""
    return [f"{capital(text)}." for text in sorted({*map(why_untestable, pairs)} - {""})[:MOST_NOTES]]


def counts_sentence(verdicts: Sequence[str], tasks: int, setting: Setting) -> str:
    """Report the number of significant pairs among these verdicts on a number of tasks."""
    counts = Counter(verdicts)
    differ = sum(counts[one] for one in SIGNIFICANT)
    return (
        f"On {counted(tasks, 'task')} {differ} of {counted(len(verdicts), 'pair')} of methods differ "
        f"{SIGNIFICANTLY}; not significant: {counts[Verdict.NOT_SIGNIFICANT]}, "
        f"not tested: {counts[Verdict.NOT_TESTED]} "
        f"({percent(setting.level)}; p {adjustment_words(setting.adjust, what='pairs of a task')})."
    )


def comparison_answer(table: pa.Table, setting: Setting, *, measures: Measures) -> Answer:
    """Pairwise comparisons: a row per task and pair, with all columns of `comparisons`."""
    frame = table.to_pandas()
    names = frame["dataset"].str.replace(SLASH, "/")
    frame["dataset"] = frame["dataset"].where(frame["prototask"] != SCORED, names)
    frame["notes"] = frame["notes"].map(list)
    columns = tuple(Column(key, key, _KINDS.get(key, "name"), frame[key]) for key in frame)
    tests, remarks = (set(frame[name].dropna()) for name in ("test", "note"))
    adjusted = adjustment_words(setting.adjust, what="pairs of a task")
    lines = [f"p: {words_of_tests(tests)}, {adjusted}."] if tests else []
    compared = [measure_named(key, measures) for key in frame["loss"].unique()]
    for measure in compared:
        means = "mean losses" if measure.is_loss else f"mean {measure.title}"
        side = "above" if measure.higher_is_better else "below"
        lines.append(f"a - b: of {means}, {measure.direction}; {side} zero a is better.")
    lines += [f"{capital(note)}." for note in sorted(remarks)[:MOST_NOTES]]
    place = [key for key in ("dataset", "prototask", "task") if frame[key].nunique() > 1]
    axis = words.better_side("difference, a - b", higher=compared[0].higher_is_better)
    figure = IntervalFields((*place, "method_a", "method_b"), "difference", "lower", "upper", axis, (0.0,))
    headline = comparison_sentence(table, setting, measures=measures)
    return Answer("compare", headline, Table(columns), tuple(lines), figure)


def comparison_grid(answer: Answer, *, level: float) -> Grid:
    """Return the first MOST_SHOWN pairs with difference, interval and p; significant verdicts are bold.

    The width of the interval sets the number of digits in its row."""
    table = answer.table.take(range(min(len(answer.table), MOST_SHOWN)))
    places = zip(table["dataset"], table["prototask"], table["task"], strict=True)
    tasks = [TaskId(*place).title for place in places]
    texts = {"Task": tasks} if len(set(tasks)) > 1 else {}
    texts |= {side: list(table[f"method_{side}"]) for side in "ab"}
    ends = list(zip(table["lower"], table["upper"], strict=True))
    decimals = [_decimals(lower, upper) for lower, upper in ends]
    titles = {"difference": "a - b", "lower": f"{percent(level)} from", "upper": "to"}
    for key, title in titles.items():
        values = zip(table[key], decimals, strict=True)
        texts[title] = [rounded(one, 4 if n is None else n) or NOTHING for one, n in values]
    texts["p"] = [p_text(p) or NOTHING for p in table["p_adjusted"]]
    rows = records(table)
    texts["a is"] = list(map(pair_verdict, rows))
    columns = [GridColumn(title, "r" if title in (*titles.values(), "p") else "l") for title in texts]
    bold = {(place, len(columns) - 1) for place, row in enumerate(rows) if row["verdict"] in SIGNIFICANT}
    left = len(answer.table) - len(table)
    return grid_of_texts(
        columns,
        list(zip(*texts.values(), strict=True)),
        caption=answer.headline,
        notes=[*answer.notes, *([f"{left} more pairs are in the data frame."] if left else [])],
        label="tab:comparison",
        bold=bold,
    )


BINS = 61
INSIDE = 0.99
FEW_VALUES = 12


BIN_COLUMNS: list[tuple[str, str, Kind]] = [
    ("low", "from", "number"),
    ("high", "to", "number"),
    ("cases", "cases", "count"),
    ("beyond", "and beyond", "name"),
]
"""Cases whose difference lies in an interval, or equals one value if low equals high.

beyond: whether the interval is at an end and also counts the few cases outside.
"""


class TaskFigure(NamedTuple):
    """Input of a figure in addition to the columns of its answer.

    Attributes
    ----------
    looks : mapping of str to MethodStyle
        Style of each method.
    axis : str
        Title of the axis of losses, or of another drawn quantity.
    baseline : Baseline, optional
        Baseline that a line in the figure marks; None for raw losses.
    is_higher : bool
        Whether higher values are better, as for some metrics.
    design : str
        `hierarchical` or `common`.
    names : tuple of str
        The two methods of a histogram of cases.
    mean : float
        Mean difference of the two methods; NaN without cases.
    wins : str
        Verb phrase for the better method on a case.
    """

    looks: Mapping[str, Any]
    axis: str = ""
    baseline: Baseline | None = None
    is_higher: bool = False
    design: str = "hierarchical"
    names: tuple[str, ...] = ()
    mean: float = math.nan
    wins: str = "loses less"


def deciding_cases(
    differences: CaseDifferences,
    names: tuple[str, str],
    *,
    measure: Measure,
    constant: float | None = None,
    is_common: bool = False,
) -> Answer:
    """Distribution over test cases of the difference of the first method minus the second.

    `constant` is the baseline's loss, which standardizes differences; None for raw ones. `is_common` is true
    if all training sets have one test set. The sentence is Markdown.
    """
    values = differences.difference[np.isfinite(differences.difference)]
    if constant is not None:
        spread = standardized_spread(measure.key, values, constant)
        values = values if spread is None else spread
    mean = float(values.mean()) if len(values) else math.nan
    axis = words.measure_axis(measure, standardized=constant is not None, difference=True)
    bins = bins_of(values)
    less, more = (sum(row[2] for row in bins.rows if side * (row[0] + row[1]) > 0) for side in (-1, 1))
    value = "loss" if measure.is_loss else measure.title
    alt = (
        f"Test cases by the difference between {names[0]} and {names[1]}: {words.count(less, 'case')} with a "
        f"smaller {value}, {more} with a larger one, mean difference {words.number(mean, digits=3)}"
    )
    notes = ("Test cases by their difference; hatched bars also count the cases beyond them.",)
    sentence = _deciding_sentence(differences, names, measure, is_common=is_common)
    wins = "loses less" if measure.is_loss else "is better"
    higher = measure.higher_is_better
    figure = TaskFigure({}, axis, is_higher=higher, names=names, mean=mean, wins=wins)
    return Answer("cases", sentence, bins, notes, figure, alt=alt)


def _deciding_sentence(
    differences: CaseDifferences, names: tuple[str, str], measure: Measure, *, is_common: bool
) -> str:
    values = differences.difference
    total = len(values)
    less, more = int((values < 0).sum()), int((values > 0).sum())
    kind = "test case" if is_common else "tested case"
    less_on, more_on = (words.share(count, total) for count in (less, more))
    first, of_all = as_name(names[0]), words.count(total, kind)
    sides = f"{first} loses less on {less_on} of {of_all}, more on {more_on}"
    if not measure.is_loss:
        title = as_name(measure.title)
        sides = f"{first} has a lower {title} on {less_on} of {of_all}, a higher one on {more_on}"
    few = max(total // 100, 1)
    share = differences.share_of_largest(few)
    if not differences.different:
        return f"{sides}: they do not differ anywhere."
    if share is None:
        return f"{sides}; they differ on {words.count(differences.different, kind)}, but no case stands out."
    carry = "case with the largest difference accounts for"
    carry = carry if few == 1 else f"{few} cases with the largest differences account for"
    return f"{sides}; the {carry} {words.share(round(1000 * share), 1000)} of the total absolute difference."


def bins_of(values: Floats) -> Table:
    """Count values: individually if few are distinct, otherwise in BINS intervals that hold 99 % of them."""
    distinct, counts = np.unique(np.round(values, 12), return_counts=True)
    if len(distinct) <= FEW_VALUES:
        pairs = zip(distinct.tolist(), counts.tolist(), strict=True)
        return table_of([(value, value, count, False) for value, count in pairs], BIN_COLUMNS)
    reach = np.quantile(np.abs(values), INSIDE) or np.abs(values).max()
    counts, edges = np.histogram(np.clip(values, -reach, reach), bins=BINS, range=(-reach, reach))
    beyond = [bool((values < -reach).any()), *[False] * (BINS - 2), bool((values > reach).any())]
    ends = edges[:-1].tolist(), edges[1:].tolist()
    return table_of(zip(*ends, counts.tolist(), beyond, strict=True), BIN_COLUMNS)
