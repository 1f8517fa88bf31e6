"""Published results in, the file `Published` out: what `readers.published` gives back as the same results."""

from collections.abc import Iterable

from delvecore.number_format.numbers import format_number
from delvecore.readers.published import SOURCE_KEY, UNKNOWN, PublishedResult
from delvecore.writers.specifications import joined, plain_line

__all__ = ["published_text"]

HEAD = "# method task measure mean deviation runs where"


def published_text(results: Iterable[PublishedResult]) -> str:
    """Return the text of a file `Published`. Raises ValueError for a text that would not stay on its line."""
    lines: list[str] = []
    source = None
    for one in results:
        if one.source != source:
            source = one.source
            lines += [f"{SOURCE_KEY} {plain_line(source)}", HEAD]
        spread = UNKNOWN if one.deviation is None else format_number(one.deviation)
        runs = UNKNOWN if one.runs is None else f"{one.runs}"
        words = (one.method, one.path, one.measure, format_number(one.mean), spread, runs, one.where)
        lines.append(plain_line(" ".join(words).rstrip()))
    return joined(lines)
