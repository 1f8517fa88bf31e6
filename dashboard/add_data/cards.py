"""Cards of the files that a visitor adds: scores, cases for a dataset, methods and datasets."""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.add_data.columns import with_changes
from dashboard.server import archive as opened
from dashboard.server import uploads
from dashboard.server.cache import cached
from dashboard.server.own_files import OwnTable
from dashboard.server.uploads import Added, Own
from dashboard.ui import archive_status, blocks, page, selection
from dashboard.ui.findings import FINDING_COLUMNS, path_inside
from dashboard.ui.page import View
from delvecore.answers.leaderboard import shown_columns
from delvecore.answers.similar_data import DataDescription
from delvecore.archive import Archive
from delvecore.archive.scores.baseline_units import Match
from delvecore.errors import DelveError, Problem
from delvecore.importers.attributes import ColumnPlan, Role
from delvecore.importers.import_messages import column_rows, order_lines, rare_line
from delvecore.importers.plan import ImportPlan, parse_sizes
from delvecore.importers.similar_tasks import SimilarTasks, assumptions, similar_to
from delvecore.model import RANDOM, RETAIN, TYPES, ImportedOrder
from delvecore.render.provenance import command_line
from delvecore.render.spans import markdown, plain
from delvecore.report import words
from delvecore.score_tables.options import Answer, ScoreOptions

SCORES, CASES = "These are scores", "These are cases"
ABOUT = (
    "Scores measure methods: there is a number for each method and dataset. Cases, such as "
    "patients or flowers, are one per line, and a dataset can be made from them"
)


ASKED = "What does each line hold?"


def show_unclear(mine: Own, number: int, table: OwnTable) -> None:
    """Show a card with the question about the contents of a table, and a button for each answer."""
    with st.container(border=True, key=f"own-unclear-{number}"):
        st.subheader(f":material/help: {words.escape(table.name)}", anchor=False)
        st.markdown(words.escape(f"{ASKED} It may be scores or cases: {table.why}."), help=ABOUT)
        with st.container(horizontal=True):
            st.button(SCORES, key=f"are-scores-{number}", on_click=mine.read_as, args=(number, "scores"))
            st.button(CASES, key=f"are-cases-{number}", on_click=mine.read_as, args=(number, "cases"))
            _remove_button(mine, number, "unclear")


def _remove_button(mine: Own, number: int, kind: str) -> None:
    about: dict[str, Any] = {"on_click": mine.remove_table, "icon": ":material/delete:"}
    st.button("Remove", key=f"remove-{kind}-{number}", args=(number,), **about)


def ask_kind(mine: Own, number: int, *, is_scores: bool) -> None:
    """Let the visitor change the kind of a table (scores or cases), which reads the table again."""

    def change(new: str) -> None:
        if new != shown:
            mine.read_as(number, "cases" if is_scores else "scores")

    shown = SCORES if is_scores else CASES
    _one_of(ASKED, (SCORES, CASES), f"own-kind-{number}", shown, change, help=ABOUT)


def _one_of(
    label: str, options: Sequence[str], key: str, value: str, then: Callable[[Any], object], **details: Any
) -> None:
    more: dict[str, Any] = {"required": True, **details}
    selection.kept(st.segmented_control, label, options, key=key, value=value, then=then, **more)


CHOICES = ("binary", "nominal", "ordinal", "integer", "real", "angular:360", "angular:24")
ORDERS: Mapping[ImportedOrder, str] = {RETAIN: "As in the file", RANDOM: "Random"}
EDITED = {
    "column": st.column_config.TextColumn("Column", disabled=True, pinned=True),
    "role": st.column_config.SelectboxColumn("Role", options=[str(role) for role in Role], required=True),
    "type": st.column_config.SelectboxColumn(
        "Type", options=[*CHOICES], help="For angular: the period, such as 360 degrees or 24 hours"
    ),
    "because": st.column_config.TextColumn("Because", disabled=True, width="large"),
}


def show_cases(mine: Own, number: int, own: OwnTable, plan: ImportPlan, archive: Archive | None) -> None:
    """Show a card with the planned attributes, a button to make the dataset, and similar tasks.

    The attribute of each column can be changed. The tasks are those of the server's archive."""
    with st.container(border=True, key=f"own-cases-{number}"):
        st.subheader(f":material/dataset: {words.escape(own.name)}", anchor=False)
        columns = words.count(len(plan.columns), "column")
        st.caption(f"{words.count(plan.cases, 'case')} of {columns}: a dataset can be made from them.")
        if own.has_alternative:
            ask_kind(mine, number, is_scores=False)
        _choose_target(mine, number, plan)
        _choose_groups(mine, number, plan)
        _choose_order(mine, number, plan)
        _edit_columns(mine, number, plan)
        if rare := rare_line(plan):
            st.warning(words.escape(f"{rare[0].upper()}{rare[1:]}."))
        with st.container(horizontal=True):
            if st.button("Make the dataset", type="primary", key=f"make-{number}", icon=":material/build:"):
                with st.spinner("Making the dataset …"):
                    mine.make_dataset(number, plan.options)
                st.rerun()
            if archive and st.button("Find data like mine", key=f"like-{number}", icon=":material/search:"):
                with st.spinner("Describing the data …"):
                    mine.describe_cases(number, plan.options)
                st.rerun()
            _remove_button(mine, number, "cases")
        if archive and own.description:
            show_similar(archive, own.name, plan, own.description)


def show_similar(archive: Archive, name: str, plan: ImportPlan, description: DataDescription) -> None:
    """Show the tasks of the archive similar to a file of cases, and the methods that win on them."""
    st.subheader("Data like mine", anchor=False)
    try:
        similar = similar_on(archive, json.dumps(asdict(description)))
    except DelveError as error:
        page.empty_state("This archive has no data similar to yours.", words.escape(str(error)))
        return
    st.caption(" ".join(words.escape(plain(line)) for line in assumptions(plan, description)))
    if similar.nearness.is_far:
        st.warning(markdown(similar.nearness.sentence), icon=":material/warning:")
    options = [word for column, kind in plan.options.types.items() for word in ("--type", f"{column}={kind}")]
    command = command_line(("delve", "like", name, "--target", ",".join(plan.targets[0]), *options))
    methods = replace(similar.methods, table=shown_columns(similar.methods.table))
    for answer, kind in ((methods, "methods"), (similar.tasks, "tasks")):
        st.markdown(markdown(answer.headline))
        blocks.show_answer(answer, None, name=f"like-mine-{kind}", label=f"tab:like-{kind}")
    st.code(command, language=None)


@cached
def similar_on(archive: Archive, description: str) -> SimilarTasks:
    """Return the tasks of an archive that are similar to the described data. description: JSON text."""
    return similar_to(DataDescription(**json.loads(description)), archive)


def _choose_target(mine: Own, number: int, plan: ImportPlan) -> None:
    """Let the visitor choose the target if there is only one; the table below shows several targets."""
    if len(plan.targets) > 1:
        st.caption(f"{len(plan.targets)} targets, with one prototask each.")
        return
    known = {column.name: column.source for column in plan.columns}
    names = [column.source for column in plan.columns]

    def choose(new: str) -> None:
        place = names.index(new)
        options = with_changes(plan, {place: {"role": Role.TARGET}})
        mine.read_as(number, "cases", options._replace(targets=(plan.columns[place].name,)))

    about: dict[str, Any] = {"value": known[plan.targets[0][0]], "then": choose, "width": 260}
    selection.kept(st.selectbox, "What is to be predicted?", names, key=f"own-target-{number}", **about)


def _choose_groups(mine: Own, number: int, plan: ImportPlan) -> None:
    """Let the visitor choose the column with the groups of dependent cases."""

    def choose(new: str) -> None:
        mine.read_as(number, "cases", plan.options._replace(group=new or None))

    names = ["", *(column.source for column in plan.columns)]
    about: dict[str, Any] = {"value": plan.group.source if plan.group else "", "then": choose, "width": 260}
    about["help"] = "Groups such as patients: no group has cases in both a training set and its test set"
    about["format_func"] = lambda name: name or "none"
    selection.kept(st.selectbox, "Groups of cases", names, key=f"own-groups-{number}", **about)


def _choose_order(mine: Own, number: int, plan: ImportPlan) -> None:
    """Let the visitor choose the order of the cases in the tasks, and the sizes of training sets."""

    def choose_order(new: ImportedOrder) -> None:
        mine.read_as(number, "cases", plan.options._replace(order=new))

    def choose_sizes(new: str) -> None:
        try:
            sizes = parse_sizes(new)
        except DelveError as error:
            mine.refused = [str(error)]
            return
        mine.read_as(number, "cases", plan.options._replace(sizes=sizes))

    with st.container(horizontal=True):
        shown: dict[str, Any] = {"value": plan.options.order or RANDOM, "then": choose_order}
        shown["format_func"] = ORDERS.__getitem__
        _one_of("Order of the cases", list(ORDERS), f"own-order-{number}", **shown)
        selection.kept(
            st.text_input,
            "Sizes of training sets",
            key=f"own-sizes-{number}",
            value=", ".join(map(str, plan.options.sizes)),
            then=choose_sizes,
            placeholder="the usual ones",
            help="Whole numbers such as 64, 128, with one task each",
            width=200,
        )
    for line, _ in order_lines(plan):
        st.caption(words.escape(f"{line[0].upper()}{line[1:]}."))


def _edit_columns(mine: Own, number: int, plan: ImportPlan) -> None:
    rows = [
        {"column": name, "role": str(column.role), "type": _type(column), "because": why}
        for column, (name, _, why, _) in zip(plan.columns, column_rows(plan), strict=True)
    ]
    key = f"own-columns-{number}-{hash(repr(plan.options))}"

    def change() -> None:
        edits = st.session_state[key]["edited_rows"]
        mine.read_as(number, "cases", with_changes(plan, {int(row): dict(one) for row, one in edits.items()}))

    st.caption("Role and type of each column can be changed in this table.")
    table = pd.DataFrame(rows)
    st.data_editor(table, key=key, column_config=EDITED, hide_index=True, on_change=change)
    blocks.csv_button(table, f"own-columns-{number}")


def _type(column: ColumnPlan) -> str | None:
    if column.type not in TYPES:
        return None
    return f"{column.type}:{column.unit}" if column.unit else column.type


SIDES = {True: "higher is better", False: "lower is better"}


RAW, STANDARDIZED = "raw", "standardized"


def _show_match(mine: Own, number: int, own: OwnTable, match: Match | None) -> None:
    """Report how the table fits the archive.

    If it does not fit, it can be shown next to the archive or instead of it."""
    if match is None:
        shown = ("instead of the archive", "next to the archive")

        def place(new: str) -> None:
            mine.show_alone(number if new == shown[0] else None)

        value = shown[mine.alone != number]
        _one_of("Shown", shown, f"own-alone-{number}", value, place, label_visibility="collapsed")
        return
    looks = f"values look {STANDARDIZED if match.looks_standardized else RAW}"
    if own.is_standardized:
        ratio_text = f"median {words.number(match.raw, digits=2)} × predicting the mean"
    else:
        ratio_text = f"median {words.number(match.standardized, digits=2)} × predicting the mean"
        ratio_text += ": standardized?" if match.looks_standardized else ""
    st.markdown(
        markdown(f"Matched: **{match.tasks} of {words.count(match.of, 'task')}**, {looks}, {ratio_text}.")
    )

    def change(new: str) -> None:
        mine.set_standardized(number, new == STANDARDIZED)

    help = "Standardized: divided by the loss of the baseline, so that predicting the mean has a loss of 1"
    value = STANDARDIZED if own.is_standardized else RAW
    _one_of("Values are", (RAW, STANDARDIZED), f"own-unit-{number}", value, change, help=help)


def show_scores(mine: Own, number: int, own: OwnTable, match: Match | None) -> None:
    """Show a card for a table of scores.

    The card has the table's contents, their fit to the archive, other interpretations, and a button to remove
    the table."""

    def change(answer: Answer) -> None:
        mine.read_as(number, "scores", own.options.with_answer(answer))

    with st.container(border=True, key=f"own-scores-{number}"):
        st.subheader(f":material/table_chart: {words.escape(own.name)}", anchor=False)
        st.caption(words.escape(_score_facts(own)))
        if own.group is not None:
            _show_match(mine, number, own, match)
        if own.has_alternative:
            ask_kind(mine, number, is_scores=True)
        if own.question is not None:
            archive_status.show_question(own.question, change, key=f"own-question-{number}")
        if own.file is not None:
            _show_direction(mine, number, own)
            archive_status.show_alternatives(own.file.reading, change, key=f"own-read-{number}")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _show_score_ways(mine, number, own, change)


def _score_facts(own: OwnTable) -> str:
    if own.file is None:
        return "A table of scores, not shown yet."
    rows = own.file.rows
    datasets = words.count(len(rows["dataset"].unique()), "dataset")
    measured = words.and_list([words.directed_name(one) for one in own.file.metrics])
    instances = len(rows["instance"].unique())
    folds = f", {instances} folds or seeds" if instances > 1 else ""
    return f"Scores of {words.count(len(own.methods), 'method')} on {datasets}{folds}: {measured}."


def _list(
    label: str, options: Sequence[Any], key: str, value: Any, then: Callable[[Any], object], **more: Any
) -> None:
    selection.kept(st.selectbox, label, options, key=key, value=value, then=then, width=230, **more)


def _show_direction(mine: Own, number: int, own: OwnTable) -> None:
    if own.file is None or len(own.file.metrics) != 1:
        return

    def change(new: bool | None) -> None:
        mine.read_as(number, "scores", replace(own.options, higher_is_better=new))

    value = own.file.metrics[0].higher_is_better
    more: dict[str, Any] = {"format_func": SIDES.__getitem__}
    _list("Direction", [True, False], f"own-direction-{number}", value, change, **more)


def _show_score_ways(mine: Own, number: int, own: OwnTable, change: Callable[[Answer], None]) -> None:
    """Show controls: the visitor's own method, the methods to omit, and a button to remove the file."""
    if own.methods:

        def mark(new: str | None) -> None:
            selection.choose(mine=new)

        def drop(new: str) -> None:
            change(Answer(f"Leave {new} out", "drop", (new,)))

        names, marked = list(own.methods), selection.mine()
        value = marked if marked in names else None
        yours: dict[str, Any] = {"index": None, "placeholder": "none"}
        _list("Which is yours?", names, f"own-mine-{number}", value, mark, **yours)
        left: dict[str, Any] = {"index": None, "placeholder": "nothing"}
        _list("Leave out", names, f"own-drop-{number}", None, drop, **left)
    if own.options != ScoreOptions():
        st.button(
            "Forget my answers",
            icon=":material/undo:",
            key=f"forget-scores-{number}",
            on_click=mine.read_as,
            args=(number, "scores", ScoreOptions()),
        )
    _remove_button(mine, number, "scores")


ICONS = {"method": ":material/model_training:", "dataset": ":material/dataset:"}


def show_added(view: View, mine: Own, added: Added, archive: Archive) -> None:
    """Show a card of a method or dataset. archive: one that contains it, even if only a table is shown."""
    name = words.escape(added.name)
    with st.container(border=True, key=f"own-{added.part}-{added.name}"):
        st.subheader(f"{ICONS[added.kind]} {name}", anchor=False)
        st.caption(words.escape(facts(archive, added)))
        with st.spinner("Checking …"):
            problems = uploads.problems_of(archive, added.part, added.name)
        show_problems(archive, added, problems)
        with st.container(horizontal=True):
            show_ways(view, mine, added)


def facts(archive: Archive, added: Added) -> str:
    uploads_named = words.and_list([words.short_line(upload, longest=60) for upload in added.uploads])
    sentences = [f"A {added.kind}: {words.count(added.files, 'file')} from {uploads_named}"]
    if not added.uploads:
        sentences = [f"A {added.kind}, made from your cases"]
    if present := sum(one.present for one in added.installed):
        sentences.append(f"{words.count(present, 'file')} already there and identical")
    if hidden := sum(one.hidden for one in added.installed):
        sentences.append(f"{words.count(hidden, 'file')} with names that start with a dot left out")
    if added.kind == "method":
        done = len(archive.index.tasks_done.get(added.name, ()))
        sentences.append(f"results on {words.count(done, 'task')}")
    return "; ".join(sentences) + "."


def show_problems(archive: Archive, added: Added, problems: Sequence[Problem]) -> None:
    if not problems:
        st.success("Checked: nothing is wrong with it.", icon=":material/check:")
        return
    command = "dcheck" if added.part == "data" else "mcheck"
    st.warning(f"Checked: {words.count(len(problems), 'problem')}, as {command} finds them.")
    table = pd.DataFrame([problem._asdict() for problem in problems]).astype({"line": "Int64"})
    table.insert(1, "file", [short_path(path, archive, added) for path in table.pop("source")])
    name, alt = f"problems-{added.part}-{added.name}", f"Problems of {added.name}"
    blocks.table_block(table, name=name, alt=alt, column_config=FINDING_COLUMNS)


def short_path(path: str, archive: Archive, added: Added) -> str:
    """Return the part of a path that starts with the name of the method or dataset, if the name occurs."""
    short = path_inside(path, archive.paths)
    start = f"{uploads.NAME}/{added.part}/"
    return short.removeprefix(start) if short.startswith(start + added.name) else short


def show_ways(view: View, mine: Own, added: Added) -> None:
    """Show buttons to open, compare, install (for all visitors) or remove an added method or dataset."""
    key = f"{added.part}-{added.name}"
    known = view.choices.methods if added.kind == "method" else view.choices.datasets
    if added.name in known and st.button("Open", icon=":material/open_in_new:", key=f"open-{key}"):
        selection.open_page(f"{added.kind}s", others=None, **{added.kind: added.name})
    tasks = view.archive.index.tasks_done.get(added.name, ()) if added.kind == "method" else ()
    if tasks and st.button("Compare", icon=":material/balance:", key=f"compare-{key}"):
        selection.open_page("compare", task=min(tasks), reference=added.name, methods=None)
    if not added.uploads:
        make = functools.partial(mine.packed, added.name)
        blocks.download("Download", make, f"{added.name}.tar.gz", key=f"packed-{key}")
    elif opened.install_directory():
        st.button(
            "Install for everybody",
            icon=":material/group_add:",
            key=f"install-{key}",
            help="Put it into the archive of this server",
            on_click=install,
            args=(mine, added),
        )
    st.button("Remove", icon=":material/delete:", key=f"remove-{key}", on_click=mine.remove, args=(added,))


def install(mine: Own, added: Added) -> None:
    """Install an addition in the server's archive, and check the archive again."""
    if directory := opened.install_directory():
        mine.install(added, directory, server_paths())
        opened.look()
        archive_status.move_over()


def server_paths() -> Sequence[str]:
    archive = archive_status.served().archive
    return archive.paths if archive else ()
