"""Archive: who wins, where, and at what cost? And what is in this archive?"""

import pandas as pd
import streamlit as st

from dashboard.archive import archive_contents, data
from dashboard.archive.choice import Request
from dashboard.archive.tabs import show_tabs
from dashboard.server import archive as opened
from dashboard.server import checks as check_data
from dashboard.server.pages import file_of
from dashboard.ui import page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.defaults import usual_loss
from dashboard.ui.glossary import help_for
from dashboard.ui.highlighted_method import MARKDOWN
from dashboard.ui.page import View
from delvecore.archive import Archive
from delvecore.locations import is_part_of_whole
from delvecore.plots import words
from delvecore.report.ranking.highlighted_method import standing_of, standing_sentence
from delvecore.report.ranking.leaders import leader_sentence
from delvecore.report.ranking.runs import run_sentences
from delvecore.report.ranking.units import family_words

MOST_ROWS = 30
"""Of the leaderboard are seen at once; the others by moving down in it."""
PERCENT = "%.0f %%"
LEADERS = {
    "method": st.column_config.TextColumn("Method", pinned=True, help=help_for("method")),
    "about": st.column_config.TextColumn("What it is", width=300),
    "mean_rank": st.column_config.NumberColumn("Mean rank", format="%.2f", help=help_for("mean rank")),
    "interval": st.column_config.TextColumn(
        "Interval", help="Of the mean rank, with other data of these kinds"
    ),
    "pairwise_wins": st.column_config.NumberColumn(
        "Pairwise wins", format=PERCENT, help="Of the comparisons with another method; a tie counts half"
    ),
    "seconds": st.column_config.NumberColumn("Seconds", format="%.2g", help=help_for("computing cost")),
    "megabytes": st.column_config.NumberColumn("MB", format="%d", help="The most memory that was used"),
}
GAPS = {
    "method": st.column_config.TextColumn("Method"),
    "prototask": st.column_config.TextColumn("Prototask"),
    "tasks": st.column_config.NumberColumn("Tasks", help="That any method has results on"),
    "missing": st.column_config.NumberColumn("Without results"),
}
DATASETS = {
    "dataset": st.column_config.TextColumn("Dataset", pinned=True),
    "title": st.column_config.TextColumn("Title"),
    "cases": st.column_config.NumberColumn("Cases", format="localized"),
    "attributes": st.column_config.NumberColumn("Attributes"),
    "tasks": st.column_config.NumberColumn("Tasks"),
}


def show_leaders(view: View, archive: Archive, loss: str) -> None:
    """Say who is best, and show everybody."""
    notices: list[str] = []
    usual = usual_loss(view.state) or loss
    loss = selection.wanted_loss(data.losses(view.state), usual, view.selection, notices, where="here")
    request = Request(view.state, loss, selection.wanted_setting(view.selection), view.selection.unit)
    board = data.board_of(request)
    if isinstance(board, str):
        page.answer(f"**No method can be called best yet:** {words.escape(board)}.", view, notices=notices)
    else:
        own = standing_of(board.found, board.said, view.selection.mine)
        mine = standing_sentence(own, wording=MARKDOWN) if own else ""
        said = leader_sentence(board, quantity=words.loss_quantity(loss), wording=MARKDOWN)
        page.answer(said, view, mine=mine, notices=notices)
        missing = [words.escape(text) for text in run_sentences(board.found.given.runs)]
        if caution := [*missing, *filter(None, [family_words(board.found, board.said.test)])]:
            st.caption(" ".join(caution))
    show_problems(archive)
    show_table(request)
    if not isinstance(board, str):
        show_tabs(request)


def show_table(request: Request) -> None:
    """Show a row a method, which opens its page."""
    table, shown = data.leaders(request), data.leaders_shown(request)
    help = "Where it loses hardly more than the best"
    near = {
        name: st.column_config.NumberColumn(data.near_words(request, name), format=PERCENT, help=help)
        for name in shown.columns
        if name.startswith("within_")
    }
    row = page.pick_row(
        shown,
        name="leaders",
        alt="The leaderboard: a row a method, best mean rank first",
        column_config=LEADERS | near,
        height="content" if len(table) <= MOST_ROWS else "auto",
    )
    with st.container(horizontal=True, vertical_alignment="center", key="below-leaders"):
        page.csv_button(table, "leaderboard")
        st.page_link(file_of("ranking"), label="How sure is that?", icon=":material/leaderboard:")
        st.page_link(file_of("methods"), label="Where does each win?", icon=":material/tune:")
    if row is not None:
        selection.open_page("methods", method=str(table.at[row, "method"]))


def show_problems(archive: Archive) -> None:
    """Say that something is wrong with files, and lead to it."""
    problems, notices, is_whole = check_data.counted(archive.state)
    if problems:
        so_far = "" if is_whole else " so far"
        st.warning(f"{words.count(problems, 'problem')} found in the files{so_far}; the rest is shown.")
    if problems or notices:
        told = words.count(notices, "notice")
        label = "What is wrong, and what to do" if problems else f"{told} on how the files were read"
        st.page_link(file_of("problems"), label=label, icon=":material/report:")


def show_contents(archive: Archive) -> None:
    """Say what there is, and what is missing, large and new."""
    st.markdown(" ".join([archive_contents.content_sentence(archive), *remarks(archive)]))
    if is_part_of_whole(archive.paths):
        st.caption("The results on kin, pumadyn and bank come with the rest of the archive:")
        st.code("pip install 'delve-browser[archive]'", language=None)
    if gaps := archive_contents.gaps(archive.state):
        with st.expander(
            "Where are results missing?", icon=":material/grid_off:", key="gaps", on_change="rerun"
        ) as box:
            if box.open:
                page.table_block(
                    pd.DataFrame(gaps), name="gaps", alt="Prototasks on which methods lack results"
                )


def remarks(archive: Archive) -> list[str]:
    """Name gaps, the largest dataset and what is newest."""
    state = archive.state
    said = list(filter(None, [archive_contents.gap_sentence(state)]))
    if not archive.paths:
        return said
    if name := archive_contents.largest(state):
        cases = next(row["cases"] for row in opened.rows(state, "datasets") if row["dataset"] == name)
        said.append(f"The largest dataset is **{words.escape(name)}**, {words.count(cases, 'case')}.")
    if last := archive_contents.newest(state):
        said.append(f"Newest is the {last.kind} **{words.escape(last.name)}**, of {last.day}.")
    return said


def show_datasets(state: str) -> None:
    """Show the datasets, each of which opens its page."""
    table = archive_contents.datasets_table(state)
    row = page.pick_row(table, name="datasets", alt="The datasets, largest first", column_config=DATASETS)
    if row is not None:
        selection.open_page("datasets", dataset=str(table.at[row, "dataset"]))


def show_page(view: View) -> None:
    archive = view.archive
    if archive is None:
        return
    if loss := usual_loss(view.state):
        show_leaders(view, archive, loss)
        st.subheader("What is in this archive?", anchor=False)
        show_contents(archive)
    else:
        page.answer(archive_contents.content_sentence(archive), view)
        show_problems(archive)
        if archive.datasets.num_rows:
            show_datasets(view.state)
        command = command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
        page.empty_state("No results yet.", "Run a method on a task, and it is ranked here:", command)


show_page(page.begin("Who wins, where, and at what cost?", tests=True, adjusts=False))
