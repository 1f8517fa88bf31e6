"""A list of methods with a dot each: what a telephone shows in place of a figure that it has no room for."""

from collections.abc import Sequence
from html import escape
from math import isfinite
from typing import NamedTuple

import streamlit as st


class Dot(NamedTuple):
    """A line of the list. value: where its dot lies; text: what is written behind it; colour: of the dot."""

    name: str
    value: float
    text: str
    colour: str


def show_dot_list(dots: Sequence[Dot], place: str, about: str) -> None:
    """Show the list where the window is narrow, instead of the element with the class `place`. about: what
    stands above it."""
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
