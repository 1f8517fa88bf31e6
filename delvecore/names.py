"""What may be a name, and how a text from elsewhere stands on one line.

Names come from directories, files and visitors. Nothing in one may end a line, control a terminal or turn the
direction of a line, wherever it is written."""

import difflib
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from math import prod

LONGEST_NAME = 255
NAME = f"a name of at most {LONGEST_NAME} printable characters, on one line"
"""What is expected where a name is not one."""
LEAST_LIKENESS = 0.6
"""The share of common characters from which on two names are alike."""


def is_name(text: str) -> bool:
    """Is this one line of printable text, of which a blank is the only white space?"""
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()


def one_line(text: str) -> str:
    """Return a text on one line, with a blank for each character that is not printed."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def shown(text: str) -> str:
    """Return a text on one line, with characters that are not printed as by repr: `\\n`, `\\u202e`."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def lines_shown(text: str) -> str:
    """Return a text for a terminal: its lines and tabs, all else that is not printed as by `shown`."""
    kept = text.replace("\n", "").replace("\t", "")
    if kept.isprintable():
        return text
    return "\n".join("\t".join(map(shown, line.split("\t"))) for line in text.split("\n"))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Which of the known names is most like this one? None where none is like it.

    Case, and what is neither letter nor digit, count only where names are alike without."""
    name = name[:LONGEST_NAME]  # an address may be any text
    best = max(known, key=lambda other: _likeness(name, other), default=None)
    return best if best is not None and _likeness(name, best)[0] >= LEAST_LIKENESS else None


def nearest_path(path: str, known: Iterable[str]) -> str | None:
    """Which of the known paths, of tasks such as `/demo/age/std.128`, is nearest to this one? None: no paths.

    The first parts count most: a task of the same dataset is nearer than any of another, then one of the same
    prototask, then one of a similar size. Of equals the first."""
    parts = path[: 4 * LONGEST_NAME].split("/")

    def closeness(other: str) -> tuple[tuple[float, float], ...]:
        pairs = zip(parts, other.split("/"), strict=False)
        return tuple(_closeness(*(part.casefold() for part in pair)) for pair in pairs)

    return max(known, key=closeness, default=None)


@lru_cache(maxsize=4096)
def _closeness(one: str, other: str) -> tuple[float, float]:
    """How near is one part of a path to another? Where only numbers differ, by these."""
    if one != other and re.split(r"\d+", one) == re.split(r"\d+", other):
        numbers = zip(*(map(int, re.findall(r"\d+", part)) for part in (one, other)), strict=True)
        return 0.5 + 0.5 * prod((1 + min(pair)) / (1 + max(pair)) for pair in numbers), 0.0
    return _likeness(one, other)


def _likeness(one: str, other: str) -> tuple[float, float]:
    pairs = ((_bare(other), _bare(one)), (other, one))
    bare, whole = (difflib.SequenceMatcher(None, *pair).ratio() for pair in pairs)
    return bare, whole


def _bare(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def hash_of(texts: Iterable[str], *, size: int = 16) -> str:
    """Return a hash of some texts, of so many bytes, as hexadecimal digits: a name or a state."""
    data = "\n".join(texts).encode(errors="surrogateescape")
    return hashlib.blake2b(data, digest_size=size).hexdigest()
