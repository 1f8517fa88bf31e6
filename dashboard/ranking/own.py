"""A visitor's own table of scores, kept for the session alone: read from a CSV file, told if it is none."""

import hashlib
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from delvecore.errors import ParseError
from delvecore.figures import words
from delvecore.statistics.ranking.score_table import ScoreTable, parse_score_table

__all__ = ["OwnTable", "own_table", "read_table", "show_own"]

MOST_BYTES = 5 << 20
MOST_METHODS, MOST_TASKS = 300, 10_000
KEY, ROUNDS = "ranking-own", "ranking-own-rounds"


@dataclass(frozen=True)
class OwnTable:
    """name: of the file, as it was sent, only to be shown; digest: of its content, by which tables are told
    apart; table: tasks x methods, higher_is_better as in the table when it was read."""

    name: str = field(compare=False)
    digest: str
    table: ScoreTable = field(compare=False)


def read_table(content: bytes, name: str) -> OwnTable:
    """Read a CSV file: tasks in the first column, a method in each other. Raises ParseError (file:line)."""
    if len(content) > MOST_BYTES:
        found = f"{len(content) / (1 << 20):.1f} MB"
        raise ParseError(name, None, f"at most {MOST_BYTES >> 20} MB", found, "leave something out")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ParseError(name, line, "text in UTF-8", "other bytes", "save it as UTF-8") from None
    table = parse_score_table(text, name, quantity="score")
    if len(table.methods) > MOST_METHODS or len(table.tasks) > MOST_TASKS:
        expected = f"at most {MOST_METHODS} methods and {MOST_TASKS:,} tasks"
        raise ParseError(name, None, expected, f"{len(table.methods)} and {len(table.tasks):,}")
    return OwnTable(name, hashlib.blake2b(content, digest_size=12).hexdigest(), table)


def own_table() -> OwnTable | None:
    """Return the table that this session has, if any."""
    return st.session_state.get(KEY)


def show_own(own: OwnTable | None) -> None:
    """Take a table of the visitor's own, or say what it is."""
    label = "Compare a table of your own" if own is None else f"Your table: {words.escape(own.name)}"
    # Closed again, being another one, as soon as a table was taken.
    with st.expander(label, icon=":material/upload_file:", key=f"own-table-{own is not None}"):
        if own is not None:
            tasks, methods = len(own.table.tasks), len(own.table.methods)
            said = f"{words.count(tasks, 'task')}, {words.count(methods, 'method')}, "
            said += f"{words.count(own.table.missing, 'missing value')}"
            st.markdown(f"{said}. Only you see it, in this tab.")
            st.button("Take it away", icon=":material/delete:", on_click=_forget)
        file = st.file_uploader(
            "A CSV file: a task in each line, a method in each column",
            type=["csv"],
            max_upload_size=MOST_BYTES >> 20,
            key=f"ranking-upload-{st.session_state.get(ROUNDS, 0)}",
            help="The first line names the methods, the first column the tasks. Empty cells are missing. A "
            "column dataset, or tasks named dataset/task, say which tasks belong together.",
        )
        st.code("task,method-a,method-b\ntask-1,0.31,0.29\ntask-2,0.52,0.60", language=None)
        if file is not None:
            _take(file, own)


def _forget() -> None:
    """Take the session's table away again; the place to drop files is a new one each time."""
    st.session_state.pop(KEY, None)
    st.session_state[ROUNDS] = st.session_state.get(ROUNDS, 0) + 1


def _take(file: UploadedFile, own: OwnTable | None) -> None:
    try:
        found = read_table(file.getvalue(), words.plain(file.name, longest=80))
    except ParseError as error:
        st.error(words.escape(str(error)), icon=":material/block:")
        return
    if own is None or own.digest != found.digest:
        st.session_state[KEY] = found
        st.rerun()
