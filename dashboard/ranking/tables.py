"""Finished tables for the figures and tables of the page Ranking, each a function of a Question.

Methods stand in the order of their mean ranks. The attrs of a table hold what its figure writes beside it.
"""

import numpy as np
import pandas as pd

from dashboard.frame import theme, words
from dashboard.ranking import data as ranking_data
from dashboard.ranking.data import CONTROL, MINE, NEMENYI, WILCOXON, Question, analysis_of, per_question
from dashboard.server import archive as opened
from delvecore.statistics.ranking.analysis import Analysis

__all__ = [
    "MOST_COLOURS",
    "diagram_table",
    "distribution_table",
    "looks",
    "order_table",
    "pairs_table",
    "values_table",
]

MOST_COLOURS = 8


def looks(question: Question, methods: list[str]) -> pd.DataFrame:
    """Return colour and symbol of methods, as on every page; of more than eight, the later ones are grey."""
    known = opened.method_styles(question.state)
    strangers = theme.method_styles([*known, *(name for name in methods if name not in known)])
    styles = {**strangers, **known}
    found = [
        styles[name] if place < MOST_COLOURS else styles[name].grey() for place, name in enumerate(methods)
    ]
    return pd.DataFrame(
        {"colour": [style.colour for style in found], "symbol": [style.symbol for style in found]}
    )


def names_in_order(found: Analysis) -> list[str]:
    """Return the methods, best mean rank first."""
    return [found.table.methods[place] for place in found.order]


@per_question
def diagram_table(question: Question) -> pd.DataFrame:
    """The critical-difference diagram of the question's test: see `critical_difference_figure`."""
    found = analysis_of(question)
    names, test = names_in_order(found), question.test
    places = {method: row for row, method in enumerate(found.order)}
    groups = {NEMENYI: found.nemenyi.groups, WILCOXON: found.cliques}.get(test)
    control = places[found.control] if test == CONTROL else None
    table = pd.DataFrame({"method": names, "rank": found.ranks.average[list(found.order)]})
    table["mark"] = _marks(found, control)
    table["p"] = _p_against(found, test)
    table["hover"] = _diagram_hovers(found, test, table)
    table = pd.concat([table, looks(question, names)], axis=1)
    cd = {NEMENYI: found.nemenyi.cd, WILCOXON: None}.get(test)
    table.attrs = {
        "groups": tuple(tuple(sorted(places[one] for one in group)) for group in groups.members)
        if groups
        else (),
        "cd": found.bonferroni_dunn.cd if control is not None else cd,
        "control": control,
        "note": _note(found),
    }
    return table


def _marks(found, control):
    if control is None:
        return [""] * len(found.order)
    different = found.bonferroni_dunn.different
    return [
        "control" if place == found.control else "different" if different[place] else ""
        for place in found.order
    ]


def _p_against(found, test):
    """The p-value of each method against the first, or against the control, adjusted as the test is."""
    against = found.control if test == CONTROL else found.order[0]
    if test == CONTROL:
        p = found.bonferroni_dunn.p_bonferroni
        return [np.nan if place == against else p[place] for place in found.order]
    p = found.wilcoxon.p_holm if test == WILCOXON else found.nemenyi.p
    by_pair = {
        (a, b): value
        for a, b, value in zip(found.scan.first.tolist(), found.scan.second.tolist(), p.tolist(), strict=True)
    }
    return [
        np.nan if place == against else by_pair[min(place, against), max(place, against)]
        for place in found.order
    ]


def _diagram_hovers(found, test, table):
    against = found.table.methods[found.control if test == CONTROL else found.order[0]]
    hovers = []
    for line in table.itertuples():
        text = f"{words.plot_text(line.method)}: mean rank {line.rank:.2f} of {len(table)}"
        if np.isfinite(line.p):
            p = words.p_value(line.p).replace("<", "&lt;")
            text += f"<br>against {words.plot_text(against)}: {p}"
        hovers.append(text)
    return hovers


def _note(found):
    if found.is_significant:
        return ""
    p = found.friedman.p if found.friedman.exact_p is None else found.friedman.exact_p
    p = words.p_value(p)
    return f"Friedman’s test finds no difference at {found.alpha:g} ({p}): no method is shown to differ."


@per_question
def pairs_table(question: Question) -> pd.DataFrame:
    """All ordered pairs: the row's method less the column's, tasks won, tied, lost, Wilcoxon's p of the pair.

    Nothing here depends on which other methods are compared, but p_holm: p adjusted for all pairs. verdict:
    is the row's method `better`, `worse`, or is it `not settled`, by p.
    """
    found = analysis_of(question)
    order, count = np.array(found.order), len(found.order)
    rows, columns = (part.ravel() for part in np.meshgrid(order, order, indexing="ij"))
    rows, columns = rows[rows != columns], columns[rows != columns]
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    pair = low * count - low * (low + 1) // 2 + high - low - 1
    turned = rows > columns
    sign = np.where(turned, -1.0, 1.0)
    wins, ties, losses = found.wins
    p = found.wilcoxon.p[pair]
    names = np.array(found.table.methods, dtype=object)
    return pd.DataFrame(
        {
            "row": names[rows],
            "column": names[columns],
            "difference": found.scan.mean[pair] * sign + 0.0,
            "median": found.scan.median[pair] * sign + 0.0,
            "wins": np.where(turned, losses[pair], wins[pair]),
            "ties": ties[pair],
            "losses": np.where(turned, wins[pair], losses[pair]),
            "p": p,
            "p_holm": found.wilcoxon.p_holm[pair],
            "verdict": _verdicts(found, pair, turned, p),
        }
    )


def _verdicts(found, pair, turned, p):
    """Whose signed ranks weigh more? Where the test finds a difference they are not equal."""
    larger = found.wilcoxon.rank_sum_a[pair] > found.wilcoxon.rank_sum_b[pair]
    row_larger = larger != turned
    better = row_larger == found.table.higher_is_better
    return np.where(p >= found.alpha, "not settled", np.where(better, "better", "worse"))


@per_question
def values_table(question: Question) -> pd.DataFrame:
    """The values themselves, a task a row: task, whether it counts, then the methods in order of ranks."""
    found, given = analysis_of(question), ranking_data.score_table(question)
    if isinstance(found, str):
        names, dropped = list(given.methods), set()
    else:
        names, dropped = [*names_in_order(found), *found.dropped_methods], set(found.dropped_tasks)
    table = pd.DataFrame({"task": given.tasks})
    table["counts"] = [task not in dropped for task in given.tasks]
    chosen = given.select(methods=names)
    for column, name in enumerate(names):
        table[name] = chosen.values[:, column]
    return table


@per_question
def order_table(question: Question) -> pd.DataFrame:
    """Methods by mean rank: method, rank, firsts (tasks where none is better), median value, p."""
    found = analysis_of(question)
    order = list(found.order)
    ranks = found.ranks.ranks
    best = (ranks == ranks.min(axis=1, keepdims=True)).sum(axis=0)
    table = pd.DataFrame(
        {
            "method": names_in_order(found),
            "rank": found.ranks.average[order],
            "firsts": best[order],
            "median": np.median(found.table.values, axis=0)[order],
            "p": _p_against(found, question.test),
        }
    )
    return table


@per_question
def distribution_table(question: Question) -> pd.DataFrame:
    """The values of each method on the tasks that count: method, value, task, colour, symbol."""
    found = analysis_of(question)
    names = names_in_order(found)
    styles = looks(question, names)
    chosen = found.table.select(methods=names)
    count, tasks = len(names), len(chosen.tasks)
    table = pd.DataFrame(
        {
            "method": np.repeat(np.array(names, dtype=object), tasks),
            "value": chosen.values.T.ravel(),
            "task": list(chosen.tasks) * count,
            "colour": np.repeat(styles["colour"].to_numpy(dtype=object), tasks),
            "symbol": np.repeat(styles["symbol"].to_numpy(dtype=object), tasks),
        }
    )
    table.attrs = axis_attrs(question, found)
    return table


def axis_attrs(question: Question, found: Analysis) -> dict:
    """Return what an axis of values says: axis, baseline, baseline_text."""
    if question.source == MINE:
        higher = found.table.higher_is_better
        axis = "value   better →" if higher else "← better   value"
        return {"axis": axis, "baseline": None, "baseline_text": None}
    known = words.loss_words(question.loss)
    return {
        "axis": words.loss_axis(question.loss, standardized=True),
        "baseline": known.baseline_value if known else None,
        "baseline_text": known.baseline if known else None,
    }
