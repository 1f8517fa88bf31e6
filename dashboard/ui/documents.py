"""Plain texts of an archive, such as summaries, as Markdown."""

import re

from delvecore.archive import Archive
from delvecore.errors import DelveError
from delvecore.render.numbers import integer
from delvecore.report import words

LONGEST_DOCUMENT = 200_000
LONGEST_HEADING = 60
LIST_SIGNS = ("- ", "* ", "• ")


def document_text(archive: Archive, part: str, *names: str) -> str:
    """Return the text of a documentation file, shortened if it is very long, or why it cannot be read."""
    try:
        text = archive.read_document(part, *names)
    except DelveError as error:
        return str(error)
    if len(text) <= LONGEST_DOCUMENT:
        return text
    left = len(text) - LONGEST_DOCUMENT
    return f"{text[:LONGEST_DOCUMENT]}\n\n[{integer(left)} further characters are in the file]"


def rendered(text: str) -> str:
    """Convert plain text to Markdown. Only headings, lists and `code` become markup."""
    parts = [part for part in re.split(r"\n[ \t]*\n", text.expandtabs().replace("\r", "")) if part.strip()]
    return "\n\n".join(_paragraph(part.strip("\n")) for part in parts)


def _paragraph(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    if all(line.startswith("  ") for line in lines):
        return "\n".join(f"    {line}" for line in lines)
    if len(lines) == 2 and set(lines[1].strip()) <= set("=-~"):
        return f"**{_inline(lines[0])}**"
    if len(lines) == 1 and _is_heading(lines[0]):
        return f"**{_inline(lines[0].strip().lstrip('#'))}**"
    return _flowing(lines)


def _is_heading(line: str) -> bool:
    is_short = len(line) <= LONGEST_HEADING and line.rstrip()[-1] not in ".:;,?!"
    return line.startswith("#") or (is_short and not line.lstrip().startswith(LIST_SIGNS))


def _flowing(lines: list[str]) -> str:
    """Join the wrapped lines of a paragraph or list item."""
    items: list[str] = []
    for line in map(str.strip, lines):
        if not items or line.startswith(LIST_SIGNS):
            items.append(line)
        else:
            items[-1] += f" {line}"
    shown = [f"- {_inline(one[2:])}" if one.startswith(LIST_SIGNS) else _inline(one) for one in items]
    # After a paragraph, a list begins with an empty line.
    is_mixed = len(items) > 1 and not items[0].startswith(LIST_SIGNS)
    return "\n".join([shown[0], "", *shown[1:]] if is_mixed else shown)


def _inline(text: str) -> str:
    """Escape a text, except for code between single backquotes."""
    parts = re.split(r"(`[^`\n]+`|\s+)", text.strip())
    return "".join(part if part.startswith("`") or part.isspace() else words.escape(part) for part in parts)
