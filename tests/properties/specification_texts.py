"""The text of case, order and data files: what `readers` give back. Specifications: `writers.specifications`.

Source: DELVE manual, sections 3.3 and 4.4.
"""

from collections.abc import Iterable, Sequence

from delvecore.writers.files import joined, plain_line

__all__ = ["cases_text", "index_text"]


def index_text(numbers: Iterable[int], *, comment: str = "") -> str:
    """Return a case or order file: a number a line. comment: stands on a line of its own before them."""
    return joined([*([f"# {plain_line(comment)}"] if comment else []), *map(str, numbers)])


def cases_text(
    rows: Iterable[Sequence[str]],
    commonality: Iterable[int | None] | None = None,
    comments: dict[int, str] | None = None,
) -> str:
    """Return `Dataset.data`: a line a case.

    rows: the words of each case; commonality: the index of each case or None; comments: by position of the
    case (from 0). Raises ValueError for a comment that would not stay on its line.
    """
    rows = list(rows)
    indexes = [None] * len(rows) if commonality is None else list(commonality)
    found = comments or {}
    lines = []
    for position, (words, index) in enumerate(zip(rows, indexes, strict=True)):
        parts = [*words, *([] if index is None else [f"@{index}"])]
        if position in found:
            parts.append(f"# {plain_line(found[position])}")
        lines.append(" ".join(parts))
    return joined(lines)
