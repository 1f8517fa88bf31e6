"""Wins and losses of a method by task and by kind of task, as tables and in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from delvecore.answers.answer import Answer, Column, IntervalFields, Kind, Table, table_of
from delvecore.answers.leaderboard import within_words
from delvecore.render.numbers import counted, integer
from delvecore.render.spans import as_name, plain, strong
from delvecore.report import words
from delvecore.report.ranking.sentences import (
    PLURALS,
    counted_units,
    first_few,
    group_name,
    named,
    places_words,
)
from delvecore.stats.array_types import Floats
from delvecore.stats.ranking.performance_profiles import NEAR, GroupRanks, group_ranks, is_best, resemblance
from delvecore.stats.ranking.ranks import TASK, unit_table
from delvecore.stats.ranking.score_table import ScoreTable

MOST_LISTED = 3
"""Maximum number of units that a text lists by name."""
FEW_TASKS = 3
ALIKE = 0.2
"""Minimum rank correlation of methods that a text calls alike."""
MEASURES = ("Mean rank", "Best", "Near", "Within reach")
"""Measures of a method on a kind of task: see `measure_words`."""


def measure_words(measure: str, group: GroupRanks) -> str:
    """Return the words for one of MEASURES: `Mean rank`, `Best on`, `Within 1 %`, `Within 10 %`."""
    near = [within_words(group.ratio, within).capitalize() for within in NEAR]
    return dict(zip(MEASURES, ("Mean rank", "Best on", *near), strict=True))[measure]


def measured(group: GroupRanks, measure: str) -> Floats:
    """Return one of MEASURES of each method on a kind of task."""
    return dict(zip(MEASURES, (group.average, group.first, *group.near), strict=True))[measure]


def leaders_of(group: GroupRanks, measure: str) -> list[str]:
    """Return the methods that one of MEASURES puts first on a kind of task; several if they tie."""
    values = measured(group, measure)
    best = values.min() if measure == MEASURES[0] else values.max()
    return [group.methods[place] for place in group.order if np.isclose(values[place], best)]


ASPECTS = {"family": "families", "training cases": "training sizes", "type of task": "types of tasks"}
"""Names of the kinds of tasks. The kinds of a factor are its levels."""
MOST_WORDS = 15
"""Maximum number of words in a heading."""


def kinds_heading(groups: Sequence[GroupRanks], measure: str) -> str:
    """`gp-1 has the best mean rank on 5 of 8 families.`: the method that one of MEASURES puts first on most
    kinds.
    """
    counts = Counter(name for group in groups for name in leaders_of(group, measure))
    most = max(counts.values())
    names = [name for name in groups[0].methods if counts[name] == most]
    kinds = ASPECTS.get(groups[0].aspect, f"levels of {groups[0].aspect}")
    where = f"on {most} of {len(groups)} {as_name(kinds)}"
    several = len(names) > 1
    lead = f"{named(names, 3)}{' each' * several}"
    if measure == MEASURES[0]:
        return f"{lead} {'have' if several else 'has'} the best mean rank {where}."
    how = "best" if measure == MEASURES[1] else measure_words(measure, groups[0]).lower()
    of = "" if measure == MEASURES[1] else " of the best"
    claims = [f"{lead} {'are' if several else 'is'} most often {how}{end} {where}." for end in (of, "")]
    return claims[len(plain(claims[0]).split()) > MOST_WORDS]


def kinds_by_method(groups: Sequence[GroupRanks], measure: str, methods: Sequence[str]) -> Table:
    """Return one of MEASURES with a row per method and a column per kind of task.

    The best values are bold.
    """
    columns, bold = [Column("method", "method", "name", list(methods))], set[tuple[int, str]]()
    kind: Kind = "number" if measure == MEASURES[0] else "share"
    for number, group in enumerate(groups):
        key, values = f"kind_{number}", measured(group, measure)
        rows = [values[group.methods.index(name)] for name in methods]
        about = f"{words.count(len(group.tasks), 'task')} of {counted_units(group.units, group.unit)}"
        columns.append(
            Column(key, kind_name(group), kind, rows, decimals=1 if kind == "number" else None, about=about)
        )
        first = leaders_of(group, measure)
        bold |= {(row, key) for row, name in enumerate(methods) if name in first}
    return Table(tuple(columns), frozenset(bold))


def is_thin(group: GroupRanks) -> bool:
    """Does a group have too few tasks for firm conclusions?"""
    return len(group.tasks) < FEW_TASKS


def kind_name(group: GroupRanks) -> str:
    """Return the name of a kind below the name of its aspect, with its tasks or units if they are few."""
    name = group.name.removesuffix(f" {group.aspect}")
    if is_thin(group):
        return f"{name} ({words.count(len(group.tasks), 'task')})"
    return group_name(replace(group, name=name))


def kinds_table(groups: Sequence[GroupRanks]) -> Table:
    """A row per kind of task and method, best mean rank first."""
    rows = [
        (
            *(group.name, len(group.tasks), group.units, group.methods[place], group.place(place)),
            *(group.places_of(place) or (None, None)),
            *(float(values[place]) for values in (group.average, group.first, *group.near)),
        )
        for group in groups
        for place in group.order
    ]
    near = [f"within_{integer(100 * within)}" for within in NEAR]
    kinds: dict[str, Kind] = {"kind": "name", "tasks": "count", "units": "count", "method": "name"}
    kinds |= dict.fromkeys(("place", "lowest_place", "highest_place"), "count")
    kinds |= {"mean_rank": "number", **dict.fromkeys(("best", *near), "share")}
    return table_of(rows, [(key, key.replace("_", " "), kind) for key, kind in kinds.items()])


class Where(NamedTuple):
    """A method on all tasks and on kinds of tasks.

    Attributes
    ----------
    place : int
        Rank of the method within a group.
    first, last : sequence of str
        Units, such as datasets, on which its mean is the best or the worst, ties included.
    whole : GroupRanks
        All tasks.
    groups : tuple of GroupRanks
        Kinds of tasks, in the order of the arguments.
    """

    method: str
    place: int
    first: Sequence[str]
    last: Sequence[str]
    whole: GroupRanks
    groups: tuple[GroupRanks, ...]


def where_of(
    table: ScoreTable,
    groups: Mapping[str, Mapping[str, Sequence[str]]],
    method: str,
    *,
    unit: str,
    level: float = 0.95,
) -> Where:
    """Return the wins and losses of a method of a table without gaps.

    `groups` is {aspect: {name: tasks}}. `unit` is the unit of replication. `level` is the confidence of the
    sets of places. Raises ValueError for a table with gaps.
    """
    units, place = unit_table(table, unit), table.methods.index(method)
    first, last = (
        [units.tasks[row] for row in np.flatnonzero(is_best(losses)[:, place])]
        for losses in (units.oriented, -units.oriented)
    )
    every = {"": {"all": table.tasks}, **groups}
    whole, *parts = group_ranks(table, every, unit=unit, level=level)
    return Where(method, place, first, last, whole=whole, groups=tuple(parts))


def where_answer(profile: Where) -> Answer:
    """On which kinds of tasks does a method win and lose?

    The first row covers all tasks; each row names the best method.
    """
    groups = (profile.whole, *profile.groups)
    table = kinds_table(groups)
    own = table.take([row for row, name in enumerate(table["method"]) if name == profile.method])
    first = [group.methods[group.order[0]] for group in groups]
    table = Table((*own.drop("method").columns, Column("first", "best mean rank", "name", first)))
    columns = ("place", "lowest_place", "highest_place", "← better   place by mean rank")
    line, labels = (float(profile.whole.place(profile.place)),), tuple(map(group_name, groups))
    figure = IntervalFields(("kind",), *columns, lines=line, labels=labels)
    sentence = where_sentence(profile)
    alt = f"Places of {profile.method} on kinds of tasks, with confidence sets. {sentence}"
    return Answer("where", sentence, table, (), figure, alt=alt)


def where_sentence(profile: Where) -> str:
    """Return a text such as this:

    `a has the best mean on 3 of 12 datasets (x, y and z) and the worst on none. It has the best ...`"""
    units = counted_units(profile.whole.units, profile.whole.unit)
    # If a unit has several tasks, their mean counts.
    is_best, last = ("is best", "last") if profile.whole.unit == TASK else ("has the best mean", "the worst")
    best = f"{as_name(profile.method)} {is_best} on {len(profile.first) or 'none'} of {units}"
    lead = strong(best) + _listed(profile.first)
    sentences = [f"{lead} and {last} on {len(profile.last) or 'none'}{_listed(profile.last)}."]
    if profile.groups:
        sentences += [_groups_won(profile), _changes(profile)]
    return " ".join(filter(None, sentences))


def method_heading(method: str, title: str, profile: Where | None) -> str:
    """`gp-1: Gaussian process regression; best on 7 of 8 bank datasets.`

    The text names the kind of task with the largest share of units on which no method is better. Kinds need
    at least three units. It names all tasks if no kind has a larger share. profile: None if the method cannot
    be compared.
    """
    what = as_name(method) if title == method else f"{as_name(method)}: {as_name(title)}"
    if profile is None:
        return what
    kinds = [profile.whole, *(one for one in profile.groups if one.units >= FEW_TASKS)]
    best = max(kinds, key=lambda one: float(one.first[profile.place]))
    count, units = round(float(best.first[profile.place]) * best.units), PLURALS[best.unit]
    if best is profile.whole:
        where = units
    elif best.aspect == "family":
        where = f"{as_name(best.name)} {units}"
    else:
        where = f"{units} ({as_name(best.name)})"
    claim = f"best on {count or 'none'} of {best.units} {where}"
    heading = f"{what}; {claim}."
    return heading if len(plain(heading).split()) <= MOST_WORDS else f"{as_name(method)}: {claim}."


def alike_sentence(table: ScoreTable, method: str) -> str:
    """Name the methods with the most and the least similar ranks over tasks; empty for two methods."""
    if len(table.methods) < 3:
        return ""
    correlations = resemblance(table)[table.methods.index(method)].tolist()
    pairs = [(value, name) for value, name in zip(correlations, table.methods, strict=True) if name != method]
    known = sorted((pair for pair in pairs if not np.isnan(pair[0])), key=lambda pair: -pair[0])
    if not known or known[0][0] < ALIKE:
        return "No other method does well and badly on the same tasks." if known else ""
    (highest, most), (lowest, least) = known[0], known[-1]
    sentence = f"The most similar is {strong(as_name(most))} (correlation of ranks over the tasks "
    sentence += f"{words.number(highest, digits=2)})"
    other = f", least {strong(as_name(least))} ({words.number(lowest, digits=2)})"
    return f"{sentence}{other if lowest < -ALIKE else ''}."


def _listed(units: Sequence[str]) -> str:
    return f" ({named(units)})" if 0 < len(units) <= MOST_LISTED else ""


def _groups_won(profile: Where) -> str:
    """List the kinds of tasks on which it has the best mean rank, or the others if those are fewer."""
    groups = profile.groups
    won = [one for one in groups if one.place(profile.place) == 1]
    kinds, lead = f"{counted(len(groups), 'kind')} of tasks", "It has the best mean rank on"
    if not won:
        best = min(one.place(profile.place) for one in groups)
        where = [one.name for one in groups if one.place(profile.place) == best]
        return f"{lead} none of {kinds}; its best place is {best}, on {named(where)}."
    if len(won) == len(groups):
        return f"{lead} every one of {kinds}."
    if 2 * len(won) <= len(groups):
        return f"{lead} {named([one.name for one in won])}."
    others = [one for one in groups if one.place(profile.place) > 1]
    first = [f"{as_name(one.name)} ({as_name(one.methods[one.order[0]])})" for one in others]
    return f"{lead} {len(won)} of {kinds}. Others are first on {first_few(first)}."


def _changes(profile: Where) -> str:
    """List the kinds of tasks whose confidence set of places excludes the overall place; empty
    without sets.
    """
    over_all = profile.whole.place(profile.place)
    sets = [(one, one.places_of(profile.place)) for one in profile.groups]
    known = [(one, places) for one, places in sets if places is not None]
    if not known:
        return ""
    changed = {
        "better": sorted((pair for pair in known if pair[1][1] < over_all), key=lambda pair: pair[1]),
        "worse": sorted((pair for pair in known if pair[1][0] > over_all), key=lambda pair: pair[1][::-1]),
    }
    parts = [
        f"{word} on {first_few([f'{as_name(one.name)} ({places_words(places)})' for one, places in groups])}"
        for word, groups in changed.items()
        if groups
    ]
    place = f"{over_all} of {len(profile.whole.methods)}"
    if not parts:
        return f"No kind of task is shown to change its overall place, {place}."
    return f"Its overall place is {place}, {strong(' and '.join(parts))}."
