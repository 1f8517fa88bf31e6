"""Which ranking is wanted? What cannot be had gives a notice in Markdown, and the nearest that can."""

import functools
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from dashboard.server.cache import cached
from dashboard.ui.controls import Facet
from dashboard.ui.selection import Selection, chosen_methods, note_missing_methods
from delvecore.archive import Archive
from delvecore.archive.leaderboards import TaskFacts, task_facts
from delvecore.measures import Measure
from delvecore.render.numbers import integer
from delvecore.report import words
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.ranking.ranks import methods_of_most_results
from delvecore.stats.verdicts import RankTest

FIXED = (
    ("task-origin", "Origin", "origin"),
    ("task-usage", "Usage", "usage"),
    ("task-type", "Task type", "task"),
    ("family", "Family", None),
)
LAST = (("size", "Training cases", "training set"), ("data", "Dataset", "dataset"))


@dataclass(frozen=True, slots=True)
class RankedTask:
    """A task with results under some loss. methods: by loss; facts: what it is, by filter."""

    path: str
    methods: Mapping[str, frozenset[str]]
    facts: Mapping[str, str]


@cached
def ranked_tasks(archive: Archive) -> dict[str, RankedTask]:
    """Every task with results, by full path, by dataset, prototask, prior and training size."""
    is_known = archive.results["standardized_mean"].is_valid().to_numpy()
    done = {words.task_path(*task): on for task, on in archive.index.methods_where(is_known).items()}
    once = functools.cache(frozenset[str])  # most tasks have the same methods
    return {
        path: RankedTask(path, {loss: once(names) for loss, names in done[path].items()}, _filters(facts))
        for path, facts in task_facts(archive).items()
        if path in done
    }


def _filters(facts: TaskFacts) -> dict[str, str]:
    return {
        "task-origin": facts.origin,
        "task-usage": facts.usage,
        "task-type": facts.task_type,
        "family": facts.family,
        **{f"factor-{name}": level for name, level in facts.factors.items()},
        "size": integer(facts.training_size),
        "data": facts.dataset,
    }


def facets_of(tasks: Sequence[RankedTask]) -> list[Facet[RankedTask]]:
    """Return the filters for these tasks: those by which they differ, with the options that there are."""
    factors = sorted({name for task in tasks for name in task.facts if name.startswith("factor-")})
    named = [(name, name.removeprefix("factor-").capitalize(), None) for name in factors]
    facets = []
    for name, title, term in (*FIXED, *named, *LAST):
        options = list(dict.fromkeys(task.facts[name] for task in tasks if name in task.facts))
        if all(text[:1].isdecimal() for text in options):
            # By 1024 of `1,024` and 8 of `8 inputs`.
            options = sorted(options, key=lambda text: int(text.split()[0].replace(",", "")))
        is_redundant = name == "family" and set(options) == {task.facts["data"] for task in tasks}
        if len(options) > 1 and not is_redundant:
            groups = functools.partial(_facts, name)
            facets.append(Facet(name, title, term, tuple(options), groups))
    return facets


def _facts(name: str, task: RankedTask) -> list[str]:
    return [task.facts[name]] if name in task.facts else []


TESTS = tuple(RankTest)
MOST_SHOWN, FEWER = 60, 20
"""Figures hold so many methods; of more than so many the best ones are drawn, unless more are asked for."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """All that was chosen on the page, and with it all that its numbers depend on.

    tasks: full paths; methods: those to be compared; keep: of these, those that are
    ranked however few runs they have, as the visitor chose them; control: the method that others
    are held against; unit: what counts once, None for the usual; test: one of
    TESTS; drop: `tasks` or `methods`, what is left out where a value is missing; most: so many methods are
    drawn, best mean rank first."""

    archive: Archive
    loss: str
    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    control: str | None
    test: RankTest
    setting: Setting = DEFAULT_SETTING
    keep: tuple[str, ...] = ()
    unit: str | None = None
    drop: str = "tasks"
    most: int = MOST_SHOWN

    @property
    def measure(self) -> Measure:
        return self.archive.measures[self.loss]


def losses_ranked(tasks: Mapping[str, RankedTask]) -> list[str]:
    """Return the losses under which there are two methods on two tasks, the most wanted first."""
    counts: dict[str, int] = {}
    for task in tasks.values():
        for loss, methods in task.methods.items():
            counts[loss] = counts.get(loss, 0) + (len(methods) > 1)
    return sorted((loss for loss, count in counts.items() if count > 1), key=words.loss_preference)


def choose_methods(
    available: Sequence[str],
    selection: Selection,
    notices: list[str],
    done: Sequence[Set[str]] = (),
    *,
    added: str | None = None,
) -> tuple[str, ...]:
    """Return the methods to compare: those chosen that are available; the usual ones if none were chosen.

    done: the methods that have a result, for each task. Usual are all methods; where most tasks would then
    be left out, those of the largest complete table, and a notice says so. added: a method that the visitor
    has added, which is always among the usual ones, on the tasks that it has."""
    note_missing_methods(available, selection, notices, shown="ranked")
    if (chosen := chosen_methods(available, selection)) is not None:
        return chosen
    mine = [methods for methods in done if added in methods]
    if added is not None and 0 < len(mine) < len(done):
        beside = methods_of_most_results(sorted(frozenset().union(*mine)), mine)
        notices.append(
            f"{words.escape(added)} is ranked beside methods of this archive, on the {integer(len(mine))} of "
            f"{integer(len(done))} tasks that it has results on. Choose methods to see them without it, "
            "or none as "
            "Mine to see all tasks."
        )
        return beside if added in beside else tuple(sorted({*beside, added}))
    usual = methods_of_most_results(available, done)
    left_out = [name for name in available if name not in usual]
    if left_out:
        named = words.and_list([words.escape(name) for name in left_out])
        lack, are = ("lacks", "is") if len(left_out) == 1 else ("lack", "are")
        notices.append(
            f"{named} {lack} results on most of these {integer(len(done))} tasks and {are} not compared "
            "here; "
            "choose methods to change that."
        )
    return usual


def choose_control(
    methods: Sequence[str], reference: str | None, test: RankTest, notices: list[str]
) -> str | None:
    """Return the control: the reference, else, where one is needed, the first by name, and say so."""
    if reference in methods:
        return reference
    if test != RankTest.CONTROL or not methods:
        return None
    name = min(methods)
    notices.append(
        f"{words.escape(name)} is the control, as it is the first by name; choose yours, and choose it "
        "before looking at the results."
    )
    return name
