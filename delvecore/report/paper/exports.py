"""Tables and figures with provenance in the files of a paper, and in the files that these include."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult

from delvecore.errors import ParseError, unreadable
from delvecore.readers.regular_files import leads_out, no_regular_file
from delvecore.render.picture_metadata import picture_metadata
from delvecore.render.provenance import ReadProvenance, read_provenance, read_view
from delvecore.report.paper.read_tables import READERS, ReadTable

FORMS = {
    **dict.fromkeys((".tex", ".ltx", ".latex"), "latex"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".md", ".markdown", ".qmd", ".rmd"), "markdown"),
    ".typ": "typst",
    ".csv": "csv",
}
"""The format of a file by its ending."""
PICTURES = (".svg", ".pdf", ".png")
MOST_BYTES = 64 << 20
MOST_FILES = 500
_INCLUDED = re.compile(
    r"\\(?P<input>input|include|subfile)\s*\{(?P<text>[^{}\n]{1,300})\}"
    r"|\\includegraphics\*?\s*(?:\[[^\]\n]{0,300}\])?\s*\{(?P<figure>[^{}\n]{1,300})\}"
    r"|\\graphicspath\s*\{(?P<folders>(?:\s*\{[^{}\n]{1,300}\}){1,20})"
    r"|!\[[^\[\]\n]{0,300}\]\((?P<image>[^()\s]{1,300})"
    r"|<(?:img|embed)\b[^<>]{0,500}?\bsrc=[\"'](?P<source>[^\"'<>\n]{1,300})"
    r"|<object\b[^<>]{0,500}?\bdata=[\"'](?P<data>[^\"'<>\n]{1,300})"
    r"|#(?:include\s*|image\(\s*)\"(?P<typst>[^\"\n]{1,300})\""
    r"|\bimage\(\s*\"(?P<drawn>[^\"\n]{1,300})\""
)
_LATEX_COMMENT = re.compile(r"(?<!\\)%[^\n]*")


@dataclass(frozen=True)
class Export:
    """A table or figure of a paper.

    Attributes
    ----------
    path : str
        The file that contains it.
    about : ReadProvenance
        Its provenance.
    form : str
        Format of the file.
    is_figure : bool
        Whether it is a picture, which contains its numbers as a table.
    text : str
        Text that contains its tables.
    first_line : int
        Line of the file at which the text begins.
    folder : str
        Directory of the paper.
    is_edited : bool, optional
        Whether a picture differs from its checksum; None without a checksum.
    view : SplitResult, optional
        Address of a figure on the dashboard; None for the output of a command.
    opening : str
        Command that opens the data of this view.
    """

    path: str
    about: ReadProvenance
    form: str
    is_figure: bool
    text: str
    first_line: int
    folder: str
    is_edited: bool | None = None
    view: SplitResult | None = None
    opening: str = ""

    def tables(self, form: str) -> list[ReadTable]:
        """Return the tables of the text in a format of READERS."""
        return list(READERS[form](self.text, self.first_line))


def read_paper(path: str, *, report: Callable[[str], None]) -> Iterator[Export]:
    """Yield the tables and figures of a file and of the files that it includes, in their order.

    `report` receives a line for each named file that is not read. Included files must be in the directory of
    the first file or below. Raises ParseError if the first file cannot be read."""
    base = os.path.dirname(os.path.abspath(path))
    return _read(path, base, {os.path.realpath(path)}, report, depth=0)


def _read(
    path: str, base: str, seen: set[str], report: Callable[[str], None], *, depth: int
) -> Iterator[Export]:
    content = _content(path)
    ending = os.path.splitext(path)[1].lower()
    if ending in PICTURES:
        text, is_edited = picture_metadata(content, path)
        view, opening, numbers = read_view(text) or (None, "", text)
        form = "csv" if view else "latex"
        if provenance := read_provenance(text):
            yield Export(path, provenance[0], form, True, numbers, 1, base, is_edited, view, opening)
        else:
            report(f"{path}: carries no provenance")
        return
    if ending not in FORMS:
        known = ", ".join((*FORMS, *PICTURES))
        raise ParseError(path, None, f"a file that ends in {known}", ending or "no ending", kind="file")
    text = content.decode("utf-8", "replace").replace("\r\n", "\n")
    yield from _tables(path, text, FORMS[ending], base)
    for name, is_text in _included(text, FORMS[ending]):
        included = _included_path(name, [os.path.dirname(path) or ".", base], is_text=is_text)
        if included is None or os.path.realpath(included) in seen:
            continue
        seen.add(os.path.realpath(included))
        if leads_out(included, [os.path.realpath(base)]):
            report(f"{name}: not read, because it is outside the paper's directory")
        elif depth >= 20 or len(seen) > MOST_FILES:
            report(f"{name}: not read, because the paper includes too many files")
        else:
            try:
                yield from _read(os.path.normpath(included), base, seen, report, depth=depth + 1)
            except ParseError as error:
                report(str(error))


def _tables(path: str, text: str, form: str, folder: str) -> Iterator[Export]:
    """Yield an export for each provenance. It is below a table in Markdown, and above it in other formats."""
    provenance, lines = read_provenance(text), text.split("\n")
    ends = [*(about.line - 1 for about in provenance[1:]), len(lines)]
    start = 0
    for about, end in zip(provenance, ends, strict=False):  # without provenance there is only an end
        first, last = (start, about.line - 1) if form == "markdown" else (about.end, end)
        start = about.end
        part = "\n".join(lines[first:last])
        is_drawing = form == "latex" and r"\begin{picture}" in part and r"\begin{tab" not in part
        yield Export(path, about, form, is_drawing, part, first + 1, folder)


def _included(text: str, form: str) -> Iterator[tuple[str, bool]]:
    """Yield (name, does it name a text?) of the files that a text includes."""
    if form == "csv":
        return
    text = _LATEX_COMMENT.sub("", text) if form == "latex" else text
    folders = [""]
    for match in _INCLUDED.finditer(text):
        part = match.groupdict()
        if part["text"]:
            yield part["text"].strip(), True
        elif part["folders"]:
            folders += re.findall(r"\{\s*([^{}]+?)\s*\}", part["folders"])
        elif part["figure"]:
            yield from ((os.path.join(folder, part["figure"].strip()), False) for folder in reversed(folders))
        else:
            name = next(filter(None, (part[key] for key in ("image", "source", "data", "typst", "drawn"))))
            yield name.strip(), name.endswith(".typ")


def _included_path(name: str, folders: Sequence[str], *, is_text: bool) -> str | None:
    """Return the first existing file of a supported kind that an included name can refer to, or None."""
    if "://" in name or name.startswith(("data:", "\\")):
        return None
    endings = (".tex", "") if is_text else ("", *PICTURES)
    paths = (os.path.join(folder, name + ending) for folder in folders for ending in endings)
    known = (one for one in paths if os.path.splitext(one)[1].lower() in (*FORMS, *PICTURES))
    return next(filter(os.path.isfile, known), None)


def _content(path: str) -> bytes:
    try:
        if os.path.lexists(path) and not os.path.isfile(path):
            raise no_regular_file(path, os.stat(path).st_mode)
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, "a paper, table or figure to read", error) from None
    if len(content) > MOST_BYTES:
        expected = f"a file of at most {MOST_BYTES >> 20} MB"
        raise ParseError(path, None, expected, "a larger one", "name its parts instead", kind="file")
    return content
