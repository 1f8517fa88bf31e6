"""Documentation as it is meant: plain text from files as Markdown, of which only the layout is markup."""

import re

from delvecore.plots import words

__all__ = ["rendered"]

LONGEST_HEADING = 60
LIST_SIGNS = ("- ", "* ", "• ")


def rendered(text: str) -> str:
    """Return Markdown of a plain text: paragraphs flow, headings are bold, lists and `code` are such, what is
    indented stays as it is. Everything else is shown as it is written."""
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
    """Join lines that only wrap a paragraph, or an item of a list."""
    items: list[str] = []
    for line in lines:
        is_item = line.lstrip().startswith(LIST_SIGNS)
        if is_item or not items:
            items.append(f"- {line.lstrip()[2:].strip()}" if is_item else line.strip())
        else:
            items[-1] += f" {line.strip()}"
    lists = [f"- {_inline(item[2:])}" if item.startswith("- ") else _inline(item) for item in items]
    first_item = next((place for place, item in enumerate(items) if item.startswith("- ")), len(items))
    return "\n".join(
        [*lists[:first_item], *([""] if 0 < first_item < len(items) else []), *lists[first_item:]]
    )


def _inline(text: str) -> str:
    """Escape a text but for what stands between single backquotes, which is code."""
    parts = re.split(r"(`[^`\n]+`|\s+)", text.strip())
    return "".join(part if part.startswith("`") or part.isspace() else words.escape(part) for part in parts)
