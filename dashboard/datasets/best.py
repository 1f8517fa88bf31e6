"""Which method is the best on a dataset, and is that significant? By the comparison that Compare shows."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import pandas as pd
import pyarrow.compute as pc

from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.ui.defaults import STANDARD, task_order
from dashboard.ui.highlighted_method import MARKDOWN
from dashboard.ui.selection import Selection, wanted_loss, wanted_setting
from delvecore.losses.spec import metric_of
from delvecore.model import SCORED
from delvecore.plots import words
from delvecore.report.ranking.highlighted_method import Standing
from delvecore.report.ranking.sentence import named
from delvecore.report.verdict_words import NO_DIFFERENCE, THAN
from delvecore.stats.choose import Setting, Verdict, turned_verdict

__all__ = ["Best", "best_here", "best_sentence", "best_table"]

MOST_NAMED = 3


class Best(NamedTuple):
    """The method with the lowest loss on a task. task: its full path; mean, error: of its loss, standardized
    where it can be; standing: the others by the verdicts on the method against them."""

    task: str
    prototask: str
    prior: str
    training_size: int
    loss: str
    mean: float
    error: float | None
    standing: Standing


def best_here(state: str, dataset: str, selection: Selection, notices: list[str]) -> list[Best]:
    """Return the best of each task of a dataset that has results, by prototask, the largest training sets
    first, of these the standard prior; under the loss chosen where it is known. notices: where it is not."""
    setting, found = wanted_setting(selection), []
    for (prototask, task), rows in _results_of(state, dataset).items():
        losses = {row["loss"] for row in rows}
        usual, path = min(losses, key=words.loss_preference), words.task_path(dataset, prototask, task)
        loss = wanted_loss(losses, usual, selection, notices, where=f"on {words.escape(path)}")
        found += _best_of(state, (dataset, prototask, task), loss, setting)
    return sorted(found, key=lambda one: task_order(one.prototask, one.prior, one.training_size, one.task))


@opened.cached
def _results_of(state: str, dataset: str) -> dict[tuple[str, str], list[Row]]:
    """The rows of the results on a dataset, by prototask and task."""
    table = opened.archive_of(state).results
    found: dict[tuple[str, str], list[Row]] = {}
    for row in table.filter(pc.equal(table["dataset"], dataset)).to_pylist():
        found.setdefault((row["prototask"], row["task"]), []).append(row)
    return found


@opened.cached
def _best_of(state: str, task: tuple[str, str, str], loss: str, setting: Setting) -> list[Best]:
    """Return the best of a task, nothing where no method has a mean loss."""
    rows = [row for row in _results_of(state, task[0])[task[1:]] if row["loss"] == loss]
    known = [row for row in rows if row["mean"] is not None]
    if not known:
        return []
    path, best = words.task_path(*task), min(known, key=lambda row: (row["mean"], row["method"]))
    pairs = opened.archive_of(state).compare(path, loss=loss, setting=setting).to_pylist()
    groups: dict[str, list[str]] = {verdict: [] for verdict in Verdict}
    for other, verdict in _verdicts(pairs, best["method"]):
        groups[verdict].append(other)
    said = (groups[verdict] for verdict in (Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT))
    unit = "standardized_" if best["standardized_mean"] is not None else ""
    return [
        Best(
            path,
            best["prototask"],
            best["task"].rpartition(".")[0],
            training_size=best["training_size"],
            loss=loss,
            mean=best[f"{unit}mean"],
            error=best[f"{unit}error" if unit else "standard_error"],
            standing=Standing(best["method"], 1, len(rows), *said),
        )
    ]


def _verdicts(pairs: Collection[Row], method: str) -> Iterator[tuple[str, str]]:
    """Yield (other, what is said of the method) of the pairs that it is in."""
    for pair in pairs:
        if method == pair["method_a"]:
            yield pair["method_b"], pair["verdict"]
        elif method == pair["method_b"]:
            yield pair["method_a"], turned_verdict(pair["verdict"])


def best_sentence(found: Best, *, with_prior: bool = False) -> str:
    """`On age with 1,024 training cases **gp-1** has the lowest squared error (S): significantly better
    than base-1, not significantly different from rf-1.` with_prior: name the standard prior, too."""
    where = "Over its scores" if found.prototask == SCORED else f"On {words.escape(found.prototask)}"
    size = f" with {words.count(found.training_size, 'training case')}" if found.training_size else ""
    if found.prior and (with_prior or found.prior != STANDARD):
        size += f" and the prior {words.escape(found.prior)}"
    name = MARKDOWN.strong(words.escape(found.standing.method))
    metric = metric_of(found.loss)
    lowest = f"the {'highest' if metric and metric.higher_is_better else 'lowest'} "
    quantity = words.escape(metric.name if metric else words.loss_quantity(found.loss))
    return f"{where}{size} {name} has {lowest}{quantity}: {_verdict_words(found.standing)}."


def _verdict_words(standing: Standing) -> str:
    if not standing.better and not standing.alike:
        return "no other was tested against it" if standing.of > 1 else "no other has results"
    if not standing.better:
        return f"{THAN[Verdict.NOT_SIGNIFICANT]} any of {words.count(len(standing.alike), 'other')}"
    better = f"{THAN[Verdict.BETTER]} {words.count(len(standing.better), 'other')}"
    if not standing.alike:
        return better
    names = named(standing.alike, MARKDOWN)
    many = words.count(len(standing.alike), "other")
    return f"{better}, {THAN[Verdict.NOT_SIGNIFICANT]} {names if len(standing.alike) <= MOST_NAMED else many}"


def best_table(found: Collection[Best]) -> pd.DataFrame:
    """The best of each task, one a row; the prior is told where there are several."""
    is_told = len({one.prior for one in found}) > 1
    return pd.DataFrame(
        {
            "prototask": one.prototask,
            "prior": one.prior if is_told else None,
            "training cases": one.training_size or None,
            "best": one.standing.method,
            "its mean": words.with_error(one.mean, one.error),
            "loss": words.loss_quantity(one.loss),
            THAN[Verdict.BETTER]: f"{len(one.standing.better)} of {one.standing.of - 1}",
            NO_DIFFERENCE: ", ".join(one.standing.alike) or None,
        }
        for one in found
    )
