"""Numbered columns, such as `acc_0, acc_1` and `fold 1, fold 2`. Each contains one run, and becomes rows."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from delvecore.score_tables import names
from delvecore.score_tables.column_roles import shortened
from delvecore.score_tables.known_tables import stacked
from delvecore.score_tables.options import COLUMNS, Answer, Question, ScoreOptions
from delvecore.score_tables.score_file import Notes
from delvecore.score_tables.table import Column, Table

RUN_WORDS = names.words_in(
    "fold folds split splits seed seeds run runs rep reps repeat repeats repetition trial trials resample "
    "resamples cv replicate replication randomseed cvfold"
)
_STEMS = "xyrsvikft"
"""Single letters that may mean runs before a number; others begin names, as in `m1`."""
_RANKED = ("bleu", "rouge", "hit", "hits", "recall", "precision", "ndcg", "top", "map", "f", "r")
"""Metrics whose names have numbers: `bleu 1`, `hits 10`."""
_OTHERS = (names.DATASETS, names.ROWS, names.IDENTIFIERS, names.SECONDS, names.COUNTS, names.PROPERTIES)
"""Names of columns of numbers next to numbered ones."""


_Places = Mapping[str, re.Match[str]]
"""The number in each of some names."""


def _around(number: re.Match[str]) -> tuple[str, str]:
    """Return the texts before and after a number in a name."""
    return number.string[: number.start()], number.string[number.end() :]


def _word(number: re.Match[str]) -> str:
    """Return the word before a number that means runs, such as `fold`, or an empty text."""
    last = re.search(r"([A-Za-z]+)[ _.\-#=]*$", _around(number)[0])
    word = re.sub(r".*(?<=[a-z])(?=[A-Z])", "", last[1]) if last else ""
    return word if word.lower() in RUN_WORDS else ""


def _rest(number: re.Match[str]) -> str:
    """Return a name without its number and the word that means runs."""
    before, after = _around(number)
    if word := _word(number):
        before = re.sub(rf"(?i){word}$", "", before.rstrip(" _.-#(="))
    return re.sub(r"\(\s*\)", "", before + after).strip(" _.-()#:/")


def runs_in_rows(table: Table, options: ScoreOptions, notes: Notes) -> tuple[Table, ScoreOptions]:
    """Return the table with a row for each of several numbered columns. Raises Question."""
    is_option = options.fold == (COLUMNS,) and not table.has(COLUMNS)
    listed, scores = [one.name for one in table.filled], {*options.keep, *options.value}
    runs: _Places = _numbered(listed, has_word=True)
    kind = next((_word(one).lower().rstrip("s") for one in runs.values()), "run")
    numeric = {one.name for one in table.filled if one.is_mostly_numbers}
    numbered = {name: one for name, one in _numbered(listed).items() if name in numeric}
    if len({int(one[0]) for one in runs.values()}) < 2:
        runs = _of_metrics(numbered)
    if not runs and (is_option or (options.transpose is None and scores.isdisjoint(numbered))):
        runs = numbered if _have_one_stem(table, numbered, is_option=is_option) else {}
        if runs and not is_option:
            raise _methods_or_runs(table, [*runs])
    if is_option and not runs:
        raise table.fault("numbered columns, as the option fold requires", "none", "leave the option out")
    if not runs or not {*scores, *options.fold}.isdisjoint(runs):
        return table, options
    long, omitted = _stacked_runs(table, runs, kind or "run")
    taken = f"numbered columns ({', '.join([*runs][:3])}, ...)"
    notes.take("instance", taken, "said" if is_option else "name", option="keep")
    notes.leave("column", omitted, "texts, or means and spreads of runs")
    return table.with_frame(long), replace(options, fold=() if is_option else options.fold)


def has_runs(listed: Iterable[str]) -> bool:
    """Do some names show that columns hold numbered folds, seeds or runs?"""
    return len(_numbered(listed, has_word=True)) > 1


def _numbered(listed: Iterable[str], *, has_word: bool = False) -> dict[str, re.Match[str]]:
    """Return, for each name, the number at the position that most names share.

    `has_word` accepts only numbers after a word for runs.
    """
    places = {name: [one for one in _places(name) if not has_word or _word(one)] for name in listed}
    groups: dict[tuple[str, str], set[int]] = defaultdict(set)
    for one in (one for of_name in places.values() for one in of_name):
        groups[_around(one)].add(int(one[0]))
    best = {}
    for name, of_name in places.items():
        ranked = sorted(of_name, key=lambda one: (len(groups[_around(one)]), one.start()))
        if ranked and len(groups[_around(ranked[-1])]) > 1:
            best[name] = ranked[-1]
    return best


def _places(name: str) -> list[re.Match[str]]:
    """Return the whole numbers in a name; none in a date or a version."""
    if len(re.findall(r"\d+", name)) > 1 and not re.search(r"[A-Za-z]", name):
        return []
    places = []
    for match in re.finditer(r"\d+", name):
        before, after = _around(match)
        is_decimal = re.search(r"\d[.,]$", before) or re.match(r"[.,]\d", after)
        if re.search(r"[A-Za-z]", before) or not is_decimal:
            places.append(match)
    return places


def _counts_by_rest(places: _Places) -> dict[str, int]:
    """Count the numbers for each name without its number. Return none unless all count from 0 or 1 without
    gaps."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for one in places.values():
        numbers[_rest(one)].append(int(one[0]))
    for listed in numbers.values():
        if len(listed) < 2 or sorted(listed) not in ([*range(len(listed))], [*range(1, len(listed) + 1)]):
            return {}
    return {rest: len(listed) for rest, listed in numbers.items()}


def _of_metrics(places: _Places) -> _Places:
    """Return consecutive numbers after names of metrics, as in `acc_0`, but not in `hits 10`."""
    runs = {}
    for name, one in places.items():
        rest = _rest(one)
        says_metric = names.is_metric(rest) or names.only_direction(rest) is not None
        if says_metric and rest.lower() not in _RANKED and not names.is_metric(name):
            runs[name] = one
    return runs if _counts_by_rest(runs) else {}


def _have_one_stem(table: Table, places: _Places, *, is_option: bool) -> bool:
    """Do columns have the same words and consecutive numbers, so that they may be runs of one method?"""
    counts = _counts_by_rest(places)
    others = [one for one in table.filled if one.is_mostly_numbers and one.name not in places]
    if len({*counts.values()}) != 1 or any(one.name and not one.is_called(*_OTHERS) for one in others):
        return False
    for rest, count in counts.items():
        is_name = names.ends_with(rest, (*names.METHODS, *names.DATASETS))
        is_letter = len(rest) == 1 and rest.lower() not in _STEMS
        if (is_name or is_letter) and not is_option:
            return False
        if names.is_called(rest, names.ALGORITHMS) and len(counts) == 1 and count < 3:
            return False
    return True


def _methods_or_runs(table: Table, listed: Sequence[str]) -> Question:
    """Return the question of whether numbered columns are methods, datasets, metrics or runs."""
    texts = [one for one in table.filled if not one.is_mostly_numbers]
    methods = any(names.says(one.name, names.METHODS) for one in texts)
    datasets = any(names.says(one.name, names.DATASETS) for one in table.filled)
    answers = [Answer("Each column is a dataset", "transpose", True)]
    if methods and datasets:
        answers = [Answer(f"Only {listed[0]} is a score", "value", (listed[0],))]
    elif not methods:
        has_rows = any(names.says(one.name, names.ROWS) for one in table.filled)
        answers = [Answer("Each column is a method", "transpose", False), *([] if has_rows else answers)]
    answers.append(Answer("Columns are runs of one method", "fold", (COLUMNS,)))
    what = "metrics" if methods and datasets else "datasets" if methods else "methods"
    return table.question(f"columns that are {what}, or runs of one method", shortened(listed, 4), answers)


def _about(name: str) -> frozenset[str]:
    """Return the words of a name without those for means, spreads and scores."""
    return frozenset(names.words_of(name)) - {*names.MEANS, *names.DEVIATIONS, "scores", "score"}


def _stacked_runs(table: Table, places: _Places, kind: str) -> tuple[pd.DataFrame, list[str]]:
    """Return the table with a row per run, and the columns without numbers."""
    texts = {one.name for one in table.filled if not one.is_mostly_numbers}
    rests = {name: _rest(one) for name, one in places.items()}
    no_scores = {rest for name, rest in rests.items() if name in texts}
    omitted = [name for name, rest in rests.items() if rest in no_scores]
    groups: dict[int, dict[str, str]] = defaultdict(dict)
    for name, rest in rests.items():
        if rest not in no_scores:
            groups[int(places[name][0])][name] = rest or "score"
    about = {_about(rest) for rest in {*rests.values()} - no_scores} - {frozenset()}
    columns: list[Column] = [one for one in table.filled if one.name not in places]
    omitted += [one.name for one in columns if _about(one.name) in about]
    filled = {one.name for one in table.filled}
    frame = table.frame.rename(columns=str.strip)
    empty = [name for name in frame.columns if name not in filled and any(map(_word, _places(name)))]
    kind = kind if not table.has(kind) else f"{kind} of columns"
    return stacked(frame.drop(columns=[*omitted, *empty]), dict(groups), kind), omitted
