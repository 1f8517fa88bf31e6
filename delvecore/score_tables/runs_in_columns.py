"""Numbered columns, such as `acc_0, acc_1` and `fold 1, fold 2`: each holds a run, and becomes rows."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import pandas as pd

from delvecore.score_tables import names
from delvecore.score_tables.known_tables import stacked
from delvecore.score_tables.options import COLUMNS, Answer, Question, ScoreOptions
from delvecore.score_tables.score_file import Notes
from delvecore.score_tables.table import Column, Table

RUN_WORDS = names.words_in(
    "fold folds split splits seed seeds run runs rep reps repeat repeats repetition trial trials resample "
    "resamples cv replicate replication randomseed cvfold"
)
_STEMS = "xyrsvikft"
"""Single letters before a number that may stand for runs; others begin names, as in `m1`."""


class _Place(NamedTuple):
    """A number in a name: what stands before and behind it. word: of runs, before the number or behind it."""

    before: str
    after: str
    number: int
    word: str

    @property
    def rest(self) -> str:
        """What the name says without its number and the word for runs."""
        before = re.sub(rf"(?i){self.word}$", "", self.before.rstrip(" _.-#(=")) if self.word else self.before
        return re.sub(r"\(\s*\)", "", before + self.after).strip(" _.-()#:/")


def runs_in_rows(table: Table, options: ScoreOptions, notes: Notes) -> tuple[Table, ScoreOptions]:
    """The table with a row for each of several numbered columns; as it is without any. Question where they
    may be methods."""
    is_said = options.fold == (COLUMNS,) and not table.has(COLUMNS)
    places = {one.name: _places(one.name) for one in table.filled}
    certain = _best_places({name: [one for one in all_of if one.word] for name, all_of in places.items()})
    word = next((one.word for one in certain.values()), "run")
    if len({one.number for one in certain.values()}) < 2:
        certain = _of_metrics(table, places)
    if not certain:
        open_ones = _of_one_stem(table, places, options)
        if (
            not is_said
            and open_ones
            and options.transpose is None
            and not set(open_ones) & {*options.keep, *options.value}
        ):
            raise _methods_or_runs(table, [*open_ones])
        certain = open_ones if is_said else {}
    if is_said and not certain:
        raise table.fault("numbered columns, as the option fold says", "none", "leave the option out")
    if not certain or (set(certain) & {*options.keep, *options.value, *options.fold}):
        return table, options
    kind = word.lower().rstrip("s") if word else "run"
    long, omitted = _long(table, certain, kind)
    notes.take(
        "instance",
        f"numbered columns ({', '.join([*certain][:3])}, ...)",
        "said" if is_said else "name",
        option="keep",
    )
    notes.leave("column", omitted, "texts, or means and spreads of runs")
    fold = () if is_said else options.fold
    return table.with_frame(long), replace(options, fold=fold)


def has_runs(listed: Iterable[str]) -> bool:
    """Do some names say that columns hold numbered folds, seeds or runs?"""
    return len(_best_places({name: [one for one in _places(name) if one.word] for name in listed})) > 1


def _places(name: str) -> list[_Place]:
    found: list[_Place] = []
    if len(re.findall(r"\d+", name)) > 1 and not re.search(r"[A-Za-z]", name):
        return found  # a date or a version
    for match in re.finditer(r"(?<![\d])\d+(?![\d])", name):
        before, after = name[: match.start()], name[match.end() :]
        is_decimal = re.search(r"\d[.,]$", before) or re.match(r"[.,]\d", after)
        if is_decimal and not re.search(r"[A-Za-z]", before):
            continue
        found.append(_Place(before, after, int(match[0]), _run_word(before)))
    return found


def _run_word(before: str) -> str:
    """The word for runs that ends a text, such as `seed` of `acc (seed `."""
    last = re.search(r"([A-Za-z]+)[ _.\-#=]*$", before)
    word = re.sub(r".*(?<=[a-z])(?=[A-Z])", "", last[1]) if last else ""
    return word if word.lower() in RUN_WORDS else ""


def _best_places(places: Mapping[str, list[_Place]]) -> dict[str, _Place]:
    """For each name the place of a number that most names have, too."""
    groups: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for name, listed in places.items():
        for one in listed:
            groups[one.before, one.after][one.number] = name
    best = {}
    for name, listed in places.items():
        ranked = sorted(listed, key=lambda one: (len(groups[one.before, one.after]), len(one.before)))
        if ranked and len(groups[ranked[-1].before, ranked[-1].after]) > 1:
            best[name] = ranked[-1]
    return best


def _is_run(numbers: list[int]) -> bool:
    """Are these consecutive numbers from 0 or 1 on?"""
    return len(numbers) > 1 and sorted(numbers) in ([*range(len(numbers))], [*range(1, len(numbers) + 1)])


def _numeric(table: Table, places: Mapping[str, list[_Place]]) -> dict[str, _Place]:
    columns = {one.name: one for one in table.filled}
    best = _best_places(places)
    return {name: one for name, one in best.items() if columns[name].is_mostly_numbers}


def _of_metrics(table: Table, places: Mapping[str, list[_Place]]) -> dict[str, _Place]:
    """Consecutive numbers behind the name of a metric, as in `acc_0`, unless the number is part of it."""
    found = {}
    for name, one in _numeric(table, places).items():
        rest = one.rest or ""
        if (
            rest
            and (names.is_metric(rest) or names.only_direction(rest) is not None)
            and not names.is_metric(name)
            and rest.lower() not in _RANKED
        ):
            found[name] = one
    numbers: dict[str, list[int]] = defaultdict(list)
    for one in found.values():
        numbers[one.rest].append(one.number)
    return found if numbers and all(_is_run(listed) for listed in numbers.values()) else {}


_RANKED = ("bleu", "rouge", "hit", "hits", "recall", "precision", "ndcg", "top", "map", "f", "r")
"""Metrics whose names have numbers: `bleu 1`, `hits 10`."""


def _of_one_stem(
    table: Table, places: Mapping[str, list[_Place]], options: ScoreOptions
) -> dict[str, _Place]:
    """Columns with the same words and consecutive numbers, which may be runs of one method or methods."""
    found = _numeric(table, places)
    if not found or _others(table, found):
        return {}
    numbers: dict[str, list[int]] = defaultdict(list)
    for one in found.values():
        numbers[one.rest].append(one.number)
    if not all(_is_run(listed) for listed in numbers.values()) or len({*map(len, numbers.values())}) > 1:
        return {}
    for rest in numbers:
        if names.ends_with(rest, (*names.METHODS, *names.DATASETS)) and options.fold != (COLUMNS,):
            return {}
        if len(rest) == 1 and rest.lower() not in _STEMS and options.fold != (COLUMNS,):
            return {}
        if names.is_called(rest, names.ALGORITHMS) and len(numbers) == 1 and len(numbers[rest]) < 3:
            return {}
    return found


def _others(table: Table, found: Mapping[str, object]) -> list[Column]:
    """The columns of numbers beside numbered ones whose names say nothing else."""
    lists = (names.DATASETS, names.ROWS, names.IDENTIFIERS, names.SECONDS, names.COUNTS, names.PROPERTIES)
    numbers = [one for one in table.filled if one.is_mostly_numbers and one.name not in found]
    return [one for one in numbers if one.name and not names.is_called(one.name, *lists)]


def _methods_or_runs(table: Table, listed: list[str]) -> Question:
    methods = any(names.says(one.name, names.METHODS) for one in table.filled if not one.is_mostly_numbers)
    datasets = any(names.says(one.name, names.DATASETS) for one in table.filled)
    shown = ", ".join(map(repr, listed[:4])) + (", ..." if len(listed) > 4 else "")
    answers = [Answer("Columns are runs of one method", "fold", (COLUMNS,))]
    if methods and datasets:
        answers.insert(0, Answer(f"Only {listed[0]} is a score", "value", (listed[0],)))
    elif methods:
        answers.insert(0, Answer("Each column is a dataset", "transpose", True))
    else:
        answers.insert(0, Answer("Each column is a method", "transpose", False))
        if not any(names.says(one.name, names.ROWS) for one in table.filled):
            answers.insert(1, Answer("Each column is a dataset", "transpose", True))
    what = "metrics" if methods and datasets else "datasets" if methods else "methods"
    return table.question(f"columns that are {what}, or runs of one method", shown, answers)


def _about(name: str) -> list[str]:
    """The words of a name without those for means and spreads."""
    return [
        one for one in names.words_of(name) if one not in (*names.MEANS, *names.DEVIATIONS, "scores", "score")
    ]


def _long(table: Table, places: Mapping[str, _Place], kind: str) -> tuple[pd.DataFrame, list[str]]:
    """The table with a row a run, and the columns that hold no numbers."""
    columns = {one.name: one for one in table.filled}
    rests: dict[str, list[str]] = defaultdict(list)
    for name, one in places.items():
        rests[one.rest].append(name)
    scores = {
        rest for rest, listed in rests.items() if all(columns[name].is_mostly_numbers for name in listed)
    }
    omitted = [name for name, one in places.items() if one.rest not in scores]
    groups: dict[int, dict[str, str]] = defaultdict(dict)
    for name, one in places.items():
        if one.rest in scores:
            groups[one.number][name] = one.rest or "score"
    frame = table.frame.rename(columns={name: name.strip() for name in table.frame.columns})
    empty = [name for name in frame.columns if name not in columns and any(one.word for one in _places(name))]
    frame = frame.drop(columns=[*omitted, *empty])
    about = {frozenset(_about(rest)) for rest in scores}
    means = [
        one.name
        for one in table.filled
        if one.name not in places and frozenset(_about(one.name)) in about - {frozenset()}
    ]
    frame, omitted = frame.drop(columns=means), [*omitted, *means]
    taken = {one.name.lower() for one in table.columns}
    kind = kind if kind not in taken else f"{kind} of columns"
    return stacked(frame, dict(groups), kind), omitted
