"""One dataset in full: attributes, cases, prototasks, priors, summary and source."""

import functools
from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboard.datasets import data as dataset_data
from dashboard.datasets.results_view import show_head, show_results
from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.ui import archive_status, blocks, controls, page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.documents import document_text, rendered
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.answers.dataset_cases import dependency_sentences
from delvecore.plots.cases import distribution_figure
from delvecore.render.numbers import integer
from delvecore.render.spans import markdown
from delvecore.report import words

GAPS = ("missing", "reasons", "censored", "bounds")
TYPE_HELP = f"The type that the priors assign. Angular: {help_for('angular')}"
ATTRIBUTE_COLUMNS = {
    "number": st.column_config.NumberColumn("#", width=40, pinned=True),
    "attribute": st.column_config.TextColumn("Attribute", pinned=True),
    "distribution": st.column_config.BarChartColumn("Distribution", width=100, y_min=0),
    "kind": st.column_config.TextColumn("Kind"),
    "types": st.column_config.TextColumn("Type", help=TYPE_HELP),
    "control": st.column_config.TextColumn("Control", width=75, help="c: controlled, u: uncontrolled"),
    "range": st.column_config.TextColumn("Range", help=help_for("range")),
    "minimum": st.column_config.NumberColumn("Smallest", format="%.6g"),
    "maximum": st.column_config.NumberColumn("Largest", format="%.6g"),
    "missing": st.column_config.NumberColumn("Missing", format="percent", help=help_for("missing value")),
    "reasons": st.column_config.TextColumn(
        "Why missing", width=170, help="Reasons in the file, with their counts; a plain ? gives no reason"
    ),
    "censored": st.column_config.NumberColumn("Censored", format="percent", help=help_for("censored value")),
    "bounds": st.column_config.TextColumn(
        "Bounds", width=110, help="Directions of censoring, with their counts"
    ),
    "description": st.column_config.TextColumn("Description", width="large"),
}
CASE_TERMS = {"missing": "missing value", "censored": "censored value", "commonality": "commonality index"}
"""Terms of the glossary for columns other than attributes, by the last word of their names."""
PRIOR_HELP = {"type": TYPE_HELP, "relevance or noise": help_for("NLMH"), "coding": help_for("coding")}
CASE_FILES = {"CSV": "csv", "Parquet": "parquet", "ARFF": "arff"}
"""Titles and endings of files of cases."""
MOST_NAMED = 12
SHORT = 20
"""Number of lines up to which a document is shown in its full height."""
USAGES = {"?": "usage unknown", "development": "for development", "assessment": "for assessment"}


def show_dataset(view: View) -> None:
    (row,) = dataset_data.rows_of(view.archive, "datasets", view.selection.dataset or "")
    is_scored = row["attributes"] is None
    known = dataset_data.about(view.archive, row["dataset"])
    basis = _scored_sentence(view, row) if is_scored else f"{words.escape(known)} {_sentence(row)}".lstrip()
    page.answer(words.escape(dataset_data.title_of(view.archive, row["dataset"])), view, basis=basis)
    show_head(view, row)
    if is_scored:
        show_results(view, row)
        return
    controls.show_tabs(PARTS, "part", view, row)


def _scored_sentence(view: View, row: Row) -> str:
    """Show the known facts about a dataset that has only scores."""
    name = row["dataset"]
    tasks = [one for one in opened.rows(view.archive, "tasks") if one["dataset"] == name]
    done = view.archive.index.methods_on
    methods = {one for task, on in done.items() if task[0] == name for names in on.values() for one in names}
    sets = words.count(max((one["instances"] or 0 for one in tasks), default=0), "training set")
    known = words.count(len(methods), "method")
    several = f" on {words.count(len(tasks), 'task')}" if len(tasks) > 1 else ""
    return (
        f"**{words.escape(name)}** has only scores, of {known}"
        f"{several}, with {sets}. Its cases and attributes are not in the file."
    )


def _sentence(row: Row) -> str:
    cases = words.count(row["cases"], "case") if row["cases"] is not None else "unreadable cases"
    attributes = words.count(row["attributes"], "attribute")
    kinds = words.and_list(row["task_types"] or ()) or "no task"
    order = {"?": "unknown"}.get(row["order"], row["order"])
    usage = USAGES.get(row["usage"], row["usage"])
    name = f"**{words.escape(row['dataset'])}**"
    return (
        f"{name} has {cases} of {attributes}: {words.escape(row['origin'])}, {words.escape(usage)}, "
        f"{kinds}, order of cases {words.escape(order)}; {_gaps(row)}."
    )


def _gaps(row: Row) -> str:
    if row["missing_values"] is None:
        return "values unknown"
    gaps = words.count(row["missing_values"], "missing value")
    gaps += f", {words.count(row['censored_values'], 'censored value')}" if row["censored_values"] else ""
    if row["groups"]:
        return f"{gaps}, {words.count(row['groups'], 'commonality index', 'commonality indexes')}"
    return gaps + (", with commonality indexes" if row["commonality"] else "")


def _unreadable(reason: str | None) -> None:
    st.warning("The cases cannot be read; the specification is shown without them.")
    st.text(reason)


def _attributes(view: View, row: Row) -> None:
    name = row["dataset"]
    cases, reason = dataset_data.cases_or_reason(view.archive, name)
    if cases is None:
        _unreadable(reason)
    table = dataset_data.attribute_table(view.archive, name)
    absent = {column for column in GAPS if not any(value == value and value for value in table[column])}
    absent |= {"control"} if set(table["control"]) == {"u"} else set()
    order = [column for column in table.columns if column not in absent]
    blocks.table_block(
        table,
        name=f"{name}-attributes",
        alt=f"Attributes of {name}",
        column_config=ATTRIBUTE_COLUMNS,
        column_order=order,
    )
    page.show_commands(command_text("dinfo", "-a", f"/{name}"))
    if cases is not None and len(table):
        _distribution(view, name, table["attribute"].tolist())


def _distribution(view: View, name: str, attributes: list[str]) -> None:
    st.subheader("What is the distribution of an attribute?", anchor=False)
    chosen = selection.local(st.selectbox, "Attribute", "attribute", attributes, label_visibility="collapsed")
    rows = dataset_data.rows_of(view.archive, "attributes", name)
    about = next(row for row in rows if row["attribute"] == chosen)
    if about["description"]:
        st.text(words.short_line(about["description"]))
    counts = dataset_data.distribution(view.archive, name, chosen).frame()
    blocks.figure_block(
        opened.figure(distribution_figure, dataset_data.distribution, view.archive, name, chosen),
        counts.astype({"low": float, "high": float}),
        name=f"{name}-{chosen}",
        alt=f"Number of cases by value of {chosen}, {about['kind']}, range {about['range']}",
        command=command_text("dinfo", "-a", words.task_path(name, "")),
    )


def _cases(view: View, row: Row) -> None:
    cases, reason = dataset_data.cases_or_reason(view.archive, row["dataset"])
    if cases is None:
        _unreadable(reason)
        return
    shown = dataset_data.first_cases(view.archive, row["dataset"])
    st.caption(
        f"The first {integer(len(shown))} of {words.count(cases.num_rows, 'case')}, in the file's order."
    )
    name, alt = f"{row['dataset']}-cases", f"First cases of {row['dataset']}"
    looks: dict[str, Any] = {shown.columns[0]: st.column_config.NumberColumn(pinned=True)}
    for column in shown.columns[1:]:
        term = CASE_TERMS.get(column.rpartition(" ")[2])
        looks |= {column: st.column_config.Column(help=help_for(term))} if term else {}
    blocks.plain_table(shown, name=name, alt=alt, column_config=looks, height=520)
    _offer_cases(view, row["dataset"])


def _offer_cases(view: View, *names: str) -> None:
    """Offer all cases of a dataset, or of a prototask, as files. names: names of the dataset and
    prototask."""
    name, archive = "-".join(names), view.archive
    with st.container(horizontal=True, vertical_alignment="center", key=f"cases-of-{name}"):
        st.caption(f"All cases of /{words.escape('/'.join(names))}:", width="content")
        for title, form in CASE_FILES.items():
            make = functools.partial(dataset_data.cases_file, archive, names, form)
            blocks.download(title, make, f"{name}.{form}", key=f"cases-{form}-{name}")
        if len(names) == 1:
            make = functools.partial(dataset_data.dataset_file, archive, name)
            blocks.download("DELVE archive", make, f"{name}.tar.gz", key=f"packed-{name}")
    page.show_commands(command_text("delve", "export", f"/{'/'.join(names)}"))


@st.fragment
def _download_menu(view: View, dataset: str, prototask: str) -> None:
    """Offer the cases of a prototask when the menu is opened, or show why they cannot be written."""
    key = f"download-{prototask}-cases"
    menu = st.popover("Download cases", icon=":material/download:", key=key, on_change="rerun")
    if not menu.open:
        return
    with archive_status.told(), menu:
        reason = dataset_data.cases_fault(view.archive, (dataset, prototask))
        if reason is None:
            _offer_cases(view, dataset, prototask)
        else:
            st.warning("These cases cannot be downloaded.")
            st.text(reason)


def _prototasks(view: View, row: Row) -> None:
    prototasks = dataset_data.rows_of(view.archive, "prototasks", row["dataset"])
    if not prototasks:
        page.empty_state("No prototasks.", "A prototask is a directory that contains a `Prototask.spec`.")
    for prototask in prototasks:
        with st.container(border=True):
            _prototask_card(view, prototask)
    if prototasks:
        st.subheader("Attributes and inputs by kind", anchor=False)
        name = row["dataset"]
        blocks.show_answer(dataset_data.structure(view.archive, name), None, name=f"{name}-structure")
    page.show_commands(*(command_text("dinfo", words.task_path(row["dataset"], "")) for _ in prototasks[:1]))


def _prototask_card(view: View, row: Row) -> None:
    dataset, name = row["dataset"], row["prototask"]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(f"Predict {_names(row['targets'])}", anchor=False, width="content")
        st.code(words.task_path(dataset, name), language=None, width="content")
        if row["priors"]:
            icon = ":material/psychology:"
            st.button("Priors", icon=icon, key=f"priors-{name}", on_click=_open_priors, args=(name,))
        if dataset_data.cases_or_reason(view.archive, dataset)[0] is not None:
            _download_menu(view, dataset, name)
    st.markdown(markdown(f"From {_names(row['inputs'])}. {_scheme(row)}"))
    if row["summary"]:
        st.markdown(rendered(row["summary"]))
    place = view.archive, dataset, name
    prototask_view, (runs, width) = dataset_data.view_of(*place), dataset_data.case_map(*place)
    if prototask_view.sentences:
        st.markdown(markdown("\n".join(f"- {sentence}" for sentence in prototask_view.sentences)))
    for reason in prototask_view.reasons:
        st.warning("Some instances cannot be shown.")
        st.text(reason)
    strip = (
        (f". Each strip represents {integer(width)} cases and shows the set of one of them.")
        if width > 1
        else ""
    )
    st.caption(f"Which cases are trained and tested on, for each training size{strip}")
    blocks.figure_block(
        dataset_data.case_map_drawn(*place),
        runs.drop(columns="alone"),
        name=f"{dataset}-{name}-cases",
        alt=f"For each training size of {name}: which cases are in test sets, in training sets, or unused",
        command=command_text("dinfo", words.task_path(dataset, name)),
    )


def _open_priors(prototask: str) -> None:
    st.session_state["part"] = "Priors"
    st.query_params["prior-of"] = prototask


def _names(names: Sequence[str]) -> str:
    shown = [f"**{words.escape(name)}**" for name in names]
    if (more := len(names) - MOST_NAMED) > 0:
        shown[MOST_NAMED - 1 :] = [f"{more + 1} more"]
    return words.and_list(shown) or "nothing"


def _scheme(row: Row) -> str:
    sizes = words.and_list([integer(size) for size in row["training_set_sizes"]])
    same = "the same for all training sets" if row["test_set_selection"] == "common" else "a part for each"
    kind = f"{row['task_type'].capitalize()}, {words.escape(row['origin'])}"
    number = "" if row["case_count"] is None else f" ({integer(row['case_count'])})"
    pool = f"cases: {words.escape(row['cases'])}{number}, order: {words.escape(row['order'])}"
    return (
        f"{kind}; {pool}. Training sizes {sizes}; at most "
        f"{words.count(row['maximum_instances'], 'task instance')}; {integer(row['test_set_size'])} test "
        f"cases, {same} ({words.escape(row['test_set_selection'])}). Priors: {_names(row['priors'])}."
    )


def _priors(view: View, row: Row) -> None:
    prototasks = [p for p in dataset_data.rows_of(view.archive, "prototasks", row["dataset"]) if p["priors"]]
    if not prototasks:
        page.empty_state("No priors.", "A prior is a file such as `std.prior` next to `Prototask.spec`.")
        return
    names = [prototask["prototask"] for prototask in prototasks]
    name = selection.local(st.selectbox, "Prototask", "prior-of", names, help=help_for("prototask"))
    chosen = prototasks[names.index(name)]
    table = dataset_data.prior_table(view.archive, row["dataset"], name)
    for prior, text in dataset_data.prior_texts(view.archive, row["dataset"], name).items():
        st.markdown(f"**{words.escape(prior)}**: {words.escape(text)}")
    st.caption(f"{help_for('prior')} There is one group of columns per prior.")
    alt = f"Priors of {name}, with one row per attribute"
    looks = {
        column: st.column_config.Column(help=about)
        for column in table.columns
        if (about := PRIOR_HELP.get(column.rpartition(": ")[2]))
    }
    blocks.table_block(table, name=f"{row['dataset']}-{name}-priors", alt=alt, column_config=looks)
    page.show_commands(command_text("dinfo", "-a", words.task_path(row["dataset"], name)))
    for sentence in dependency_sentences(dataset_data.rows_of(view.archive, "priors", row["dataset"], name)):
        st.markdown(markdown(sentence))
    _encoded(view, chosen)


def _encoded(view: View, prototask: Row) -> None:
    st.subheader("Encoded cases, as a method receives them", anchor=False)
    left, right, _ = st.columns([1, 1, 2])
    dataset, name = prototask["dataset"], prototask["prototask"]
    prior = selection.local(left.selectbox, "Prior", "prior", prototask["priors"])
    tasks = dataset_data.rows_of(view.archive, "tasks", dataset, name)
    sizes = sorted({task["training_size"] for task in tasks if task["prior"] == prior})
    size = selection.local(right.selectbox, "Training size", "training", sizes)
    table, reason = dataset_data.encoded_or_reason(view.archive, dataset, name, prior, size)
    if table is None:
        st.warning("These cases cannot be encoded.")
        st.text(reason)
        return
    st.caption(
        "The first cases of training set 0, as a run encodes them. Default codings use the "
        "statistics of the training set. Options are added if the default does not handle missing, "
        "censored or constant values."
    )
    alt = "Encoded columns of real cases"
    blocks.table_block(table, name=f"{dataset}-{name}-{prior}-{size}-encoded", alt=alt)


def _documents(view: View, row: Row) -> None:
    if row["summary"]:
        st.subheader("Summary", anchor=False)
        st.text(row["summary"].strip())
    page.contributors(view, "data", row["dataset"])
    documents = row["documents"] or []
    if not documents and not row["summary"]:
        page.empty_state(
            "No documentation.", "Documentation would be in the files `Summary` and `Source/...`."
        )
    if documents:
        st.subheader("Source", anchor=False)
        name = selection.local(st.selectbox, "File", "document", documents)
        text = document_text(view.archive, "data", row["dataset"], "Source", *name.split("/"))
        is_short = text.count("\n") < SHORT
        st.code(text, language=None, wrap_lines=True, height="content" if is_short else 480)
    st.caption("Location:")
    st.code(row["directory"], language=None)


PARTS = {
    "Attributes": _attributes,
    "Cases": _cases,
    "Prototasks": _prototasks,
    "Priors": _priors,
    "Results": show_results,
    "Summary and source": _documents,
}
"""The tabs of a dataset, by their titles."""
