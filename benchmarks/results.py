"""What a benchmark found, and a Markdown table of it."""

from collections.abc import Iterable
from dataclasses import dataclass

_HEADINGS = ("what", "this project", "beside it", "ratio", "goal", "reached")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    measured, beside: figures with their units, as text; ratio: how the two relate, as text; goal: what was
    aimed at; reached: yes or no, None where there is no goal; note: how it was measured.
    """

    what: str
    measured: str
    beside: str = ""
    ratio: str = ""
    goal: str = ""
    reached: bool | None = None
    note: str = ""


def skipped(what: str, reason: str) -> Finding:
    """Return the line for something that could not be measured here."""
    return Finding(what, "not measured", note=reason)


def markdown_table(findings: Iterable[Finding]) -> str:
    """Return the findings as a Markdown table with their notes below."""
    findings = list(findings)
    lines = [_row(_HEADINGS), _row(["---"] * len(_HEADINGS))]
    notes: dict[str, int] = {}
    for found in findings:
        mark = f" [{notes.setdefault(found.note, len(notes) + 1)}]" if found.note else ""
        reached = {True: "yes", False: "**no**", None: ""}[found.reached]
        lines.append(
            _row([found.what + mark, found.measured, found.beside, found.ratio, found.goal, reached])
        )
    lines += ["", *(f"[{number}] {note}" + "  " for note, number in notes.items())]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
