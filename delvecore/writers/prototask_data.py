"""`Prototask.data`: what a prototask uses of its dataset's cases. Source: manual, section 4.4, appendix C."""

from collections.abc import Iterator

import numpy as np

from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.numerals.text_columns import joined_lines
from delvecore.readers.words import take_words

__all__ = ["prototask_data_pieces"]

ROWS = 1 << 14
"""How many cases are put together at a time."""


def prototask_data_pieces(cases: PrototaskCases) -> Iterator[bytes]:
    """Yield the lines of `Prototask.data`: a case a line, in the prototask's order.

    The values of inputs and targets stand in the order of the attributes' numbers, as the words of the
    dataset's file; a commonality index follows.
    """
    columns = [cases.columns[number].words for number in sorted(cases.columns)]
    for start in range(0, cases.count, ROWS):
        positions = np.arange(start, min(start + ROWS, cases.count))
        rows = [take_words(words, positions) for words in columns]
        indexes = cases.commonality[start : start + ROWS]
        if any(index is not None for index in indexes):
            rows[-1] = [_with_index(*pair) for pair in zip(rows[-1], indexes, strict=True)]
        yield from joined_lines(rows, leading=False)


def _with_index(word: str, index: int | None) -> str:
    return word if index is None else f"{word} @{index}"
