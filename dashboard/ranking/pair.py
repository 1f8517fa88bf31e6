"""The tab that compares two methods in detail: single tasks, Bayesian tests, and effect sizes."""

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from dashboard.ranking import exports
from dashboard.ranking.data import analysis_of, combined_of, of_tested, task_tests, verdicts_of
from dashboard.server.cache import cached
from dashboard.ui import blocks, selection
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer
from delvecore.answers.ranking_figures import (
    TaskTest,
    bayes_answer,
    drawn_rows,
    names_in_order,
    pair_effects,
    pair_sentence,
    scatter_answer,
)
from delvecore.render.numbers import column_decimals
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.report.ranking.tables import tests_of_pair
from delvecore.stats.choose import turned_verdict
from delvecore.tables import rows_of

ROPES = ("0.01", "0", "0.005", "0.02", "0.05", "0.1")
ROPE_HELP = (
    "The region of practical equivalence: differences up to this limit do not matter, in the unit "
    "of the values"
)
BAYES = ("signed rank", "sign")
Pair = tuple[str, str]
"""Two methods. The first is compared with the second."""


def _task_tests(request: Request, pair: Pair) -> dict[str, TaskTest]:
    """Return {path: (verdict on the first of two methods, p)} by the test of each single task.

    Tasks without a test are absent. p is adjusted for all pairs of the ranked methods, or of as many as can
    all be tested. p is not adjusted if one of the two methods is not ranked."""
    among = of_tested(request)
    if not set(pair).issubset(among.methods):
        among = replace(among, methods=pair)
    rows, both = task_tests(among), pa.array(pair, pa.string())
    rows = rows.filter(pc.and_(*(pc.is_in(rows[key], value_set=both) for key in ("method_a", "method_b"))))
    names = ("dataset", "prototask", "task", "method_a", "verdict", "p", "p_adjusted")
    return {
        words.task_path(*place): (verdict if method == pair[0] else turned_verdict(verdict), adjusted)
        for *place, method, verdict, p, adjusted in rows_of(rows, names)
        if p is not None
    }


def _sentence(request: Request, pair: Pair) -> str:
    tested = of_tested(request)
    tests = tests_of_pair(combined_of(tested), pair)
    return pair_sentence(analysis_of(request), verdicts_of(request), pair, tests)


@cached
def scatter_of(request: Request, pair: Pair) -> Answer:
    answer = scatter_answer(analysis_of(request), pair, _task_tests(request, pair))
    return replace(answer, alt=f"{answer.alt} {_sentence(request, pair)}")


@cached
def bayes_of(request: Request, pair: Pair, rope: float, test: str) -> Answer:
    return bayes_answer(analysis_of(request), pair, rope=rope, test=test)


def show_pair(request: Request) -> None:
    names = names_in_order(analysis_of(request))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = selection.local(st.selectbox, "First method", "first", names, width=260)
        others = [name for name in names if name != first]
        usual = request.reference if request.reference in others else others[0]
        others.insert(0, others.pop(others.index(usual)))
        pair = first, selection.local(st.selectbox, "Second method", "second", others, width=260)
        more: dict[str, Any] = {"width": 220, "help": ROPE_HELP}
        rope = selection.local(st.selectbox, "Practically the same within", "rope", list(ROPES), **more)
    st.markdown(markdown(_sentence(request, pair)))
    left, right = st.columns(2, gap="medium")
    with left:
        _show_scatter(request, pair)
    with right:
        st.subheader("Which outcome is most likely on a new task?", anchor=False)
        more = {"label_visibility": "collapsed", "format_func": lambda name: f"{name} test".capitalize()}
        test: str = selection.one_of("Bayesian test", "bayes", list(BAYES), **more)
        exports.show(request, bayes_of, pair, float(rope), test, name="triangle", key="ranking-triangle")
        _show_effects(request, pair_effects(analysis_of(request), pair))


def _show_scatter(request: Request, pair: Pair) -> None:
    table = scatter_of(request, pair).table
    dots = [table["task"][row] for row in drawn_rows(table)]
    more: dict[str, Any] = {"key": "ranking-scatter", "places": dict(zip(dots, dots, strict=True))}
    names = [f"{name} (method)" if name in table else name for name in pair]
    titles = dict(zip(("first", "second"), names, strict=True))
    title = "Is it the same on every task?"
    path = exports.show(request, scatter_of, pair, title=title, name="pair", titles=titles, **more)
    if path:
        selection.open_page("compare", task=path, methods=pair, reference=pair[1])


def _show_effects(request: Request, sizes: Answer) -> None:
    st.caption(markdown(*sizes.notes))
    table = sizes.table.frame()
    form = f"%.{column_decimals((table['upper'] - table['lower']) / 2)}f"
    looks: dict[str, Any] = {
        one.key: st.column_config.NumberColumn(one.title, format=form) if one.kind == "number" else one.title
        for one in sizes.table.columns
    }
    blocks.table_block(table, name=exports.name_of(request, "effects"), alt=sizes.alt, column_config=looks)
