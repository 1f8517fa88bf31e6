"""The text of the files of one task: data, constants, codings, statistics, predictions, losses.

Source: DELVE manual, sections 7.4, 7.5 and appendix C (`mgendata`, `mloss`); layout of DELVE 1.1.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from delvecore.losses.spec import FILE_ORDER
from delvecore.model import Coding
from delvecore.numerals.number_arrays import format_numbers
from delvecore.numerals.numbers import format_number
from delvecore.numerals.text_columns import joined_lines

__all__ = [
    "coding_used_text",
    "losses_text",
    "normalization_text",
    "predictions_text",
    "test_set_stats_text",
]

UNDEFINED = "undefined"


def predictions_text(columns: Sequence[Sequence[str]]) -> str:
    """Return a prediction file: a line a case, single blanks between the values of a case."""
    return b"".join(joined_lines(columns, leading=False)).decode()


def losses_text(losses: np.ndarray) -> str:
    """Return `loss.L.n`: a line a case, 9 digits; an infinite loss is `Inf`."""
    return predictions_text([format_numbers(losses)])


def normalization_text(constants: dict[int, dict[str, float]]) -> str:
    """Return `normalize.n`: a line a constant, attributes by ascending number.

    constants: {attribute number: {mean, stdDev, median, absDev: value}}.
    """
    entries = [
        (name, number, value) for number, one in sorted(constants.items()) for name, value in one.items()
    ]
    texts = format_numbers(np.array([value for _, _, value in entries]))
    lines = zip(entries, texts, strict=True)
    return "".join(f"normalization options {name} {number} {text}\n" for (name, number, _), text in lines)


def coding_used_text(codings: Iterable[Coding]) -> str:
    """Return `Coding-used`: a line an attribute with its options, by name, upper case first."""
    return "".join(_coding_line(coding) for coding in sorted(codings))


def _coding_line(coding: Coding) -> str:
    options = " ".join(f"{name}={value}" for name, value in coding.options)
    return f"{coding.attribute} {coding.coding}  {options}\n"


def test_set_stats_text(statistics: dict[str, tuple[float | None, ...]]) -> str:
    """Return `Test-set-stats`: a line a loss, a value a target, `undefined` for None.

    Behind the L value of a single numeric target stands one more `undefined`, as readers of these files know.
    """
    return "".join(_statistics_line(loss, statistics) for loss in FILE_ORDER)


setattr(test_set_stats_text, "__test__", False)  # noqa: B010 - its name means something else to pytest


def _statistics_line(loss: str, statistics: dict[str, tuple[float | None, ...]]) -> str:
    words = [UNDEFINED if value is None else format_number(value) for value in statistics[loss]]
    single_number = len(words) == 1 and statistics["Q"][0] is None
    if loss == "L" and single_number and words[0] != UNDEFINED:
        words.append(UNDEFINED)
    return f"{loss} {' '.join(words)}\n"
