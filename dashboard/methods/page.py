"""Methods: the list of all methods, or a card of one method with its description and the tasks that it
wins."""

import functools
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.methods import data as method_data
from dashboard.methods import training, variants
from dashboard.methods.data import chosen_loss, value_column
from dashboard.methods.listing import show_list
from dashboard.methods.wins_and_losses import show_where, where_found
from dashboard.server import archive as opened
from dashboard.server import checks as check_data
from dashboard.server.archive import Row
from dashboard.server.cache import cached
from dashboard.ui import blocks, controls, findings, page, selection
from dashboard.ui.archive_facts import titles_of, usual_loss
from dashboard.ui.commands import command_text
from dashboard.ui.controls import part_control
from dashboard.ui.documents import document_text, rendered
from dashboard.ui.findings import show_findings, when_checked
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View, shared_cases
from dashboard.ui.request import Request
from delvecore.answers.wins_and_losses import method_heading
from delvecore.archive import Archive
from delvecore.checks.checklist import Point, checklist
from delvecore.errors import Problem
from delvecore.render.numbers import integer
from delvecore.render.spans import as_name, plain, strong
from delvecore.report import words

LAST = ("Contributor", "Settings")
"""Files of `Source` for programs, which follow the files for readers."""
MOST_TASKS = 200
"""Largest number of tasks up to which all losses are shown at once."""
LOSS_COLUMNS = {
    "task": st.column_config.TextColumn("Task", pinned=True),
    "standard_error": st.column_config.NumberColumn("SE", format="%.4f", help=help_for("standard error")),
    "best_method": st.column_config.TextColumn("Best"),
    "best_error": st.column_config.NumberColumn("Its SE", format="%.4f"),
}
CODING_COLUMNS = {
    "dataset": st.column_config.TextColumn("Dataset", pinned=True),
    "prototask": st.column_config.TextColumn("Prototask"),
    "attribute": st.column_config.TextColumn("Attribute"),
    "role": st.column_config.TextColumn("Role"),
    "coding": st.column_config.TextColumn("Coding", help=help_for("coding")),
    "options": st.column_config.TextColumn("Options"),
    "tasks": st.column_config.TextColumn("Tasks"),
}

CHECKLIST_ROW = 84
CHECKLIST_COLUMNS = {
    "Number": st.column_config.NumberColumn("#", width=40),
    "Point": st.column_config.TextColumn(width=200),
    "Known": st.column_config.TextColumn(width=430, help="Points that the files or the description cover"),
    "Missing": st.column_config.TextColumn(width=170, help="Points that are missing from both"),
    "Section": st.column_config.TextColumn(help="Section of the PROBEN1 report", width=70),
}


def show_method(view: View, loss: str | None) -> None:
    """Show the selected method instead of the list. loss: the chosen one, if it has results."""
    row = method_data.method_row(view.archive, view.selection.method or "")
    counts = method_data.loss_counts(view.archive, row["method"])
    loss = chosen_loss(counts, loss, usual_loss(view.archive))
    profile = where_found(Request(view.archive, loss, method=row["method"])) if loss else None
    heading = method_heading(row["method"], titles_of(view.archive)[row["method"]], profile)
    page.answer(heading, view, basis=_sentence(view, row, loss))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("All methods", icon=":material/arrow_back:", key="to-methods"):
            selection.open_page("methods", method=None)
        st.code(words.task_path(row["method"], ""), language=None, width="content")
        if loss and st.button("Compare it", icon=":material/balance:"):
            _compare(view, row["method"])
    shown = dict(PARTS)
    if training.has_training(view.archive, row["method"]):
        shown["Training"] = training.show_training
    if variants.tells_settings(view.archive, row["method"]):
        shown["Variants"] = _variants
    controls.show_tabs(shown, "method-part", view, row, loss)


def _compare(view: View, method: str, *others: str, **chosen: str) -> None:
    """Open the Compare page with this method and others. chosen: task and loss."""
    methods = view.selection.methods
    methods = tuple(dict.fromkeys((*methods, method, *others))) if methods else None
    selection.open_page("compare", others=None, reference=method, methods=methods, **chosen)


def _sentence(view: View, row: Row, loss: str | None) -> str:
    name = strong(as_name(row["method"]))
    done = len(view.archive.index.tasks_done.get(row["method"], ()))
    total = words.count(len(opened.rows(view.archive, "tasks")), "task")
    if loss is None:
        return f"{name} has no results yet, of {total} in the archive."
    request = Request(view.archive, loss, method=row["method"])
    known, measure = method_data.method_losses(request)["loss"].dropna(), request.measure
    start = f"{name} has results on {integer(done)} of {total}"
    if known.empty:
        return f"{start}; the baseline of {words.measure_markdown(measure)} is not recorded."
    start, middle = f"{start}. Under {words.measure_within(measure)}", words.number(known.median(), digits=3)
    if measure.baseline is None:
        return f"{start} its median is {middle}."
    better = int((known < measure.baseline.value).sum())
    return (
        f"{start} it has a lower loss than {measure.baseline.text} on {strong(f'{better} of {len(known)}')}; "
        f"its median standardized loss is {middle}."
    )


def _where(view: View, row: Row, loss: str | None) -> None:
    if loss := _loss_control(view, row, loss):
        show_where(Request(view.archive, loss, method=row["method"]))
    _card(view, row)


def _loss_control(view: View, row: Row, loss: str | None) -> str | None:
    """Let the visitor choose a loss, or show how to compute one. Return the loss."""
    if loss is None:
        command = command_text("delve", "run", row["method"], "/DATASET/PROTOTASK/TASK")
        page.empty_state("No losses yet.", "They appear once the method has been run on a task:", command)
        return None
    counts, measures = method_data.loss_counts(view.archive, row["method"]), view.archive.measures
    selection.control(
        st.segmented_control,
        "Loss",
        "loss",
        tuple(counts),
        value=loss,
        required=True,
        format_func=lambda letter: f"{words.measure_markdown(measures[letter])} · {counts[letter]}",
        label_visibility="collapsed",
    )
    return loss


def _variants(view: View, row: Row, loss: str | None) -> None:
    if loss := _loss_control(view, row, loss):
        variants.show_variants(view, row, loss)


def _losses(view: View, row: Row, loss: str | None) -> None:
    if loss:
        st.subheader("How does it do?", anchor=False, help=help_for("standardized loss"))
    if (loss := _loss_control(view, row, loss)) is None:
        return
    method = row["method"]
    request = Request(view.archive, loss, method=method)
    table = method_data.method_losses(request)
    sentence = _sentence(view, row, loss)
    order, part = _order_and_part(len(table))
    shown = method_data.losses_shown(request, order, part)
    sorted_by = "farthest from the best first" if order else "by dataset, prototask and training size"
    st.caption(
        f"One row per task, {sorted_by}; bars show one standard error on either side. Click a dot "
        "to compare the methods on that task." + shared_cases(view.archive, set(table["task"]))
    )
    command = command_text("mstats", "-l", loss, f"/{method}") if request.measure.is_loss else None
    own, best = ("loss", "best_loss") if request.measure.is_loss else ("mean", "best_mean")
    values = {own: value_column(request.measure), best: st.column_config.NumberColumn("Its", format="%.4f")}
    numbers = table.drop(columns=["dataset", "prototask"])
    task = blocks.figure_block(
        method_data.losses_figure(request, order, part),
        numbers.rename(columns={"loss": own, "best_loss": best}),
        name=f"{method}-{loss}-losses",
        alt=f"Losses on {len(shown)} of {words.count(len(table), 'task')}. {plain(sentence)}",
        command=command,
        places={task: task for task in shown["task"]},
        column_config=LOSS_COLUMNS | values,
    )
    if command:
        page.show_commands(command)
    if task is not None:
        other = table.loc[table["task"] == task, "best_method"].iloc[0]
        _compare(view, method, other, task=task, loss=loss)


def _order_and_part(count: int) -> tuple[bool, tuple[int, int]]:
    """Let the visitor choose the order and part of many tasks; return (is it by distance?, (start, end))."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        part = part_control(count, "Tasks shown", "tasks-shown", whole=MOST_TASKS)
        if part == slice(0, count):
            return False, (0, count)
        orders = ("farthest from the best first", "by name")
        order = selection.one_of("Order", "order", orders)
    return order == orders[0], (part.start, part.stop)


def _card(view: View, row: Row) -> None:
    texts = method_data.source_texts(view.archive, row["method"])
    cost = method_data.documented(texts, "comput(?:ing|ational|ation) (?:cost|time)s?")
    rules = method_data.documented(texts, "(?:en)?codings?")
    if not row["summary"] and not cost and not rules:
        st.caption("The method has no `Summary` and no description.")
        return
    columns = st.columns([1.2, 1, 1], gap="medium")
    parts = (("In short", row["summary"]), ("Computing cost", cost), ("Coding rules", rules))
    for column, (title, text) in zip(columns, parts, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{title}**")
            if text:
                st.markdown(rendered(text))
            else:
                st.caption("Not documented")


def _documentation(view: View, row: Row, _loss: str | None) -> None:
    documents = row["documents"] or []
    if not documents and not row["summary"]:
        page.empty_state(
            "No documentation.", "Documentation would be in the files `Summary` and `Source/...`."
        )
        return
    page.contributors(view, "methods", row["method"])
    if row["summary"]:
        st.markdown(rendered(row["summary"]))
    if documents:
        ordered = sorted(documents, key=lambda name: (name in LAST, not method_data.is_text(name), name))
        name = selection.local(st.selectbox, "File of `Source`", "document", ordered, width=420)
        text = document_text(view.archive, "methods", row["method"], "Source", *name.split("/"))
        if method_data.is_text(name):
            with st.container(border=True, key="document"):
                st.markdown(rendered(text))
            with st.expander("Source text", icon=":material/notes:"):
                st.code(text, language=None, wrap_lines=True)
        else:
            st.code(text, language="python" if name.endswith(".py") else None, height=640)
    st.caption("Location:")
    st.code("\n".join(row["directories"]), language=None)
    page.show_commands(command_text("minfo", "-a", f"/{row['method']}"))


def _codings(view: View, row: Row, _loss: str | None) -> None:
    table = method_data.coding_table(view.archive, row["method"])
    if table is None:
        st.markdown("The archive does not record the codings of the method.")
    elif table.empty:
        st.markdown("The method uses the **default codings everywhere**.")
    else:
        prototasks = words.count(len(table[["dataset", "prototask"]].drop_duplicates()), "prototask")
        attributes = words.count(len(table), "attribute")
        st.markdown(
            f"The method uses codings other than the default for **{attributes} of {prototasks}**. "
            "They are listed here; all others use the default."
        )
        name, alt = f"{row['method']}-codings", f"Codings of {row['method']} that differ from the default"
        blocks.table_block(table, name=name, alt=alt, column_config=CODING_COLUMNS)
    st.caption(help_for("coding"))
    tasks = sorted(view.archive.index.tasks_done.get(row["method"], ()))
    if table is not None and tasks:
        task = selection.local(st.selectbox, "Task", "coded", tasks, width=420)
        codings = method_data.task_codings(view.archive, row["method"], task)
        if blocks.show_sentence(codings) and not isinstance(codings, str):
            blocks.show_answer(codings, None, name=f"{row['method']}-codings-of-a-task")


def _check(view: View, row: Row, _loss: str | None) -> None:
    """Show the findings of `mcheck` about the method when the check is complete."""
    steps = check_data.method_steps(view.archive, row["method"])
    if not steps:
        st.caption("The method has only a table of scores, and no files to check.")
        return
    when_checked(view.archive, steps, functools.partial(_show_check, view, row["method"]))
    page.show_commands(command_text("mcheck", f"/{row['method']}"))
    _show_checklist(view.archive, row["method"])


def _show_check(view: View, name: str, problems: list[Problem]) -> None:
    table = findings.joined(view.archive, problems, of_reading=False)
    if table.empty:
        st.markdown(
            "**Nothing is wrong**: it is documented, its codings are allowed, its predictions are "
            "complete and possible, and its losses match the predictions."
        )
        return
    st.markdown(f"**{words.count(len(table), 'problem')}** in its documentation and results:")
    show_findings(table, name=f"{name}-check", alt=f"What is wrong with the files of {name}")


@cached
def _points_of(archive: Archive, method: str) -> tuple[Point, ...]:
    return checklist(archive.hierarchy, method)


def _show_checklist(archive: Archive, method: str) -> None:
    points = _points_of(archive, method)
    missing = [one.missing for one in points if one.missing]
    st.subheader("What should a paper on it report?", anchor=False)
    lead = f"**{len(points) - len(missing)} of {len(points)} points** are known"
    asked = f"; missing: {words.escape('; '.join(missing))}" if missing else ""
    places = dict.fromkeys(one.where for one in points if one.missing)
    where = f" Add it to {words.escape(words.and_list(list(places)))}." if places else ""
    st.markdown(f"{lead}{asked}.{where} This is advice, not a fault.")
    table = pd.DataFrame(
        {
            "Number": [*range(1, len(points) + 1)],
            "Point": [one.title for one in points],
            "Known": ["; ".join(one.known) or None for one in points],
            "Missing": [one.missing or None for one in points],
            "Section": [one.section for one in points],
        }
    )
    alt = f"The publication checklist for {method}"
    # Rows have room for four lines, since longer texts wrap.
    more: dict[str, Any] = {"row_height": CHECKLIST_ROW, "height": "content"}
    name = f"{method}-checklist"
    blocks.table_block(table, name=name, alt=alt, column_config=CHECKLIST_COLUMNS, **more)
    st.caption(
        "The list follows section 2.11 of the PROBEN1 report. A line of the description that "
        "begins with `2.11.4:` covers point 4. Without such lines, the text is searched for typical words."
    )
    page.show_commands(command_text("mcheck", "-c", f"/{method}"))


PARTS = {
    "Where it wins": _where,
    "Losses": _losses,
    "Documentation": _documentation,
    "Codings": _codings,
    "Check": _check,
}
"""The tabs of every method, by their titles."""


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "methods", by_loss=True)
    if view.selection.method is not None:
        show_method(view, view.selection.loss)
        return
    losses = view.archive.index.losses
    loss = view.selection.loss if view.selection.loss in losses else usual_loss(view.archive)
    show_list(view, loss)
