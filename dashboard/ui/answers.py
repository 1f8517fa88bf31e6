"""Answers on a page: the figure, what must be known of it, its numbers and files. It knows no question."""

from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go

from dashboard.ui import page
from delvecore.answers.answer import Answer
from delvecore.plots import words


def show_answer(
    found: Answer,
    figure: go.Figure,
    *,
    name: str,
    key: str | None = None,
    note: str = "",
    command: str | None = None,
    latex: Callable[[], str] | None = None,
) -> None:
    """Show the figure of an answer with its notes, numbers and files.

    name: of the files; key: of the widgets, the question if not given; note: beside the answer's own, for the
    page only, in Markdown; command, latex: that print the numbers, where there are any."""
    page.figure_block(
        figure,
        pd.DataFrame({field.key: field.values for field in found.fields}),
        name=name,
        key=key or found.question,
        alt=found.alt or found.sentence,
        command=command or found.command or None,
        note=" ".join(found.notes if found.is_markdown else map(words.escape, found.notes)) + note,
        latex=latex,
    )
