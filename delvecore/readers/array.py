"""`Array.spec`: which prototasks make up a task-array, and in which factors they differ.

The file lies in a directory of its own in a `data` part, whose name is that of the array.
"""

from collections.abc import Iterable, Sequence
from typing import overload

from delvecore.errors import Fault, ParseError, Report, raise_error
from delvecore.model import Factor, Level, Member, TaskArray
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.lines import logical_lines, parse_keys, split_comment

__all__ = ["SPECIFICATION", "array_names", "parse_array", "read_array"]

SPECIFICATION = "Array.spec"
KEYS = ("title", "factors", "members")
MOST_FACTORS = 4
Lines = list[tuple[int, str]]
"""(number of the line, its text)."""


def array_names(hierarchy: Hierarchy) -> list[str]:
    """Which task-arrays are there? The directories of `data` that hold an `Array.spec`, sorted."""
    names = hierarchy.subdirectories("data")
    return [name for name in names if hierarchy.find("data", name, SPECIFICATION)]


@overload
def read_array(hierarchy: Hierarchy, name: str) -> TaskArray: ...
@overload
def read_array(hierarchy: Hierarchy, name: str, *, report: Report) -> TaskArray | None: ...
def read_array(hierarchy: Hierarchy, name: str, *, report: Report = raise_error) -> TaskArray | None:
    """Return the TaskArray of this name; DelveError where there is none."""
    path = hierarchy.find("data", name, SPECIFICATION)
    if path is None:
        raise Fault(f"/{name}", "a task-array", f"no {SPECIFICATION}", "check the name")
    return parse_array(read_text(path), name, path, report=report)


@overload
def parse_array(text: str, name: str, source: str) -> TaskArray: ...
@overload
def parse_array(text: str, name: str, source: str, *, report: Report) -> TaskArray | None: ...
def parse_array(text: str, name: str, source: str, *, report: Report = raise_error) -> TaskArray | None:
    """Return the TaskArray that a specification describes.

    report receives a ParseError for each fault (the default raises the first); a faulty member is left out.
    Returns None, after the reports, where there are no factors or no members to speak of.
    """
    reader = _Reader(source, report)
    heads, bodies, last = _parts(text)
    keys = parse_keys(heads, source, KEYS, report=report)
    for key in KEYS:
        if key not in keys:
            reader.fault(last, f"a line '{key.capitalize()}:'", "none", "add it")
    factors = reader.factors(bodies.get("factors", ()), keys.get("factors", (last, ""))[0])
    members = reader.members(bodies.get("members", ()), factors) if factors else ()
    if factors and not members:
        reader.fault(keys.get("members", (last, ""))[0], "members, one a line", "none")
    return TaskArray(name, keys.get("title", (0, ""))[1], factors, members) if members else None


def _parts(text: str) -> tuple[Lines, dict[str, Lines], int]:
    """Return the lines with keys, {key: the indented lines behind it}, and the number of the last line."""
    heads: Lines = []
    bodies: dict[str, Lines] = {}
    last, key = 1, None
    for last, line in logical_lines(text):
        plain = split_comment(line)[0]
        if not plain.strip():
            continue
        if plain[0].isspace() and key is not None:
            bodies.setdefault(key, []).append((last, plain))
        else:
            heads.append((last, plain.strip()))
            key = plain.partition(":")[0].strip().lower()
    return heads, bodies, last


class _Reader:
    """Reads the lines of one specification and reports what is wrong with them."""

    def __init__(self, source: str, report: Report) -> None:
        self.source, self.report = source, report

    def fault(self, line: int, expected: str, found: str, remedy: str = "") -> None:
        self.report(ParseError(self.source, line, expected, found, remedy, kind="specification"))

    def factors(self, lines: Iterable[tuple[int, str]], line: int) -> tuple[Factor, ...]:
        found: list[Factor] = []
        for number, text in lines:
            factor = self._factor(number, text)
            if factor and factor.name in [known.name for known in found]:
                self.fault(number, "each factor once", f"{factor.name!r} again")
            elif factor:
                found.append(factor)
        if not 1 <= len(found) <= MOST_FACTORS:
            self.fault(line, f"1 to {MOST_FACTORS} factors, one a line", str(len(found)))
            return ()
        return tuple(found)

    def _factor(self, line: int, text: str) -> Factor | None:
        name, _, rest = text.strip().partition(" ")
        levels = []
        for part in rest.split("|"):
            level, colon, label = (word.strip() for word in part.partition(":"))
            if not level or len(level.split()) > 1 or (colon and not label):
                form = "a factor: NAME LEVEL: WORDS | LEVEL: WORDS"
                self.fault(line, form, repr(" ".join(text.split())))
                return None
            levels.append(Level(level, label or level))
        names = [level.name for level in levels]
        if len(names) < 2 or len(set(names)) < len(names):
            self.fault(line, f"two or more different levels of {name}", " ".join(names))
            return None
        return Factor(name, tuple(levels))

    def members(self, lines: Iterable[tuple[int, str]], factors: Sequence[Factor]) -> tuple[Member, ...]:
        found: list[Member] = []
        taken: dict[tuple[str, ...], int] = {}
        for number, text in lines:
            member = self._member(number, text, factors)
            if member is None:
                continue
            if member.levels in taken:
                again = f"{' '.join(member.levels)} again (first on line {taken[member.levels]})"
                self.fault(number, "each combination of levels once", again, "remove one of them")
                continue
            taken[member.levels] = number
            found.append(member)
        return tuple(found)

    def _member(self, line: int, text: str, factors: Sequence[Factor]) -> Member | None:
        path, *levels = text.split()
        names = path.strip("/").split("/")
        if len(names) != 3 or not all(names):
            self.fault(line, "a member: DATASET/PROTOTASK/PRIOR LEVEL...", repr(path))
            return None
        if len(levels) != len(factors):
            wanted = ", ".join(factor.name for factor in factors)
            self.fault(line, f"a level for each of {wanted}", repr(" ".join(levels)))
            return None
        for level, factor in zip(levels, factors, strict=True):
            known = [one.name for one in factor.levels]
            if level not in known:
                self.fault(line, f"a level of {factor.name}: {', '.join(known)}", repr(level))
                return None
        dataset, prototask, prior = names
        return Member(dataset, prototask, prior, tuple(levels))
