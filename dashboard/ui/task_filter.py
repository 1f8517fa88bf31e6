"""Filters for the ranked tasks. They are in the address, and common to all pages that rank methods."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard.server.cache import cached
from dashboard.ui import controls, selection
from dashboard.ui.controls import Facet
from delvecore.archive import Archive
from delvecore.archive.leaderboards import TaskFacts, task_facts
from delvecore.render.numbers import integer
from delvecore.report import words

SIZE, OLD_SIZE = "training-size", "size"
"""The parameter for numbers of training cases, now and in older addresses."""
FIXED = (
    ("task-origin", "Origin", "origin"),
    ("task-usage", "Usage", "usage"),
    ("task-type", "Task type", "task"),
    ("family", "Family", None),
)
LAST = ((SIZE, "Training cases", "training set"), ("data", "Dataset", "dataset"))
MOST_CHIPS = 8
"""Largest number of options shown as chips; a filter with more is a list."""


@dataclass(frozen=True, slots=True)
class RankedTask:
    """A task with results under some loss.

    Attributes
    ----------
    methods : Mapping[str, frozenset of str]
        Methods by loss.
    facts : mapping of str to str
        Properties of the task, by filter.
    """

    path: str
    methods: Mapping[str, frozenset[str]]
    facts: Mapping[str, str]


@cached
def ranked_tasks(archive: Archive) -> dict[str, RankedTask]:
    """Return every task with results, by full path, sorted by dataset, prototask, prior and training size."""
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
        **{f"{selection.FACTOR}{name}": level for name, level in facts.factors.items()},
        SIZE: integer(facts.training_size),
        "data": facts.dataset,
    }


def facets_of(tasks: Sequence[RankedTask]) -> list[Facet[RankedTask]]:
    """Return the filters for these tasks: the properties that distinguish them, with the available
    options."""
    factors = sorted({name for task in tasks for name in task.facts if name.startswith(selection.FACTOR)})
    named = [(name, name.removeprefix(selection.FACTOR).capitalize(), None) for name in factors]
    facets = []
    for name, title, term in (*FIXED, *named, *LAST):
        options = list(dict.fromkeys(task.facts[name] for task in tasks if name in task.facts))
        if all(text[:1].isdecimal() for text in options):
            # Sort by 1024 of `1,024` and 8 of `8 inputs`.
            options = sorted(options, key=lambda text: int(text.split()[0].replace(",", "")))
        is_redundant = name == "family" and set(options) == {task.facts["data"] for task in tasks}
        if len(options) > 1 and not is_redundant:
            groups = functools.partial(_facts, name)
            facets.append(Facet(name, title, term, tuple(options), groups))
    return facets


def _facts(name: str, task: RankedTask) -> list[str]:
    return [task.facts[name]] if name in task.facts else []


@dataclass(frozen=True)
class TaskFilter:
    """The filters in the address.

    Attributes
    ----------
    facets : Sequence[Facet[RankedTask]]
        Filters.
    chosen : Mapping[str, sequence of str]
        Chosen options by filter.
    tasks : sequence of RankedTask
        Tasks that match, under any loss.
    """

    facets: Sequence[Facet[RankedTask]]
    chosen: Mapping[str, Sequence[str]]
    tasks: Sequence[RankedTask]

    @property
    def options(self) -> list[str]:
        """All chosen options."""
        return [option for options in self.chosen.values() for option in options]

    def under(self, loss: str) -> list[RankedTask]:
        """Return the matching tasks on which two methods have results under a loss."""
        return [task for task in self.tasks if len(task.methods.get(loss, ())) > 1]


def wanted_tasks(archive: Archive, notices: list[str]) -> TaskFilter:
    """Return the tasks that match the address; none if it has only unknown options."""
    tasks = list(ranked_tasks(archive).values())
    if OLD_SIZE in st.query_params:
        selection.choose_local(SIZE, st.query_params.get_all(OLD_SIZE))
        del st.query_params[OLD_SIZE]
    facets, chosen, is_unknown = facets_of(tasks), dict[str, list[str]](), False
    for facet in facets:
        chosen[facet.name], unknown = selection.asked_of(facet.name, facet.options)
        for text, near in unknown.items():
            what = f"No task here has the {facet.title.lower()} “{words.escape(text)}”"
            notices.append(f"{what}; {f'this is {words.escape(near)}' if near else 'it is left out'}.")
        is_unknown = is_unknown or bool(unknown and not chosen[facet.name])
    return TaskFilter(facets, chosen, [] if is_unknown else controls.matching(tasks, facets, chosen))


def choose_tasks(archive: Archive, loss: str, notices: list[str]) -> list[RankedTask]:
    """Show the filters of tasks behind a button; return the matching tasks under a loss.

    notices: receives unavailable requests."""
    wanted = wanted_tasks(archive, notices)
    candidates = [task for task in ranked_tasks(archive).values() if len(task.methods.get(loss, ())) > 1]
    fitting = wanted.under(loss)
    label = words.some_of(len(fitting), len(candidates), "task").capitalize()
    about = words.escape(", ".join(wanted.options))
    with controls.chip("Tasks", label, icon=":material/filter_alt:", key="task-filters", help=about):
        for facet in facets_of(candidates):
            counts = controls.counts_of(facet, candidates, wanted.facets, wanted.chosen)
            controls.facet_control(facet, facet.options, counts)
    return fitting


Chip = tuple[str, str]
"""A filter and one of its options."""


def _says_what_data_are_like(facet: Facet[RankedTask]) -> bool:
    return facet.name in ("task-type", SIZE) or facet.name.startswith(selection.FACTOR)


def _is_list(facet: Facet[RankedTask]) -> bool:
    return _says_what_data_are_like(facet) and len(facet.options) > MOST_CHIPS


def show_lists(wanted: TaskFilter) -> None:
    """Show the filters on properties of data that are too long for chips."""
    for facet in filter(_is_list, wanted.facets):
        shown: dict[str, Any] = {"placeholder": "all", "width": 200}
        title = words.escape(facet.title)
        selection.local(st.multiselect, title, facet.name, facet.options, several=True, **shown)


def show_chips(wanted: TaskFilter) -> None:
    """Show the properties of data as chips, for all filters at once.

    Other filters have a removable chip for each chosen option."""
    facets = [facet for facet in wanted.facets if not _is_list(facet)]
    chips = [
        (facet.name, option)
        for facet in facets
        for option in (facet.options if _says_what_data_are_like(facet) else wanted.chosen[facet.name])
    ]
    pressed = [chip for chip in chips if chip[1] in wanted.chosen[chip[0]]]

    def take(new: Sequence[Chip]) -> None:
        for facet in facets:
            selection.choose_local(facet.name, [option for name, option in new if name == facet.name])

    if chips:
        about = {"selection_mode": "multi", "wrap": True, "format_func": _chip_words}
        selection.kept(
            st.pills, "Data like mine", chips, key="data-like-mine", value=pressed, then=take, **about
        )


def _chip_words(chip: Chip) -> str:
    name, option = chip
    text = words.escape(words.short_line(option, longest=40))
    return f"{text} training cases" if name == SIZE else text
