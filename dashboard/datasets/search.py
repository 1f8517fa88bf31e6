"""Which datasets are meant by a few words? Case, hyphens and one wrong letter do not matter."""

from collections.abc import Sequence

from dashboard.server.archive import Row

__all__ = ["with_words"]

FORGIVEN_FROM = 4
"""So many letters a word must have for one of them to be wrong."""


def with_words(rows: Sequence[Row], text: str) -> list[Row]:
    """Return the rows in whose name, title, summary or prototasks all words of a text occur. A word that is
    nowhere is taken for one that differs from it by one letter: more, less, another or swapped."""
    searched = [_plain(" ".join(_texts(row))) for row in rows]
    everything = " ".join(searched)
    found = list(zip(rows, searched, strict=True))
    for word in _plain(text).split():
        if word in everything:
            found = [(row, one) for row, one in found if word in one]
        else:
            found = [(row, one) for row, one in found if any(_is_near(word, other) for other in one.split())]
    return [row for row, _ in found]


def _texts(row: Row) -> list[str]:
    parts = (row["dataset"], row["title"], row["summary"], *(row["prototasks"] or ()))
    return [part for part in parts if part]


def _plain(text: str) -> str:
    return text.casefold().translate({ord(sign): None for sign in "-_'’"})


def _is_near(asked: str, word: str) -> bool:
    """Does a word, or its beginning, differ from what was asked for by one letter?"""
    if len(asked) < FORGIVEN_FROM:
        return False
    lengths = range(len(asked) - 1, len(asked) + 2)
    return any(_is_one_off(asked, word[:length]) for length in lengths)


def _is_one_off(a: str, b: str) -> bool:
    start = next((place for place, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), None)
    if start is None:
        return abs(len(a) - len(b)) <= 1
    rest_a, rest_b = a[start:], b[start:]
    changed = rest_a[1:] == rest_b[1:] or rest_a[1:] == rest_b or rest_a == rest_b[1:]
    return changed or (rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:])
