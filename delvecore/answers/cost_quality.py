"""Which methods are worth their cost, and how a method's cost and quality stand among the others'."""

from dataclasses import dataclass

import numpy as np

from delvecore.answers.answer import Answer, Field, IntervalFields
from delvecore.report.ranking.sentences import PLURALS, counted_units
from delvecore.report.writers.text import counted
from delvecore.stats.array_types import Floats
from delvecore.stats.choose import percent
from delvecore.stats.ranking.pareto_front import CostFront
from delvecore.stats.ranking.ranks import LEAST_UNITS


@dataclass(frozen=True)
class Cheaper:
    """How many other methods are cheaper than one; how many of these have a lower mean loss, how many a
    better mean rank."""

    cheaper: int
    lower_loss: int
    better_rank: int


@dataclass(frozen=True, eq=False)
class Costs:
    """Cost and quality of methods: arrays with one entry a method.

    front: seconds and mean losses; mean_rank: of the ranking; megabytes: the most that was used, not a number
    where it is not known; unit, units: what counts once, and over how many seconds and losses are; ranked:
    over how many the ranks are; left_out: tasks on which the costs of some method are not known."""

    methods: tuple[str, ...]
    front: CostFront
    mean_rank: Floats
    megabytes: Floats
    unit: str
    units: int
    ranked: int
    left_out: int

    def cheaper_than(self, method: str) -> Cheaper:
        """Return how many other methods cost less than this one, and how good they are."""
        place, front = self.methods.index(method), self.front
        cheaper = front.cost < front.cost[place]
        return Cheaper(
            int(cheaper.sum()),
            int((cheaper & (front.loss < front.loss[place])).sum()),
            int((cheaper & (self.mean_rank < self.mean_rank[place])).sum()),
        )

    @property
    def has_intervals(self) -> bool:
        """Are there units enough for intervals?"""
        return self.units >= LEAST_UNITS

    @property
    def basis(self) -> str:
        """Return such as `12 datasets`."""
        return counted_units(self.units, self.unit)


def cheaper_words(costs: Costs, method: str) -> str:
    """Return such as `3 of the 4 others are cheaper; of these 1 has a lower mean loss, 2 have a better mean
    rank`."""
    found, others = costs.cheaper_than(method), len(costs.methods) - 1
    said = f"{found.cheaper or 'none'} of the {others} others {'is' if found.cheaper < 2 else 'are'} cheaper"
    if not found.cheaper:
        return said
    lower, better = _have(found.lower_loss), _have(found.better_rank)
    return f"{said}; of these {lower} a lower mean loss, {better} a better mean rank"


def _have(count: int) -> str:
    return f"{count or 'none'} {'has' if count < 2 else 'have'}"


def front_names(costs: Costs) -> list[str]:
    """Return the methods on the front, cheapest first."""
    order = np.argsort(costs.front.cost, kind="stable")
    return [costs.methods[place] for place in order if costs.front.on_front[place]]


def front_sentence(costs: Costs, names: str) -> str:
    """Return the sentence on the methods that no other beats. names: of these, as they are to be written."""
    return f"No other method is cheaper and has a lower mean loss than {names} on {costs.basis}"


def costs_answer(costs: Costs, *, measure: str) -> Answer:
    """Which methods are worth their cost? measure: what is lost, in words."""
    found = costs.front
    order, level = np.argsort(found.cost, kind="stable"), found.level
    unsure = [costs.methods[place] for place in order if 1 - level < found.sure[place] < level]
    doubt = f"; of {', '.join(unsure)} it is not sure" if unsure else ", and that is sure"
    sentence = f"{front_sentence(costs, ', '.join(front_names(costs)))}{doubt}."
    figure = IntervalFields(("method",), "loss", "loss_lower", "loss_upper", f"← better   mean {measure}")
    return Answer("front", sentence, _fields(costs, order), costs_notes(costs, measure=measure), figure)


def _fields(costs: Costs, order: np.ndarray) -> tuple[Field, ...]:
    found = costs.front
    titles = {
        "cost": "seconds",
        "cost_lower": "from",
        "cost_upper": "to",
        "loss": "mean loss",
        "loss_lower": "from",
        "loss_upper": "to",
    }
    fields = [Field(key, title, "number", getattr(found, key)[order]) for key, title in titles.items()]
    where = np.where(found.on_front, "on the front", "beaten")
    return (
        Field("method", "method", "name", [costs.methods[place] for place in order]),
        *fields,
        Field("mean_rank", "mean rank", "number", costs.mean_rank[order]),
        Field("on_front", "", "name", where[order].tolist()),
        Field("sure", "on it in", "share", found.sure[order]),
    )


def costs_notes(costs: Costs, *, measure: str) -> tuple[str, ...]:
    """Say what the numbers are over, and what is missing. measure: what is lost, in words."""
    units, level = PLURALS[costs.unit], percent(costs.front.level)
    intervals = f"{level} intervals, and shares by resampling {units}"
    if not costs.has_intervals:
        intervals = f"shares by resampling {units}; intervals need {LEAST_UNITS} {units}"
    basis = f"Mean {measure}, mean rank and seconds are over {costs.basis}."
    if costs.ranked > costs.units:
        ranked = counted_units(costs.ranked, costs.unit)
        basis = f"Mean {measure} and seconds are over {costs.basis}, mean ranks over {ranked}."
    notes = [
        f"{basis} Seconds: of a processor, for learning and predicting one instance, geometric mean; "
        f"{intervals}. Times are those of the machines on which methods were run.",
    ]
    if costs.left_out:
        notes.append(f"{counted(costs.left_out, 'task')} left out, on which costs of a method are not known.")
    return tuple(notes)
