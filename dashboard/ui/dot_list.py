"""A list of methods with a dot each: what a telephone shows in place of a figure that it has no room for."""

from collections.abc import Sequence
from html import escape
from math import isfinite
from typing import NamedTuple

import streamlit as st

MOST_SPOKEN = 12


class Dot(NamedTuple):
    """A line of the list. value: where its dot lies; text: what is written behind it; colour: of the dot."""

    name: str
    value: float
    text: str
    colour: str


class DotList(NamedTuple):
    """What is listed. about: a sentence that stands above it."""

    about: str
    dots: Sequence[Dot]

    @property
    def spoken(self) -> str:
        """The sentence, and the first lines, for those who do not see the figure."""
        told = "; ".join(f"{dot.name} {dot.text}" for dot in self.dots[:MOST_SPOKEN])
        return f"{self.about} {told or 'None known'}."


def show_dot_list(listed: DotList, place: str) -> None:
    """Show the list where the window is narrow, instead of the element with the class `place`."""
    about, dots = listed
    known = [dot.value for dot in dots if isfinite(dot.value)]
    low, span = min(known, default=0.0), (max(known, default=0.0) - min(known, default=0.0)) or 1.0
    lines = [
        f"<li><span>{escape(dot.name)}</span><i><b style='left:{100 * (dot.value - low) / span:.1f}%;"
        f"background:{dot.colour}'></b></i><span>{escape(dot.text)}</span></li>"
        for dot in dots
        if isfinite(dot.value)
    ]
    hide = f"<style>@media (max-width: 640px) {{.{place} {{display: none}}}}</style>"
    st.html(f"{hide}<div class='dot-list'><p>{escape(about)}</p><ol>{''.join(lines)}</ol></div>")
