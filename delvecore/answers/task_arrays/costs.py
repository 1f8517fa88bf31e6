"""Costs of the methods."""

from collections import Counter
from typing import TYPE_CHECKING

from delvecore.answers.answer import Answer
from delvecore.answers.question import question
from delvecore.render.numbers import counted, rounded, seconds_text

if TYPE_CHECKING:
    from delvecore.answers.task_array import ArrayFacts


@question("costs", order=70, meaning="median seconds of an instance")
def costs(facts: "ArrayFacts") -> Answer:
    """What does an instance of each task cost with each method?"""
    from delvecore.answers import task_array
    from delvecore.stats.arrays import estimates as statistics
    from delvecore.stats.arrays.estimates import NO_COSTS
    from delvecore.tables import rows_of, values_of

    table = statistics.array_costs(facts.data, facts.costs)
    missing = values_of(table, "missing")
    texts = [
        why.replace(NO_COSTS, task_array.HOLE) if seconds is None else seconds_text(seconds)
        for seconds, why in zip(values_of(table, "median_seconds"), missing, strict=True)
    ]
    caption = "processor seconds for learning and predicting one instance (median of each task)."
    totals: Counter[str] = Counter()
    for method, seconds in rows_of(table, ("method", "total_seconds")):
        totals[method] += seconds or 0
    listed = ", ".join(f"{name} {seconds_text(total)} s" for name, total in totals.items() if total)
    notes = [f"All recorded instances together: {listed}."] if listed else []
    notes += [f"{task_array.HOLE}: {NO_COSTS}."] if NO_COSTS in missing else []
    return task_array.wide_answer(facts, "costs", caption, notes, table=table, texts=texts)


@question("total-costs", order=80, meaning="seconds and memory of each method on the whole array")
def total_costs(facts: "ArrayFacts") -> Answer:
    """What does each method cost on the whole array, next to its mean?"""
    from delvecore.answers import task_array
    from delvecore.report import words
    from delvecore.stats.arrays import estimates as statistics
    from delvecore.tables import rows_of, values_of

    measure = facts.measure
    table = statistics.method_costs(facts.data, facts.costs)
    names = ("method", "tasks", "instances", "most_megabytes", "mean_loss", "note")
    shown = []
    for *counts, megabytes, mean, note, median, total in rows_of(
        table, (*names, "median_seconds", "total_seconds")
    ):
        texts = [task_array.HOLE if one is None else seconds_text(one) for one in (median, total)]
        texts += [rounded(megabytes, 0) or task_array.HOLE, rounded(mean, 3) or task_array.HOLE]
        shown.append((*counts, *texts, note or ""))
    titles = ("tasks", "instances", "median s", "total s", "MB", f"mean {measure.noun}")
    columns = [("method", "name"), *task_array.titles("count", *titles), ("note", "name")]
    caption = "processor seconds for learning and predicting, peak memory, and mean "
    caption += f"{words.unit_words(measure)} of each method."
    compared = max((one or 0 for one in values_of(table, "compared_tasks")), default=0)
    means = "Mean losses" if measure.is_loss else "Means"
    notes = [f"{means} are over the {counted(compared, 'task')} on which all methods have results."]
    return task_array.array_answer(facts, "total-costs", caption, notes, table, columns, shown)
