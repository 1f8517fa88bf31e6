"""Valid names, and the display of arbitrary text on one line.

Names come from directories, files and visitors. No character of a name may end a line, control a terminal or
reverse the direction of a line."""

import difflib
import hashlib
import os
import re
from collections.abc import Collection, Iterable
from math import prod

LONGEST_NAME = 255
NAME = f"a name of at most {LONGEST_NAME} printable characters, on one line"
"""The expectation in the error about an invalid name."""
LEAST_LIKENESS, LEAST_LIKENESS_OF_SHORT = 0.75, 0.6
"""Smallest share of common characters of two names that are alike, and of two short ones."""
SHORT = 3
"""Largest number of characters of a short name."""


def is_name(text: str) -> bool:
    """Is this one line of printable text without white space other than blanks?"""
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()


def one_line(text: str) -> str:
    """Return a text on one line, with a blank for each unprintable character."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def shown(text: str) -> str:
    """Return a text on one line, with unprintable characters as `repr` shows them: `\\n`, `\\u202e`."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def lines_shown(text: str) -> str:
    """Return a text for a terminal: line ends and tabs unchanged, other characters as `shown` has them."""
    kept = text.replace("\n", "").replace("\t", "")
    if kept.isprintable():
        return text
    return "\n".join("\t".join(map(shown, line.split("\t"))) for line in text.split("\n"))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most similar to this one; None without a similar name, and in a tie.

    Case, and characters other than letters and digits, only distinguish names that are otherwise equal."""
    name = name[:LONGEST_NAME]  # an address may be any text
    likeness = {other: _likeness(name, other) for other in known}
    best = max(likeness.values(), default=(0.0, 0.0))
    least = LEAST_LIKENESS if len(_bare(name)) > SHORT else LEAST_LIKENESS_OF_SHORT
    if best[0] < least or list(likeness.values()).count(best) > 1:
        return None
    return next(other for other in likeness if likeness[other] == best)


def named_path(path: str, known: Collection[str], methods: Collection[str] = ()) -> str | None:
    """Return the known path that a text names; None if there is none.

    The leading slash may be missing. A method may precede the path, as in `/lin-1/demo/age/std.128`. Names
    below the deepest known places are ignored. methods: names of methods."""
    parts = _parts(path)
    depth = max((other.count("/") for other in known), default=0)
    places = ("/" + "/".join(some[:depth]) for some in (parts, _without_method(parts, methods)))
    return next((place for place in places if place in known), None)


def nearest_path(path: str, known: Iterable[str], methods: Collection[str] = ()) -> str | None:
    """Return the known path, such as `/demo/age/std.128`, that is most similar to a text; None if there is
    none.

    Each part must be similar to that of the known path: the dataset, the prototask, and the task. Tasks that
    differ only in numbers are similar, the more so the closer their numbers are. The first path wins a tie.
    methods: see `named_path`."""
    paths = {tuple(other.strip("/").split("/")): other for other in known}
    parts = _parts(path)
    if parts and not any(other[0] == parts[0] for other in paths):
        parts = _without_method(parts, methods)
    place: tuple[str, ...] = ()
    for depth, part in enumerate(parts):
        options = dict.fromkeys(
            names[depth] for names in paths if len(names) > depth and names[:depth] == place
        )
        if not options:
            break
        best = nearest(part, options) if depth < TASK_DEPTH else _nearest_task(part, options)
        if best is None:
            return None
        place = (*place, best)
    return next((other for names, other in paths.items() if names[: len(place)] == place), None)


TASK_DEPTH = 2
"""Number of names before that of a task."""


def _parts(path: str) -> list[str]:
    return [part.strip() for part in path[: 4 * LONGEST_NAME].split("/") if part.strip()]


def _without_method(parts: list[str], methods: Collection[str]) -> list[str]:
    """Return the parts of a path without a leading method: one of these methods, or the first of four
    parts."""
    has_method = len(parts) > TASK_DEPTH + 1 or (len(parts) > 1 and parts[0] in methods)
    return parts[1:] if has_method else parts


def _nearest_task(name: str, known: Iterable[str]) -> str | None:
    known = list(known)
    numbers = re.split(r"\d+", name.casefold())
    if similar := [other for other in known if re.split(r"\d+", other.casefold()) == numbers]:
        return max(similar, key=lambda other: _closeness(name, other))
    return nearest(name, known)


def _closeness(one: str, other: str) -> float:
    """Return the similarity of two names that differ in numbers only; 1 for the same."""
    numbers = zip(*(map(int, re.findall(r"\d+", part)) for part in (one, other)), strict=True)
    return float(prod((1 + min(pair)) / (1 + max(pair)) for pair in numbers))


def _likeness(one: str, other: str) -> tuple[float, float]:
    pairs = ((_bare(other), _bare(one)), (other, one))
    bare, whole = (difflib.SequenceMatcher(None, *pair).ratio() for pair in pairs)
    return bare, whole


def _bare(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def hash_of(texts: Iterable[str], *, size: int = 16) -> str:
    """Return a hash of texts, with this number of bytes, as hexadecimal digits: a name or a state."""
    data = "\n".join(texts).encode(errors="surrogateescape")
    return hashlib.blake2b(data, digest_size=size).hexdigest()


def is_method_name(name: str) -> bool:
    """Can this be the name of a directory of results?"""
    is_text = is_name(name) and bool(name.strip())
    return is_text and "/" not in name and name[0] != "." and len(os.fsencode(name)) <= LONGEST_NAME


class StoredNames(dict[str, str]):
    """Lookup of names by the names under which they are stored."""

    def shown(self, stored: str) -> str:
        return self.get(stored, stored)

    def stored(self, shown: str) -> str:
        return next((stored for stored, name in self.items() if name == shown), shown)

    @property
    def are_plain(self) -> bool:
        return all(stored == name for stored, name in self.items())
