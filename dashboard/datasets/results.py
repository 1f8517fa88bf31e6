"""What is known of results on a dataset: the best methods, and the ways to the pages that compare them."""

import pandas as pd
import streamlit as st

from dashboard.datasets.best import Best, best_here, best_sentence, best_table
from dashboard.datasets.data import rows_of
from dashboard.datasets.listing import listed
from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.ui import page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.page import View
from delvecore.model import SCORED
from delvecore.plots import words
from delvecore.report.verdict_words import NO_DIFFERENCE, THAN
from delvecore.stats.choose import Verdict

__all__ = ["show_head", "show_results"]

MOST_SAID = 3
LOOKS = {
    "training cases": st.column_config.NumberColumn("training cases", format="localized"),
    THAN[Verdict.BETTER]: st.column_config.TextColumn(help="Of the other methods, as Compare has it"),
    NO_DIFFERENCE: st.column_config.TextColumn(width="large"),
}
PUBLISHED_LOOKS = {
    "mean": st.column_config.NumberColumn(format="%.6g"),
    "deviation": st.column_config.NumberColumn(
        "standard deviation", format="%.6g", help="Over the runs, with n - 1"
    ),
    "measure": st.column_config.TextColumn(help="A metric, or the letter of a loss, in its own unit"),
}


def show_head(view: View, row: Row) -> None:
    """Say who is best with the largest training sets of each prototask, and lead to that comparison and to
    the task-array."""
    if known := measured_sentence(view.state, row["dataset"]):
        st.markdown(known)
    found = best_here(view.state, row["dataset"], view.selection, [])
    largest = list({one.prototask: one for one in reversed(found)}.values())[::-1]
    if largest:
        priors = {(one.prototask, one.prior) for one in found}
        several = {name for name, _ in priors if sum(name == other for other, _ in priors) > 1}
        said = " ".join(
            best_sentence(one, with_prior=one.prototask in several) for one in largest[:MOST_SAID]
        )
        rest = f" And {len(largest) - MOST_SAID} more prototasks." if len(largest) > MOST_SAID else ""
        sizes = {one.training_size for one in found}
        where = "Best with the largest training sets" if len(sizes) > 1 else "Best here"
        st.markdown(f"**{where}.** {said}{rest}")
    arrays = view.archive.arrays if view.archive else ()
    own = [array.name for array in arrays if row["dataset"] in {one.dataset for one in array.members}]
    if not largest and not own:
        return
    with st.container(horizontal=True):
        for one in largest[:MOST_SAID]:
            _compare_button(one, alone=len(largest) == 1)
        for name in own:
            if st.button(
                f"Task-array {words.escape(name)}", icon=":material/grid_view:", key=f"array-{name}"
            ):
                selection.open_page("task_arrays", array=name)


def measured_sentence(state: str, dataset: str) -> str:
    """Return what task-arrays say of a dataset: its levels, and what was measured; empty for nothing."""
    (row,) = (one for one in listed(state) if one["dataset"] == dataset)
    levels = words.and_list([words.escape(level) for level in row["levels"].values()])
    shares = [
        f"{words.escape(one.factor)} {words.with_error(one.percent, one.error)} %"
        for one in row["measures"].values()
    ]
    said = [f"**In its task-array**: {levels}."] if levels else []
    said += [f"Measured: {words.and_list(shares)}."] if shares else []
    return " ".join(said)


def _compare_button(best: Best, *, alone: bool) -> None:
    name = "Compare" if alone or best.prototask == SCORED else f"Compare on {words.escape(best.prototask)}"
    if st.button(name, icon=":material/balance:", key=f"compare-{best.task}"):
        _compare(best)


def _compare(best: Best) -> None:
    selection.open_page("compare", task=best.task, loss=best.loss)


def show_results(view: View, row: Row) -> None:
    """Show the best of each task; a click on one opens its comparison. Below it what was published."""
    _show_own(view, row)
    _show_published(view.state, row["dataset"])


def _show_own(view: View, row: Row) -> None:
    notices: list[str] = []
    found = best_here(view.state, row["dataset"], view.selection, notices)
    if not found:
        run = command_text("delve", "run", "METHOD", words.task_path(row["dataset"], ""))
        page.empty_state("No method has results here.", "Run one:", run)
        return
    for notice in dict.fromkeys(notices):
        st.info(notice, icon=":material/info:")
    setting = words.setting(selection.wanted_setting(view.selection))
    st.caption(
        f"The lowest loss of each task, and whether it is significantly lower ({setting}). Click one to "
        "compare."
    )
    name, table = f"{row['dataset']}-best", best_table(found)
    alt = f"The best method on each task of {row['dataset']}"
    no_sense = {"prototask"} if {one.prototask for one in found} == {SCORED} else set()
    known = [column for column in table.columns if table[column].notna().any() and column not in no_sense]
    clicked = page.pick_row(table, name=name, alt=alt, column_config=LOOKS, column_order=known)
    page.csv_button(table, name)
    if clicked is not None:
        _compare(found[clicked])


@opened.cached
def _published_table(state: str, dataset: str) -> pd.DataFrame:
    """The published results on a dataset, a row each, in the order of their files."""
    rows = rows_of(state, "published", dataset)
    names = ("prototask", "task", "method", "measure", "mean", "deviation", "runs", "where", "source")
    return pd.DataFrame([{name: row[name] for name in names} for row in rows], columns=names)


def _show_published(state: str, dataset: str) -> None:
    """Show the published results, if there are any."""
    table = _published_table(state, dataset)
    if table.empty:
        return
    st.subheader("What was published elsewhere?", anchor=False)
    sources = [words.escape(source) for source in dict.fromkeys(table["source"])]
    st.caption(f"{'; '.join(sources)}. Compare and Tables show these figures, and test none of them.")
    page.table_block(
        table,
        name=f"{dataset}-published",
        alt=f"Published results on {dataset}",
        column_config=PUBLISHED_LOOKS,
        column_order=[name for name in table.columns if name != "source" or len(sources) > 1],
    )
