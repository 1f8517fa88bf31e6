"""Archive: what is in this archive?"""

import pandas as pd
import streamlit as st

from dashboard.archive import data
from dashboard.archive.figures import coverage_figure
from dashboard.frame import page, selection
from dashboard.frame.coming import nothing
from dashboard.frame.commands import command_text
from dashboard.server import archive as opened
from delvecore.archive import Archive
from delvecore.figures import words

LISTED = 8
COVERAGE_CODE = "import delvecore; print(delvecore.open({}).results.to_pandas())"
COLUMNS = {
    "kind": st.column_config.TextColumn("Kind"),
    "name": st.column_config.TextColumn("Name"),
    "changed": st.column_config.DatetimeColumn("Changed", format="YYYY-MM-DD HH:mm"),
    "dataset": st.column_config.TextColumn("Dataset"),
    "cases": st.column_config.NumberColumn("Cases", format="localized"),
    "attributes": st.column_config.NumberColumn("Attributes"),
    "tasks": st.column_config.NumberColumn("Tasks"),
}


def sentence(archive: Archive) -> str:
    done = frozenset[str]().union(*opened.tasks_done(archive.state).values())
    datasets = words.count(archive.datasets.num_rows, "dataset")
    prototasks = words.count(archive.prototasks.num_rows, "prototask")
    tasks = words.count(archive.tasks.num_rows, "task")
    methods = words.count(archive.methods.num_rows, "method")
    results = f"with results on {len(done)} of the tasks" if done else "and no results yet"
    parts = f"{prototasks} and {tasks}" if archive.paths else tasks
    return f"**{datasets}** with {parts}; **{methods}** {results}."


def show_problems(archive: Archive) -> None:
    problems = len(archive.faults)
    notices = archive.problems.num_rows - problems
    if problems:
        st.warning(f"{words.count(problems, 'problem')} found in the files; the rest is shown.")
    if problems or notices:
        told = words.count(notices, "notice")
        label = "What is wrong, and what to do" if problems else f"{told} on how the files were read"
        st.page_link(page.file_of("problems"), label=label, icon=":material/report:")


def show_coverage(archive: Archive) -> None:
    st.subheader("Which method has results where?", anchor=False)
    table = data.coverage_table(archive.state)
    if table.empty:
        how = "Run a method on a task, and a map of methods and prototasks appears here:"
        page.empty_state(
            "No results yet.", how, command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
        )
        return
    place = "prototask" if archive.paths else "dataset"
    st.caption(f"Tasks with results, of all tasks of the {place}. Click a cell to compare methods there.")
    clicked = page.figure_block(
        opened.figure(coverage_figure, data.coverage, archive.state),
        table,
        name="coverage",
        alt=f"Map of results: one row for each prototask, one column for each method. {sentence(archive)}",
        command=f"python -c {COVERAGE_CODE.format('follow_links=True' * archive.follow_links)!r}",
        selectable=True,
        column_config={"share": st.column_config.NumberColumn(format="percent")},
    )
    if clicked:
        prototask, method = clicked[0]["customdata"]
        task = opened.task_with_results(archive.state, prototask, method)
        selection.choose(prototask=prototask, task=task, reference=method, methods=())
        st.switch_page(page.file_of("compare"))


def show_guesses(archive: Archive) -> None:
    """Show how files of scores were read, and what changes it."""
    if not archive.files:
        return
    st.subheader("How were the scores read?", anchor=False)
    st.caption(
        "What was taken for what, what else it could be, and the option of `delve dashboard` to say so."
    )
    rows = [
        (one.role, one.taken, ", ".join(one.others) or None, one.option or None) for one in archive.guesses
    ]
    table = pd.DataFrame(rows, columns=["Role", "Taken", "It could be", "Option"])
    page.table_block(table, name="guesses", alt="How the columns of the files of scores were read")


def show_newest_and_largest(state: str) -> None:
    left, right = st.columns(2)
    with left:
        st.subheader("Newest", anchor=False)
        newest = data.newest_table(state).head(LISTED)
        row = page.pick_row(newest, name="newest", alt="Newest datasets and methods", column_config=COLUMNS)
        if row is not None:
            open_page(newest.at[row, "kind"], newest.at[row, "name"])
    with right:
        st.subheader("Largest", anchor=False)
        largest = data.largest_table(state).head(LISTED)
        row = page.pick_row(largest, name="largest", alt="Largest datasets", column_config=COLUMNS)
        if row is not None:
            open_page("dataset", largest.at[row, "dataset"])


def open_page(kind: str, name: str) -> None:
    selection.choose(**{kind: str(name)})
    st.switch_page(page.file_of(f"{kind}s"))


view = page.begin("What is in this archive?", needs=nothing)
if view.archive:
    page.answer(sentence(view.archive), view)
    show_problems(view.archive)
    show_coverage(view.archive)
    show_guesses(view.archive)
    if view.archive.paths:
        show_newest_and_largest(view.state)
