"""Tables behind the tabs of the page Ranking: intervals, wins, one pair in full, leaving tasks out."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.frame import words
from dashboard.ranking import tables as ranking_tables
from dashboard.ranking import tasks as ranking_tasks
from dashboard.ranking.data import MINE, Question, analysis_of, archive_scores, per_question
from dashboard.ranking.figures.bayes_triangle import corner_text
from dashboard.ranking.tables import looks, names_in_order
from dashboard.server import archive as opened
from delvecore.statistics import choose
from delvecore.statistics.losses.pairs import compare_all
from delvecore.statistics.ranking import effects, posterior_draws, posteriors, rank_intervals
from delvecore.statistics.ranking.bayes_signed_rank import bayesian_signed_rank
from delvecore.statistics.ranking.combined import combine_comparisons
from delvecore.statistics.ranking.leave_out import leave_out
from delvecore.statistics.ranking.pair_scan import scan_pairs
from delvecore.statistics.ranking.power import tasks_needed_of_signed_ranks

__all__ = [
    "BAYES",
    "combined_table",
    "interval_table",
    "leave_out_table",
    "pair_effects",
    "pair_posteriors",
    "scatter_table",
    "settled_table",
    "task_tests",
    "tasks_needed_for",
    "triangle_table",
    "wins_table",
]

BAYES = ("signed rank", "sign")
PLACE = ("dataset", "prototask", "task")


@per_question
def interval_table(question: Question) -> pd.DataFrame:
    """Mean ranks with bootstrap intervals: method, rank, lower, upper, best, text, colour, symbol."""
    found = analysis_of(question)
    order = list(found.order)
    intervals = rank_intervals.rank_intervals(found.ranks, level=1 - found.alpha)
    columns = ("average", "lower", "upper", "best")
    rank, lower, upper, best = (getattr(intervals, name)[order] for name in columns)
    names = names_in_order(found)
    text = [f"{a:.2f}  [{b:.2f}, {c:.2f}]" for a, b, c in zip(rank, lower, upper, strict=True)]
    table = pd.DataFrame(
        {"method": names, "rank": rank, "lower": lower, "upper": upper, "best": best, "text": text}
    )
    return pd.concat([table, looks(question, names)], axis=1)


@per_question
def wins_table(question: Question, reference: str) -> pd.DataFrame:
    """Share of tasks on which each other method is better than the reference, a tie as one half.

    Columns method, wins, ties, losses, rate, lower, upper (Wilson's interval), text, colour.
    """
    found = analysis_of(question)
    names = [name for name in names_in_order(found) if name != reference]
    losses = found.table.losses
    place = pair_counts(question, reference)
    rows = []
    for name in names:
        wins, ties, lost = place[name]
        tasks = len(losses)
        rate = (wins + ties / 2) / tasks
        lower, upper = effects.wilson_interval(np.array(rate), tasks, level=1 - found.alpha)
        text = f"{words.share(round(2000 * rate), 2000)}   ({wins} / {ties} / {lost})"
        rows.append((name, wins, ties, lost, rate, float(lower), float(upper), text))
    titles = ["method", "wins", "ties", "losses", "rate", "lower", "upper", "text"]
    styles = looks(question, names_in_order(found))
    table = pd.DataFrame(rows, columns=titles)
    by_name = dict(zip(names_in_order(found), styles["colour"], strict=True))
    table["colour"] = [by_name[name] for name in names]
    table.attrs = {"reference": reference}
    return table


def pair_counts(question: Question, reference: str) -> dict[str, tuple[int, int, int]]:
    """Tasks won, tied and lost by each other method against one."""
    table = ranking_tables.pairs_table(question)
    part = table[table["column"] == reference]
    return {line.row: (int(line.wins), int(line.ties), int(line.losses)) for line in part.itertuples()}


@opened.cached
def task_tests(state: str, loss: str, first: str, second: str, level: float) -> dict[str, tuple[str, float]]:
    """Which of two methods is better on each task, by the task's own test: {path: (verdict, p)}.

    verdict: `first`, `second` or `open`; a task without a test is absent.
    """
    archive = opened.archive_of(state)
    losses = archive.losses
    names = pc.is_in(losses["method"], value_set=pc.cast([first, second], losses["method"].type))
    chosen = losses.filter(pc.and_(pc.equal(losses["loss"], loss), names))
    found = {}
    for row in compare_all(chosen, archive.tasks, {}, loss=loss, level=level).to_pylist():
        if row["p"] is None:
            continue
        path = words.task_path(row["dataset"], row["prototask"], row["task"])
        difference = row["difference"] if row["method_a"] == first else -row["difference"]
        basis = {name: row[name] for name in ("test", "instances")}
        is_settled = choose.is_settled(row["p"], level=level, **basis)
        verdict = "open" if not is_settled else "first" if difference < 0 else "second"
        found[path] = (verdict, row["p"])
    return found


@per_question
def combined_table(question: Question) -> pd.DataFrame:
    """What DELVE's own tests of all pairs on each task say together: see `combine_comparisons`.

    Columns method_a, method_b, tasks, wins, ties, losses, untested, stouffer, p_stouffer, p_holm, p_weighted,
    p_fisher; each pair once, in the alphabet's order. Methods of the visitor's own table have no such tests.
    """
    archive, paths = opened.archive_of(question.state), set(analysis_of(question).table.tasks)
    losses = archive.losses
    losses = losses.filter(pc.equal(losses["loss"], question.loss))
    places = pc.binary_join_element_wise(*(losses[name] for name in PLACE), "/").to_pylist()
    losses = losses.filter(pa.array([f"/{place}" in paths for place in places], pa.bool_()))
    known = pa.array(question.methods, losses["method"].type)
    losses = losses.filter(pc.is_in(losses["method"], value_set=known))
    constants = {
        (*(row[name] for name in PLACE), row["loss"]): row["standardizer"]
        for row in opened.rows(question.state, "results")
    }
    level = choose.level_of(question.alpha)
    compared = compare_all(losses, archive.tasks, constants, loss=question.loss, level=level)
    found = combine_comparisons(compared, level=level)
    names = ("tasks", "wins", "ties", "losses", "untested", "stouffer", "p_stouffer", "p_holm")
    columns = {name: getattr(found, name) for name in (*names, "p_weighted", "p_fisher")}
    return pd.DataFrame({"method_a": found.methods_a, "method_b": found.methods_b, **columns})


@per_question
def settled_table(question: Question, reference: str) -> pd.DataFrame:
    """Tasks on which each other method is better than the reference, not settled, worse, without a test."""
    table = combined_table(question)
    rows = []
    for name in names_in_order(analysis_of(question)):
        for line in table.itertuples():
            if {line.method_a, line.method_b} == {name, reference} and name != reference:
                wins, losses = (line.wins, line.losses) if line.method_a == name else (line.losses, line.wins)
                rows.append((name, int(wins), int(line.ties), int(losses), int(line.untested)))
    found = pd.DataFrame(rows, columns=["method", "wins", "ties", "losses", "untested"])
    found.attrs = {"reference": reference}
    return found


@per_question
def scatter_table(question: Question, first: str, second: str) -> pd.DataFrame:
    """Two methods on all tasks that count: see `pair_scatter_figure`."""
    found = analysis_of(question)
    values = found.table.select(methods=[first, second]).values
    tests = _tests_of(question, first, second)
    rows = []
    for task, (a, b) in zip(found.table.tasks, values.tolist(), strict=True):
        settled, p = tests.get(task, ("open", math.nan))
        said = f"<br>{words.p_value(p)} on this task".replace("<br>p <", "<br>p &lt;") if p == p else ""
        hover = (
            f"{words.plot_text(task)}<br>{words.plot_text(first)} {words.number(a)}, "
            f"{words.plot_text(second)} {words.number(b)}{said}"
        )
        rows.append((task, a, b, settled, p, hover, None if question.source == MINE else task))
    table = pd.DataFrame(rows, columns=["task", "first", "second", "settled", "p", "hover", "path"])
    table.attrs = ranking_tables.axis_attrs(question, found) | {
        "names": (first, second),
        "quantity": "value" if question.source == MINE else found.table.quantity,
        "higher_is_better": found.table.higher_is_better,
        "tested": bool(tests),
    }
    return table


def _tests_of(question, first, second):
    """Each task's own test is known where both methods are of the archive."""
    if question.source == MINE:
        return {}
    known = archive_scores(question.state, question.loss).methods
    if first not in known or second not in known:
        return {}
    return task_tests(question.state, question.loss, first, second, choose.level_of(question.alpha))


def _places(found, first, second):
    names = found.table.methods
    return np.array([names.index(first)]), np.array([names.index(second)])


@per_question
def pair_posteriors(question: Question, first: str, second: str, rope: float) -> pd.DataFrame:
    """What three Bayesian tests say of a pair: test, first (is better), same (practically), second."""
    table = analysis_of(question).table.select(methods=[first, second])
    found = (
        bayesian_signed_rank(table, rope=rope),
        posteriors.correlated_t(table, rope=rope),
        posteriors.bayesian_sign(table, rope=rope),
    )
    rows = [
        (one.test, float(one.a_better[0]), float(one.equivalent[0]), float(one.b_better[0])) for one in found
    ]
    return pd.DataFrame(rows, columns=["test", "first", "same", "second"])


@per_question
def triangle_table(question: Question, first: str, second: str, rope: float, test: str) -> pd.DataFrame:
    """Draws of one Bayesian test of a pair: see `bayes_triangle_figure`."""
    losses = analysis_of(question).table.select(methods=[first, second]).losses
    draw = posterior_draws.sign_draws if test == "sign" else posterior_draws.signed_rank_draws
    draws = draw(losses[:, 0] - losses[:, 1], rope=rope)
    table = pd.DataFrame(draws, columns=["first", "same", "second"])
    said = pair_posteriors(question, first, second, rope).set_index("test").loc[test]
    table.attrs = {
        "names": (first, second),
        "texts": (
            corner_text(first, said["first"]),
            corner_text(second, said["second"]),
            corner_text(f"differ by at most {rope:g}", said["same"], better=False),
        ),
    }
    return table


@per_question
def pair_effects(question: Question, first: str, second: str) -> pd.DataFrame:
    """How large is the difference of a pair? effect, estimate, lower, upper, no difference would be."""
    found = analysis_of(question)
    table = found.table.select(methods=[first, second])
    sizes = effects.effect_sizes(table, level=1 - found.alpha)
    rows = []
    for name, interval, neutral in (
        ("Mean difference", sizes.mean, 0.0),
        ("Median difference", sizes.median, 0.0),
        ("Share of tasks won", sizes.win_rate, 0.5),
        ("Vargha and Delaney’s A", sizes.superiority, 0.5),
    ):
        rows.append(
            (name, *(float(part[0]) for part in (interval.estimate, interval.lower, interval.upper)), neutral)
        )
    return pd.DataFrame(rows, columns=["effect", "estimate", "lower", "upper", "none"])


@per_question
def tasks_needed_for(question: Question, first: str, second: str) -> float:
    """With how many tasks would Wilcoxon's test find the difference of a pair, were it as large as it seems,
    in four of five studies? Not a number where that cannot be told, infinite where there is none."""
    found = analysis_of(question)
    scan = scan_pairs(found.table.select(methods=[first, second]))
    return float(tasks_needed_of_signed_ranks(scan, alpha=found.alpha)[0])


@per_question
def leave_out_table(question: Question) -> pd.DataFrame:
    """Mean ranks without each family of tasks: see `leave_out_figure`. Empty where there is one only."""
    found = analysis_of(question)
    columns = ["row", "method", "rank", "place", "hover", "colour", "symbol"]
    groups = {}
    if question.source != MINE:
        known = ranking_tasks.ranked_tasks(question.state)
        groups = ranking_tasks.families([known[path] for path in found.table.tasks])
    left = leave_out(found.ranks, groups)
    table = pd.DataFrame([], columns=columns)
    if not left:
        table.attrs = {"texts": (), "left": ()}
        return table
    names = names_in_order(found)
    styles = looks(question, names)
    rows = [("all tasks", found.ranks.average)] + [(f"without {one.group}", one.average) for one in left]
    lines = []
    for row, average in rows:
        places = average.argsort(kind="stable").argsort(kind="stable") + 1
        for column, method in enumerate(found.order):
            name, rank, place = names[column], float(average[method]), int(places[method])
            hover = f"{words.plot_text(name)}, {words.plot_text(row)}: mean rank {rank:.2f}, place {place}"
            lines.append((row, name, rank, place, hover, styles["colour"][column], styles["symbol"][column]))
    table = pd.DataFrame(lines, columns=columns)
    texts = [words.count(len(found.table.tasks), "task")]
    texts += [f"{words.count(one.tasks, 'task')}, {_moved(one)}" for one in left]
    table.attrs = {"texts": tuple(texts), "left": left}
    return table


def _moved(one):
    if not one.moved:
        return "same order"
    return f"{words.count(one.moved, 'pair')} turned"
