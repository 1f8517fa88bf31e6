"""A finished report: paragraphs, tables and drawings, before it is written in one of the formats."""

from dataclasses import dataclass
from typing import NamedTuple

from delvecore.report.grid import Grid

__all__ = ["Document", "Drawing", "Section"]


class Drawing(NamedTuple):
    """A figure, made already. svg: as an element of a page; latex: for LaTeX without packages; alt: in
    words, for who does not see it."""

    caption: str
    svg: str
    latex: str
    alt: str


class Section(NamedTuple):
    """title: its heading; paragraphs: of plain text; parts: what stands below them."""

    title: str
    paragraphs: tuple[str, ...]
    parts: tuple[Grid | Drawing, ...] = ()


@dataclass(frozen=True)
class Document:
    """read: how the data were read, which stands first; command: what makes it again, a command line or a
    call; provenance: lines on where it comes from."""

    title: str
    sections: tuple[Section, ...]
    command: str = ""
    provenance: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
