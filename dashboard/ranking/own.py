"""A visitor's own table of scores, kept for the session alone: read from a CSV file, told if it is none."""

import hashlib
from dataclasses import dataclass, field, replace

import streamlit as st

from delvecore.errors import ParseError
from delvecore.statistics.ranking.score_table import ScoreTable, parse_score_table

__all__ = ["MOST_BYTES", "OwnTable", "forget", "own_table", "read_table", "rounds", "take"]

MOST_BYTES = 5 << 20
MOST_METHODS, MOST_TASKS = 300, 10_000
KEY, ROUNDS = "ranking-own", "ranking-own-rounds"


@dataclass(frozen=True)
class OwnTable:
    """name: of the file, as it was sent, only to be shown; digest: of its content, by which tables are told
    apart; table: tasks x methods, higher_is_better as in the table when it was read (see `facing`)."""

    name: str = field(compare=False)
    digest: str
    table: ScoreTable = field(compare=False)

    def facing(self, *, higher_is_better: bool) -> ScoreTable:
        """Return the table with its direction stated."""
        return replace(self.table, higher_is_better=higher_is_better)


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


def take(found: OwnTable) -> None:
    """Keep a table for this session, in place of the one before."""
    st.session_state[KEY] = found


def forget() -> None:
    """Take the session's table away again."""
    st.session_state.pop(KEY, None)
    st.session_state[ROUNDS] = rounds() + 1


def rounds() -> int:
    """How often was a table taken away? The place to drop files is a new one each time."""
    return st.session_state.get(ROUNDS, 0)
