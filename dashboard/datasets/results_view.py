"""Results on a dataset: the best methods by the tests of the Compare page, and links to comparisons."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import pyarrow.compute as pc
import streamlit as st

from dashboard.datasets.data import rows_of
from dashboard.datasets.listing import listed
from dashboard.server.archive import Row
from dashboard.server.cache import cached
from dashboard.ui import blocks, page, selection
from dashboard.ui.archive_facts import STANDARD, task_order, without_results
from dashboard.ui.commands import command_text, scored_command
from dashboard.ui.page import View
from dashboard.ui.selection import Selection, wanted_loss, wanted_setting
from delvecore.answers.answer import Answer
from delvecore.archive import Archive
from delvecore.archive.questions import answer_to
from delvecore.archive.score_tables import score_table
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.model import SCORED, TaskId
from delvecore.render.provenance import option_words
from delvecore.render.spans import as_name, markdown, strong
from delvecore.render.verdicts import BETTER
from delvecore.report import words
from delvecore.report.ranking.sentences import Standing, named
from delvecore.report.verdict_words import NO_DIFFERENCE, THAN
from delvecore.stats.choose import Setting, Verdict, turned_verdict
from delvecore.stats.orientation import oriented

MOST_NAMED = 3


BEST = (*("task", "prototask", "prior", "training_size", "measure", "mean", "error", "methods", "standing"),)
"""Columns of the best methods of tasks. `mean` and `error` are standardized if possible. `methods` has
several names if their means are equal. `standing` has the verdicts on how they differ from the others."""


def best_here(archive: Archive, dataset: str, selection: Selection, notices: list[str]) -> pd.DataFrame:
    """Return the best methods of each task of a dataset that has results, with the columns BEST.

    The loss is the chosen one if it is known; otherwise `notices` receives a notice. Tasks are ordered by
    prototask, largest training sets first, then with the standard prior first."""
    setting, tasks_by_loss = wanted_setting(selection), dict[str, list[str]]()
    for (prototask, task), rows in _results_of(archive, dataset).items():
        losses = {row["loss"] for row in rows}
        usual, path = min(losses, key=words.loss_preference), words.task_path(dataset, prototask, task)
        loss = wanted_loss(
            losses, usual, selection, notices, where=f"on {words.escape(path)}", measures=archive.measures
        )
        tasks_by_loss.setdefault(loss, []).append(path)
    parts = [pd.DataFrame(columns=BEST)]
    for loss, tasks in tasks_by_loss.items():
        best = _best_under(archive, dataset, loss, setting)
        parts.append(best[best["task"].isin(tasks)])
    best = pd.concat(parts)
    keys = [task_order(*row) for row in best[["prototask", "prior", "training_size", "task"]].values]
    return best.iloc[sorted(range(len(keys)), key=keys.__getitem__)]


@cached
def _results_of(archive: Archive, dataset: str) -> dict[tuple[str, str], list[Row]]:
    table = archive.results
    results: dict[tuple[str, str], list[Row]] = {}
    for row in table.filter(pc.equal(table["dataset"], dataset)).to_pylist():
        results.setdefault((row["prototask"], row["task"]), []).append(row)
    return results


@cached
def _best_under(archive: Archive, dataset: str, loss: str, setting: Setting) -> pd.DataFrame:
    """Return the best methods of each task of a dataset on which some method has a mean loss."""
    rows: dict[TaskId, list[Row]] = {}
    for (prototask, task), results in _results_of(archive, dataset).items():
        rows[TaskId(dataset, prototask, task)] = [row for row in results if row["loss"] == loss]
    measure = archive.measures[loss]
    best: dict[TaskId, list[Row]] = {}
    for place, results in rows.items():
        if known := [row for row in results if row["mean"] is not None]:
            lowest = min(oriented(row["mean"], measure) for row in known)
            tied = [row for row in known if oriented(row["mean"], measure) == lowest]
            best[place] = sorted(tied, key=lambda row: row["method"])
    if not best:
        return pd.DataFrame(columns=BEST)
    against = {task: tuple(row["method"] for row in tied) for task, tied in best.items()}
    pairs = archive.compare(f"/{dataset}", loss=loss, against=against, setting=setting).to_pylist()
    verdicts: dict[TaskId, dict[str, set[str]]] = {task: {} for task in best}
    for pair in pairs:
        place = TaskId(pair["dataset"], pair["prototask"], pair["task"])
        methods = against[place]
        for one, other, verdict in (
            (pair["method_a"], pair["method_b"], pair["verdict"]),
            (pair["method_b"], pair["method_a"], turned_verdict(pair["verdict"])),
        ):
            if one in methods and other not in methods:
                verdicts[place].setdefault(other, set()).add(verdict)
    lines = [_best(tied, measure, verdicts[task], len(rows[task])) for task, tied in best.items()]
    return pd.DataFrame(lines, columns=BEST, dtype=object)


def _best(tied: Sequence[Row], measure: Measure, others: Mapping[str, set[str]], of: int) -> Row:
    """Return the row of the methods with the best mean. of: number of all methods.

    others: verdicts on the best methods against each other method. The best methods count as better than
    another only if each of them is better."""
    row, methods = tied[0], tuple(one["method"] for one in tied)
    better, worse = (
        [name for name, verdicts in others.items() if verdicts == {verdict}]
        for verdict in (Verdict.BETTER, Verdict.WORSE)
    )
    alike = [name for name, verdicts in others.items() if Verdict.NOT_SIGNIFICANT in verdicts]
    unit = "standardized_" if row["standardized_mean"] is not None else ""
    return {
        "task": words.task_path(row["dataset"], row["prototask"], row["task"]),
        "prototask": row["prototask"],
        "prior": row["task"].rpartition(".")[0],
        "training_size": row["training_size"],
        "measure": measure,
        "mean": row[f"{unit}mean"],
        "error": row[f"{unit}error" if unit else "standard_error"],
        "methods": methods,
        "standing": Standing(row["method"], 1, of - len(methods) + 1, better, worse, alike),
    }


def best_sentence(best: Any, *, with_prior: bool = False) -> str:
    """`On age with 1,024 training cases **gp-1** has the lowest squared error (S): ...`. best: a row."""
    where = "Over its scores" if best.prototask == SCORED else f"On {as_name(best.prototask)}"
    size = f" with {words.count(best.training_size, 'training case')}" if best.training_size else ""
    if best.prior and (with_prior or best.prior != STANDARD):
        size += f" and the prior {as_name(best.prior)}"
    names = strong(words.and_list([as_name(name) for name in best.methods]))
    verb = "has" if len(best.methods) == 1 else "share"
    measure, end = best.measure, words.best_end(best.measure)
    quantity = as_name(words.measure_quantity(measure) if measure.is_loss else measure.title)
    return f"{where}{size} {names} {verb} the {end} {quantity}: {_verdict_words(best.standing)}."


def _verdict_words(standing: Standing) -> str:
    if not standing.better and not standing.alike:
        return "no other method was tested against the best" if standing.of > 1 else "no other has results"
    if not standing.better:
        return f"{THAN[Verdict.NOT_SIGNIFICANT]} any of {words.count(len(standing.alike), 'other')}"
    better = f"{THAN[Verdict.BETTER]} {words.count(len(standing.better), 'other')}"
    if not standing.alike:
        return better
    names = named(standing.alike)
    many = words.count(len(standing.alike), "other")
    return f"{better}, {THAN[Verdict.NOT_SIGNIFICANT]} {names if len(standing.alike) <= MOST_NAMED else many}"


def best_table(best: pd.DataFrame) -> pd.DataFrame:
    """The best methods of each task as shown, one row per task, with the prior if there are several."""
    has_priors = best["prior"].nunique() > 1
    return pd.DataFrame(
        {
            "prototask": one.prototask,
            "prior": one.prior if has_priors else None,
            "training cases": one.training_size or None,
            "best": words.and_list(one.methods),
            "its mean": words.with_error(one.mean, one.error),
            "loss": words.measure_quantity(one.measure),
            THAN[Verdict.BETTER]: f"{len(one.standing.better)} of {one.standing.of - 1}",
            NO_DIFFERENCE: ", ".join(one.standing.alike) or None,
        }
        for one in best.itertuples()
    )


MOST_SAID = 3
SIZES = "Which size limits the error of comparisons, and which is larger than needed?"
LOOKS = {
    "training cases": st.column_config.NumberColumn("training cases", format="localized"),
    THAN[Verdict.BETTER]: st.column_config.TextColumn(help="Verdicts on the other methods, as on Compare"),
    NO_DIFFERENCE: st.column_config.TextColumn(width="large"),
}
PUBLISHED_LOOKS = {
    "mean": st.column_config.NumberColumn(format="%.6g"),
    "deviation": st.column_config.NumberColumn(
        "standard deviation", format="%.6g", help="Standard deviation over the runs, with n - 1"
    ),
    "measure": st.column_config.TextColumn(help="A metric, or the letter of a raw loss"),
}


def show_head(view: View, row: Row) -> None:
    """Name the best methods with the largest training sets of each prototask, with links to comparisons."""
    if known := measured_sentence(view.archive, row["dataset"]):
        st.markdown(markdown(known))
    best = best_here(view.archive, row["dataset"], view.selection, [])
    largest = list(best.drop_duplicates("prototask").itertuples())
    if largest:
        several = {name for name, rows in best.groupby("prototask") if rows["prior"].nunique() > 1}
        text = " ".join(
            best_sentence(one, with_prior=one.prototask in several) for one in largest[:MOST_SAID]
        )
        rest = f" And {len(largest) - MOST_SAID} more prototasks." if len(largest) > MOST_SAID else ""
        several_sizes = best["training_size"].nunique() > 1
        where = "Best with the largest training sets" if several_sizes else "Best here"
        st.markdown(markdown(f"{strong(where + '.')} {text}{rest}"))
    own = [
        array.name
        for array in view.archive.arrays
        if row["dataset"] in {one.dataset for one in array.members}
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("All datasets", icon=":material/arrow_back:"):
            selection.choose(dataset=None, prototask=None)
            st.rerun()
        if row["attributes"] is not None:
            st.code(words.task_path(row["dataset"], ""), language=None, width="content")
        for one in largest[:MOST_SAID]:
            is_alone = len(largest) == 1 or one.prototask == SCORED
            text = "Compare" if is_alone else f"Compare on {words.escape(one.prototask)}"
            if st.button(text, icon=":material/balance:", key=f"compare-{one.task}"):
                selection.open_page("compare", task=one.task, loss=one.measure.key)
        for name in own:
            if st.button(
                f"Task-array {words.escape(name)}", icon=":material/grid_view:", key=f"array-{name}"
            ):
                selection.open_page("task_arrays", array=name)


def measured_sentence(archive: Archive, dataset: str) -> str:
    """Return the dataset's levels in task-arrays, and its measured properties; empty for none."""
    (row,) = (one for one in listed(archive) if one["dataset"] == dataset)
    levels = words.and_list([words.escape(level) for level in row["levels"].values()])
    shares = [
        f"{words.escape(factor)} {words.with_error(*share)} %" for factor, share in row["measures"].items()
    ]
    sentences = [f"**In its task-array**: {levels}."] if levels else []
    sentences += [f"Measured: {words.and_list(shares)}."] if shares else []
    return " ".join(sentences)


def show_results(view: View, row: Row) -> None:
    """Show the best methods of each task, and published values below. A click on a row compares its
    methods."""
    _show_own(view, row)
    _show_published(view.archive, row["dataset"])


def _show_own(view: View, row: Row) -> None:
    notices: list[str] = []
    best = best_here(view.archive, row["dataset"], view.selection, notices)
    if best.empty:
        run = command_text("delve", "run", "METHOD", words.task_path(row["dataset"], ""))
        page.empty_state("No method has results here.", "Run one:", run)
        return
    page.show_notices(dict.fromkeys(notices))
    setting = words.setting(selection.wanted_setting(view.selection))
    st.caption(f"The best method of each task, and whether it is {BETTER} ({setting}). Click one to compare.")
    name, table = f"{row['dataset']}-best", best_table(best)
    alt = f"The best method on each task of {row['dataset']}"
    of_scores, measure = bool((best["prototask"] == SCORED).all()), best["measure"].iloc[0]
    known = [column for column in table.columns if table[column].notna().any()]
    known = [column for column in known if not (of_scores and column == "prototask")]
    clicked = blocks.pick_row(table, name=name, alt=alt, column_config=LOOKS, column_order=known)
    blocks.csv_button(table, name)
    if lacking := without_results(view.archive, row["dataset"]):
        st.caption(markdown(lacking))
    if not of_scores:
        _show_design(view.archive, row["dataset"], measure)
    if clicked is not None:
        task, measure = best.iloc[clicked][["task", "measure"]]
        selection.open_page("compare", task=task, loss=measure.key)


def _show_design(archive: Archive, dataset: str, measure: Measure) -> None:
    """Show an expander: which size limits the error on each task, and which is larger than needed."""
    about: dict[str, Any] = {"icon": ":material/straighten:", "on_change": "rerun", "bind": "query-params"}
    line = st.expander(SIZES, key="sizes", **about)
    if not line.open:
        return
    with line:
        found = design_of(archive, dataset, measure)
        if not blocks.show_sentence(found) or isinstance(found, str):
            return
        options = [*option_words("--loss", measure.key), "--show", "design"]
        command = scored_command("rank", words.task_path(dataset, ""), *options)
        blocks.show_answer(replace(found, command=command), None, name=f"{dataset}-design")


@cached
def design_of(archive: Archive, dataset: str, measure: Measure) -> Answer | str:
    """Return the size that limits the precision on each task of a dataset, or why there is no answer."""
    try:
        scores = score_table(archive, measure, [(dataset,)])
        return answer_to("design", archive, scores, measure=measure, setting=Setting())
    except DelveError as error:
        return str(error)


def _show_published(archive: Archive, dataset: str) -> None:
    names = ("prototask", "task", "method", "measure", "mean", "deviation", "runs", "where", "source")
    table = pd.DataFrame(rows_of(archive, "published", dataset), columns=names)
    if table.empty:
        return
    st.subheader("Which results were published elsewhere?", anchor=False)
    sources = [words.escape(source) for source in dict.fromkeys(table["source"])]
    st.caption(
        f"{'; '.join(sources)}. The pages Compare and Tables show these numbers, but do not test them."
    )
    blocks.table_block(
        table,
        name=f"{dataset}-published",
        alt=f"Published results on {dataset}",
        column_config=PUBLISHED_LOOKS,
        column_order=[name for name in table.columns if name != "source" or len(sources) > 1],
    )
