"""The tab of two methods in full: task by task, what Bayesian tests say, how large the difference is."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from dashboard.ranking import data, exports
from dashboard.ranking.choice import Request
from dashboard.ranking.data import analysis_of, verdicts_of
from dashboard.server import archive as opened
from dashboard.server.cache import cached
from dashboard.ui import blocks, selection
from delvecore.plots.ranking_data import names_in_order, pair_sentence, rank_pairs_of
from delvecore.plots.ranking_pairs import (
    BayesTriangle,
    Better,
    PairScatter,
    TaskPoint,
    bayes_triangle_figure,
    corner_text,
    drawn_points,
    pair_scatter_figure,
)
from delvecore.render.numbers import column_decimals
from delvecore.render.spans import markdown, plain
from delvecore.report import words
from delvecore.stats.choose import Verdict, turned_verdict
from delvecore.stats.ranking import effects
from delvecore.stats.ranking.bayesian_correlated_t import correlated_t
from delvecore.stats.ranking.bayesian_sign import bayesian_sign, sign_draws
from delvecore.stats.ranking.bayesian_signed_rank import bayesian_signed_rank, signed_rank_draws
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.wilcoxon import scan_pairs
from delvecore.stats.verdicts import units_needed

ROPES = ("0.01", "0", "0.005", "0.02", "0.05", "0.1")
ROPE_HELP = (
    "The region of practical equivalence: differences of at most this do not matter, in the unit of the "
    "values"
)
BAYES = ("signed rank", "sign")
WON = "Probability of winning on a new task"
"""The share won, with its interval."""
MOST_LIKELY, MEAN_LIES = "being most likely on a new task", "the mean difference lying there"
EFFECTS = {"estimate": "Estimate", "lower": "From", "upper": "To", "none": "No difference"}
TaskTest = tuple[Better, float]
BETTER: dict[str, Better] = {Verdict.BETTER: "first", Verdict.WORSE: "second"}


class Pair(NamedTuple):
    """Two methods, of which the first is held against the second."""

    first: str
    second: str

    def units(self, request: Request) -> ScoreTable:
        """Return their values by what counts once."""
        return analysis_of(request).units.select(methods=list(self))


def _task_tests(request: Request, pair: Pair) -> dict[str, TaskTest]:
    """Which of two methods is better on each task, by the task's own test: {path: (which, p)}.

    A task without a test is absent; p is adjusted for all pairs of the methods ranked, or of as many as can
    all be tested; for a pair of which one is none of these not at all."""
    among = data.of_tested(request)
    if not set(pair).issubset(among.methods):
        among = replace(among, methods=pair)
    rows = data.task_tests(among)
    both = pa.array(pair, pa.string())
    chosen = pc.and_(*(pc.is_in(rows[name], value_set=both) for name in ("method_a", "method_b")))
    found: dict[str, TaskTest] = {}
    for row in rows.filter(chosen).to_pylist():
        if row["p"] is not None:
            is_turned = row["method_a"] != pair.first
            verdict = turned_verdict(row["verdict"]) if is_turned else row["verdict"]
            path = words.task_path(row["dataset"], row["prototask"], row["task"])
            found[path] = (BETTER.get(verdict, "neither"), row["p_adjusted"])
    return found


@cached
def _scatter_of(request: Request, pair: Pair) -> PairScatter:
    found, tests = analysis_of(request), _task_tests(request, pair)
    scores = found.table.select(methods=list(pair))
    points = []
    for task, (a, b) in zip(scores.tasks, scores.values.tolist(), strict=True):
        better, p = tests.get(task, ("neither", math.nan))
        points.append(TaskPoint(task, a, b, better, p=p, path=task))
    quantity = found.table.quantity
    return PairScatter(pair, tuple(points), quantity, found.table.higher_is_better, bool(tests))


@cached
def _posteriors(request: Request, pair: Pair, rope: float) -> pd.DataFrame:
    """What three Bayesian tests say of a pair: test, first (is better), same (practically), second, about
    (probability of what)."""
    tests = (bayesian_signed_rank, correlated_t, bayesian_sign)
    scan = scan_pairs(pair.units(request))
    found = [test(scan, rope=rope) for test in tests]
    parts = [(one.a_better[0], one.equivalent[0], one.b_better[0]) for one in found]
    about = (MOST_LIKELY, MEAN_LIES, MOST_LIKELY)
    rows = [(one.test, *map(float, part), what) for one, part, what in zip(found, parts, about, strict=True)]
    return pd.DataFrame(rows, columns=["test", "first", "same", "second", "about"])


@cached
def _triangle_of(request: Request, pair: Pair, rope: float, test: str) -> BayesTriangle:
    values = pair.units(request).oriented
    draw = sign_draws if test == "sign" else signed_rank_draws
    said = _posteriors(request, pair, rope).set_index("test").loc[test]
    first, second = corner_text(pair.first, said["first"]), corner_text(pair.second, said["second"])
    texts = (first, second, corner_text(f"differ by at most {rope:g}", said["same"], better=False))
    return BayesTriangle(draw(values[:, 0] - values[:, 1], rope=rope), texts)


@cached
def _effects_of(request: Request, pair: Pair) -> pd.DataFrame:
    """How large is the difference of a pair? effect, estimate, lower, upper, no difference would be."""
    sizes = effects.effect_sizes(scan_pairs(pair.units(request), level=request.setting.level))
    named = (
        ("Mean difference", sizes.mean, 0.0),
        ("Median difference", sizes.median, 0.0),
        (WON, sizes.win_rate, 0.5),
        ("Vargha and Delaney’s A", sizes.superiority, 0.5),
    )
    rows = [
        (name, float(one.estimate[0]), float(one.lower[0]), float(one.upper[0]), neutral)
        for name, one, neutral in named
    ]
    return pd.DataFrame(rows, columns=["effect", "estimate", "lower", "upper", "none"])


def _units_needed_for(request: Request, pair: Pair) -> float:
    """With how many units would the test find the difference in four of five studies? NaN if not tested."""
    found, said = analysis_of(request), verdicts_of(request)
    first, second = (found.table.methods.index(name) for name in pair)
    place = found.pair_numbers[first, second]
    if said.verdict[place] == Verdict.NOT_TESTED:
        return math.nan
    return float(units_needed(said, len(found.units.tasks))[place])


def show_pair(request: Request) -> None:
    names = names_in_order(analysis_of(request))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = selection.local(st.selectbox, "First method", "first", names, width=260)
        others = [name for name in names if name != first]
        usual = request.control if request.control in others else others[0]
        others.insert(0, others.pop(others.index(usual)))
        pair = Pair(first, selection.local(st.selectbox, "Second method", "second", others, width=260))
        more: dict[str, Any] = {"width": 220, "help": ROPE_HELP}
        rope = selection.local(st.selectbox, "Practically the same within", "rope", list(ROPES), **more)
    pairs = rank_pairs_of(analysis_of(request), verdicts_of(request), methods=pair)
    single = data.task_verdicts(data.of_tested(request), pair.second).rows
    own = next((row for row in single if row.method == first), None)
    said = pair_sentence(pairs, pair, own, _units_needed_for(request, pair))
    st.markdown(markdown(said))
    left, right = st.columns(2, gap="medium")
    with left:
        _show_scatter(request, pair, plain(said))
    with right:
        _show_triangle(request, pair, float(rope))
        less = f"{words.escape(pair.first)} less {words.escape(pair.second)}"
        st.caption(f"How large is it? {less}, with intervals.")
        name, alt = exports.name_of(request, "effects"), f"Effect sizes of {pair.first} against {pair.second}"
        table = _effects_of(request, pair)
        form = f"%.{column_decimals((table['upper'] - table['lower']) / 2)}f"
        looks: dict[str, Any] = {"effect": "Effect"}
        looks |= {key: st.column_config.NumberColumn(title, format=form) for key, title in EFFECTS.items()}
        blocks.table_block(table, name=name, alt=alt, column_config=looks)


def _show_scatter(request: Request, pair: Pair, said: str) -> None:
    st.subheader("Is it so on every task?", anchor=False)
    found = _scatter_of(request, pair)
    tested = "Filled: significant by the task’s own test. " if found.tested else ""
    dots = drawn_points(found)
    marks = "One mark a task" if len(dots) == len(found.points) else f"Marks: the {len(dots)} tasks on which "
    marks += "" if len(dots) == len(found.points) else "they differ most, shades: how many tasks there are"
    st.caption(f"{marks}; on the dashed line both are as good. {tested}Click one to compare there.")
    table = pd.DataFrame(found.points, columns=TaskPoint._fields).drop(columns="path")
    figure = opened.figure(pair_scatter_figure, _scatter_of, request, pair)
    numbers = table.rename(columns=pair._asdict())
    more: dict[str, Any] = {"key": "ranking-scatter"}
    more["places"] = {point.path: point.task for point in dots if point.path}
    alt = f"Values of {pair.first} and {pair.second} on {len(table)} tasks. {said}"
    if path := exports.show_figure(request, figure, numbers, "pair", alt=alt, **more):
        selection.open_page("compare", task=path, methods=tuple(pair), reference=pair.second)


def _show_triangle(request: Request, pair: Pair, rope: float) -> None:
    st.subheader("Which outcome is most likely on a new task?", anchor=False)
    more: dict[str, Any] = {"label_visibility": "collapsed"}
    more["format_func"] = lambda name: f"{name} test".capitalize()
    test = selection.one_of("Bayesian test", "bayes", list(BAYES), **more)
    st.caption(
        "Posterior probability that an outcome is the most likely one on a new task. Each dot is one "
        "posterior sample, in the corner of its most likely outcome. How probably a method wins there is "
        f"another quantity: “{WON}” estimates it."
    )
    figure = opened.figure(bayes_triangle_figure, _triangle_of, request, pair, rope, test)
    titles = {name: f"{method} better" for name, method in pair._asdict().items()}
    titles["about"] = "probability of"
    table = _posteriors(request, pair, rope).rename(columns=titles)
    chances = _posteriors(request, pair, rope).set_index("test").loc[test]
    alt = "Posterior probability of being the most likely outcome on a new task: "
    alt += f"{pair.first} better {chances['first']:.3f}, {pair.second} "
    alt += f"better {chances['second']:.3f}, differing by at most {rope:g} {chances['same']:.3f}"
    exports.show_figure(request, figure, table, "triangle", key="ranking-triangle", alt=alt)
