"""Names of attributes and words of categories that DELVE's files can hold, made of any text.

Source: DELVE manual, sections 3.1 and 3.3: blanks end a word, and some first characters mean something
else."""

import re
from collections.abc import Iterable

from delvecore.names import one_line
from delvecore.number_format.numbers import is_number

LONGEST = 200
FIRST = tuple("?@\\:#[(")
"""Characters that begin a missing value, an index, a continuation, a bound, a comment or an interval."""
INTEGERS = re.compile(r"[+-]*(\d+|inf)\.\.[+-]*(\d+|inf)", re.IGNORECASE)


def attribute_names(names: Iterable[str]) -> list[str]:
    """Return a name for each column, all different: letters, digits and `. _ + - / %`, no number."""
    plain = [re.sub(r"[^\w.+/%-]+", "_", name).strip("_")[:LONGEST] for name in names]
    filled = [name or f"column-{place}" for place, name in enumerate(plain, start=1)]
    return _distinct(f"A{name}" if name.lstrip("+-").isdigit() else name for name in filled)


def category_words(values: Iterable[str]) -> dict[str, str]:
    """Return {value: the word that stands for it}, all different."""
    values = list(values)
    return dict(zip(values, _distinct(map(_word, values)), strict=True))


def file_name(text: str) -> str:
    """Return a name for a directory, of letters, digits and `. _ -`."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:LONGEST]


def _word(value: str) -> str:
    word = "_".join(one_line(value).split())[:LONGEST] or "_"
    if word.startswith(FIRST):
        word = "_" + word
    if INTEGERS.fullmatch(word):
        word = word.replace("..", "_to_")
    return word + "_" if word.endswith(":") and is_number(word[:-1]) else word


def _distinct(names: Iterable[str]) -> list[str]:
    """Return names with a number behind those that were there before."""
    taken: set[str] = set()
    found = []
    for name in names:
        other, number = name, 2
        while other in taken:
            other, number = f"{name}_{number}", number + 1
        taken.add(other)
        found.append(other)
    return found
