"""Write docs/sources.md, sources and licenses of the shipped datasets: `python -m docs.draw_sources`."""

import re
import sys
from pathlib import Path

__all__ = ["main", "sources_page"]

DATA = Path(__file__).resolve().parents[1] / "data" / "delve" / "data"
PAGE = Path(__file__).with_name("sources.md")
HEAD = """# Sources and licenses of the shipped datasets

`Source/Notes` of each dataset lists its changes and decisions, with reasons. "Made for this archive" means
that a model or simulator of this project generates the values. Their license is that of the program, MIT.

| dataset | what it is | origin | source | license |
| --- | --- | --- | --- | --- |
"""
OWN = "Made for this archive; the same license as the archive."


def main() -> int:
    """Write the page; return 0."""
    PAGE.write_text(sources_page(), encoding="utf-8")
    return 0


def sources_page() -> str:
    """Return the page as Markdown: a row per dataset, from its `Dataset.spec` and `Source/Notes`."""
    return HEAD + "".join(_row(path.parent.parent) for path in sorted(DATA.glob("*/Source/Notes")))


def _row(folder: Path) -> str:
    specification = (folder / "Dataset.spec").read_text(encoding="utf-8")
    notes = (folder / "Source" / "Notes").read_text(encoding="utf-8")
    license = _paragraph(notes, "License")
    source = "this project" if license == OWN else _paragraph(notes, "(?:Source|What it is)")
    license = "MIT (made for this archive)" if license == OWN else license
    cells = [
        f"`{folder.name}`",
        _field(specification, "Title"),
        _field(specification, "Origin"),
        source,
        license,
    ]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _field(specification: str, name: str) -> str:
    return re.search(rf"^{name}:\s*(.*)$", specification, re.MULTILINE | re.IGNORECASE)[1].strip()


def _paragraph(notes: str, name: str) -> str:
    """Return a paragraph of the notes with its indented citation as one line, without its first word."""
    match = re.search(rf"^{name}\. (.*?)(?=\n\n\S|\Z)", notes, re.DOTALL | re.MULTILINE)
    if match is None:
        raise ValueError(f"expected a paragraph '{name}.' in the notes, found none: {notes[:60]!r}")
    text = " ".join(match[1].split())
    return re.sub(r"(https?://[^\s)]+)", r"<\1>", text)


if __name__ == "__main__":
    sys.exit(main())
