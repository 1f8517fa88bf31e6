"""What the tabs of the page Ranking show, made once: intervals, wins, one pair in full, families left out."""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.frame import words
from dashboard.ranking.choice import MINE, Request
from dashboard.ranking.data import analysis_of, archive_scores, names_in_order, per_request
from dashboard.ranking.figures.bayes_triangle import BayesTriangle, corner_text
from dashboard.ranking.figures.leave_out import LeaveOut, RanksWithout
from dashboard.ranking.figures.pair_scatter import PairScatter, Settled, TaskPoint
from dashboard.ranking.figures.rank_intervals import RankInterval
from dashboard.ranking.figures.rows import AgainstOne
from dashboard.ranking.figures.settled_tasks import TaskVerdicts
from dashboard.ranking.figures.win_rates import WinRate
from dashboard.ranking.tables import looks, pairs_of
from dashboard.ranking.tasks import families, ranked_tasks
from dashboard.server import archive as opened
from delvecore.statistics.choose import is_settled
from delvecore.statistics.losses.pairs import compare_all
from delvecore.statistics.ranking import bayes_signed_rank, effects, posteriors
from delvecore.statistics.ranking.bayes_signed_rank import bayesian_signed_rank
from delvecore.statistics.ranking.combined import combine_comparisons
from delvecore.statistics.ranking.pair_scan import scan_pairs
from delvecore.statistics.ranking.power import tasks_needed_of_signed_ranks
from delvecore.statistics.ranking.rank_intervals import LeftOut, leave_out
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = [
    "BAYES",
    "Pair",
    "combined_table",
    "intervals",
    "leave_out_numbers",
    "leave_out_ranks",
    "left_out",
    "pair_effects",
    "pair_posteriors",
    "scatter_of",
    "settled_tasks",
    "tasks_needed_for",
    "triangle_of",
    "win_rates",
]

BAYES = ("signed rank", "sign")
PLACE = ("dataset", "prototask", "task")
TaskTest = tuple[Settled, float]


class Pair(NamedTuple):
    """Two methods, of which the first is held against the second."""

    first: str
    second: str

    def scores(self, request: Request) -> ScoreTable:
        """Return the values of the two on the tasks that count."""
        return analysis_of(request).table.select(methods=list(self))


@per_request
def intervals(request: Request) -> tuple[RankInterval, ...]:
    """Mean ranks with bootstrap intervals."""
    found = analysis_of(request)
    drawn = found.rank_intervals
    names = names_in_order(found)
    rows = []
    for place, name, style in zip(found.order, names, looks(request, names), strict=True):
        columns = (drawn.average, drawn.lower, drawn.upper, drawn.best)
        rank, lower, upper, best = (float(column[place]) for column in columns)
        text = f"{rank:.2f}  [{lower:.2f}, {upper:.2f}]"
        rows.append(RankInterval(name, rank, lower, upper, best, text, style))
    return tuple(rows)


@per_request
def win_rates(request: Request, reference: str) -> AgainstOne[WinRate]:
    """Share of tasks on which each other method is better than the reference, a tie as one half.

    Intervals are Wilson's.
    """
    pairs, tasks = pairs_of(request), len(analysis_of(request).table.tasks)
    column = pairs.methods.index(reference)
    rows = []
    for row, (name, style) in enumerate(zip(pairs.methods, looks(request, list(pairs.methods)), strict=True)):
        if row == column:
            continue
        counts = (int(part[row, column]) for part in (pairs.wins, pairs.ties, pairs.losses))
        wins, ties, lost = counts
        rate = (wins + ties / 2) / tasks
        lower, upper = effects.wilson_interval(np.array(rate), tasks, level=request.level)
        text = f"{words.share(round(2000 * rate), 2000)}   ({wins} / {ties} / {lost})"
        ends = (float(lower), float(upper))
        rows.append(WinRate(name, wins, ties, lost, rate, *ends, text, style.colour))
    return AgainstOne(reference, tuple(rows))


@opened.cached
def _task_tests(state: str, loss: str, pair: tuple[str, str], level: float) -> dict[str, TaskTest]:
    """Which of two methods is better on each task, by the task's own test: {path: (which, p)}.

    A task without a test is absent.
    """
    archive = opened.archive_of(state)
    losses = archive.losses
    names = pc.is_in(losses["method"], value_set=pc.cast(list(pair), losses["method"].type))
    chosen = losses.filter(pc.and_(pc.equal(losses["loss"], loss), names))
    found: dict[str, TaskTest] = {}
    for row in compare_all(chosen, archive.tasks, {}, loss=loss, level=level).to_pylist():
        if row["p"] is None:
            continue
        path = words.task_path(row["dataset"], row["prototask"], row["task"])
        difference = row["difference"] if row["method_a"] == pair[0] else -row["difference"]
        basis = {name: row[name] for name in ("test", "instances")}
        better: Settled = "first" if difference < 0 else "second"
        found[path] = (better if is_settled(row["p"], level=level, **basis) else "open", row["p"])
    return found


@per_request
def combined_table(request: Request) -> pd.DataFrame:
    """What DELVE's own tests of all pairs on each task say together: see `combine_comparisons`.

    Columns method_a, method_b, tasks, wins, ties, losses, untested, stouffer, p_stouffer, p_holm, p_weighted,
    p_fisher; each pair once, in the alphabet's order. Methods of the visitor's own table have no such tests.
    """
    archive, paths = opened.archive_of(request.state), set(analysis_of(request).table.tasks)
    losses = archive.losses
    losses = losses.filter(pc.equal(losses["loss"], request.loss))
    places = pc.binary_join_element_wise(*(losses[name] for name in PLACE), "/").to_pylist()
    losses = losses.filter(pa.array([f"/{place}" in paths for place in places], pa.bool_()))
    known = pa.array(request.methods, losses["method"].type)
    losses = losses.filter(pc.is_in(losses["method"], value_set=known))
    constants = {
        (*(row[name] for name in PLACE), row["loss"]): row["standardizer"]
        for row in opened.rows(request.state, "results")
    }
    compared = compare_all(losses, archive.tasks, constants, loss=request.loss, level=request.level)
    found = combine_comparisons(compared, level=request.level)
    names = ("tasks", "wins", "ties", "losses", "untested", "stouffer", "p_stouffer", "p_holm")
    columns = {name: getattr(found, name) for name in (*names, "p_weighted", "p_fisher")}
    return pd.DataFrame({"method_a": found.methods_a, "method_b": found.methods_b, **columns})


@per_request
def settled_tasks(request: Request, reference: str) -> AgainstOne[TaskVerdicts]:
    """Tasks on which each other method is better than the reference, not settled, worse, without a test."""
    table = combined_table(request)
    rows = []
    for name in names_in_order(analysis_of(request)):
        for line in table.itertuples():
            if {line.method_a, line.method_b} == {name, reference} and name != reference:
                wins, losses = (line.wins, line.losses) if line.method_a == name else (line.losses, line.wins)
                counts = (int(count) for count in (wins, line.ties, losses, line.untested))
                rows.append(TaskVerdicts(name, *counts))
    return AgainstOne(reference, tuple(rows))


@per_request
def scatter_of(request: Request, pair: Pair) -> PairScatter:
    """Two methods on all tasks that count."""
    found, tests, mine = analysis_of(request), _tests_of(request, pair), request.source == MINE
    points = []
    scores = pair.scores(request)
    for task, (a, b) in zip(scores.tasks, scores.values.tolist(), strict=True):
        settled, p = tests.get(task, ("open", math.nan))
        points.append(TaskPoint(task, a, b, settled, p, None if mine else task))
    quantity = "value" if mine else found.table.quantity
    return PairScatter(pair, tuple(points), quantity, found.table.higher_is_better, bool(tests))


def _tests_of(request: Request, pair: Pair) -> dict[str, TaskTest]:
    """Each task's own test is known where both methods are of the archive."""
    if request.source == MINE:
        return {}
    if not set(pair) <= set(archive_scores(request.state, request.loss).methods):
        return {}
    return _task_tests(request.state, request.loss, (pair.first, pair.second), request.level)


@per_request
def pair_posteriors(request: Request, pair: Pair, rope: float) -> pd.DataFrame:
    """What three Bayesian tests say of a pair: test, first (is better), same (practically), second."""
    table = pair.scores(request)
    found = (
        bayesian_signed_rank(table, rope=rope),
        posteriors.correlated_t(table, rope=rope),
        posteriors.bayesian_sign(table, rope=rope),
    )
    rows = [
        (one.test, float(one.a_better[0]), float(one.equivalent[0]), float(one.b_better[0])) for one in found
    ]
    return pd.DataFrame(rows, columns=["test", "first", "same", "second"])


@per_request
def triangle_of(request: Request, pair: Pair, rope: float, test: str) -> BayesTriangle:
    """Draws of one Bayesian test of a pair."""
    losses = pair.scores(request).losses
    draw = bayes_signed_rank.sign_draws if test == "sign" else bayes_signed_rank.signed_rank_draws
    said = pair_posteriors(request, pair, rope).set_index("test").loc[test]
    texts = (
        corner_text(pair.first, said["first"]),
        corner_text(pair.second, said["second"]),
        corner_text(f"differ by at most {rope:g}", said["same"], better=False),
    )
    return BayesTriangle(draw(losses[:, 0] - losses[:, 1], rope=rope), texts)


@per_request
def pair_effects(request: Request, pair: Pair) -> pd.DataFrame:
    """How large is the difference of a pair? effect, estimate, lower, upper, no difference would be."""
    sizes = effects.effect_sizes(pair.scores(request), level=request.level)
    rows = [
        (name, *(float(part[0]) for part in (interval.estimate, interval.lower, interval.upper)), neutral)
        for name, interval, neutral in (
            ("Mean difference", sizes.mean, 0.0),
            ("Median difference", sizes.median, 0.0),
            ("Share of tasks won", sizes.win_rate, 0.5),
            ("Vargha and Delaney’s A", sizes.superiority, 0.5),
        )
    ]
    return pd.DataFrame(rows, columns=["effect", "estimate", "lower", "upper", "none"])


@per_request
def tasks_needed_for(request: Request, pair: Pair) -> float:
    """With how many tasks would Wilcoxon's test find the difference of a pair, were it as large as it seems,
    in four of five studies? Not a number where that cannot be told, infinite where there is none."""
    return float(tasks_needed_of_signed_ranks(scan_pairs(pair.scores(request)), alpha=request.alpha)[0])


@per_request
def left_out(request: Request) -> tuple[LeftOut, ...]:
    """Mean ranks without each family of tasks; none where there is one family only."""
    found = analysis_of(request)
    if request.source == MINE:
        return ()
    known = ranked_tasks(request.state)
    return leave_out(found.ranks, families([known[path] for path in found.table.tasks]))


@per_request
def leave_out_ranks(request: Request) -> LeaveOut:
    """Mean ranks of all tasks and without each family of them."""
    found, left = analysis_of(request), left_out(request)
    names, order = names_in_order(found), list(found.order)

    def row(title: str, text: str, average: np.ndarray) -> RanksWithout:
        places = average.argsort(kind="stable").argsort(kind="stable") + 1
        return RanksWithout(title, text, tuple(average[order].tolist()), tuple(places[order].tolist()))

    rows = [row("all tasks", words.count(len(found.table.tasks), "task"), found.ranks.average)]
    for one in left:
        moved = f"{words.count(one.moved, 'pair')} turned" if one.moved else "same order"
        text = f"{words.count(one.tasks, 'task')}, {moved}"
        rows.append(row(f"without {one.group}", text, one.average))
    return LeaveOut(tuple(names), tuple(looks(request, names)), tuple(rows) if left else ())


@per_request
def leave_out_numbers(request: Request) -> pd.DataFrame:
    """The ranks of `leave_out_ranks`: row, method, rank, place."""
    found = leave_out_ranks(request)
    rows = [
        (row.title, *one)
        for row in found.rows
        for one in zip(found.methods, row.ranks, row.places, strict=True)
    ]
    return pd.DataFrame(rows, columns=["row", "method", "rank", "place"])
