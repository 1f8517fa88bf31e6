"""`Array.spec`: the prototasks of a task-array, and the factors in which they differ.

The file is in a separate directory of a `data` part. The name of the directory is the name of the array.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import overload

from delvecore.errors import Fault, ParseError, Report, raise_error, spec_fault
from delvecore.model import Factor, Level, Member, TaskArray
from delvecore.names import NAME, is_name
from delvecore.number_format.numbers import is_number
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.lines import Lines, logical_lines, parse_keys, split_comment

SPECIFICATION = "Array.spec"
NEEDED = ("title", "factors", "members")
KEYS = (*NEEDED, "defined", "measured")
MEASURE = "FACTOR PERCENT ERROR"
DEFINITION = "FACTOR LEVEL WORDS"
MOST_FACTORS = 4


@overload
def read_array(hierarchy: Hierarchy, name: str) -> TaskArray: ...
@overload
def read_array(hierarchy: Hierarchy, name: str, *, report: Report) -> TaskArray | None: ...
def read_array(hierarchy: Hierarchy, name: str, *, report: Report = raise_error) -> TaskArray | None:
    """Return the TaskArray of this name; DelveError if there is none."""
    path = hierarchy.find("data", name, SPECIFICATION)
    if path is None:
        raise Fault(f"/{name}", "a task-array", f"no {SPECIFICATION}", "check the name")
    return parse_array(read_text(path), name, path, report=report)


@overload
def parse_array(text: str, name: str, source: str) -> TaskArray: ...
@overload
def parse_array(text: str, name: str, source: str, *, report: Report) -> TaskArray | None: ...
def parse_array(text: str, name: str, source: str, *, report: Report = raise_error) -> TaskArray | None:
    """Return the TaskArray that a specification describes. report receives a ParseError for each fault (the
    default raises the first); a faulty member is left out. Returns None, after the reports, if no factor or
    no member is usable."""

    def fault(line: int, expected: str, actual: str, remedy: str = "") -> None:
        report(spec_fault(source, line, expected, actual, remedy))

    heads, bodies, last = _parts(text)
    keys = parse_keys(heads, source, KEYS, report=report)
    for key in NEEDED:
        if key not in keys:
            fault(last, f"a line '{key.capitalize()}:'", "none", "add it")
    factors = _factors(bodies.get("factors", ()), fault)
    if not 1 <= len(factors) <= MOST_FACTORS:
        line = keys.get("factors", (last, ""))[0]
        fault(line, f"1 to {MOST_FACTORS} factors, one per line", str(len(factors)))
        return None
    factors = _defined(bodies.get("defined", ()), factors, fault)
    members = _members(bodies.get("members", ()), factors, fault)
    if not members:
        fault(keys.get("members", (last, ""))[0], "members, one per line", "none")
        return None
    array = TaskArray(name, keys.get("title", (0, ""))[1], factors, members)
    return array._replace(measures=_measures(bodies.get("measured", ()), array, fault))


def no_member(source: str, member: Member) -> ParseError:
    """Return the fault of a task-array's member whose dataset exists without its prototask or prior."""
    expected = f"a prototask and a prior of /{member.dataset}"
    return spec_fault(source, None, expected, member.path, "correct the member, or remove it")


def _parts(text: str) -> tuple[Lines, dict[str, Lines], int]:
    """Return the lines with keys, {key: the indented lines after it}, and the number of the last line."""
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


def _factors(lines: Iterable[tuple[int, str]], fault: Callable[..., None]) -> tuple[Factor, ...]:
    factors: dict[str, Factor] = {}
    for number, text in lines:
        factor = _factor(number, text, fault)
        if factor and factor.name in factors:
            fault(number, "each factor once", f"{factor.name!r} again")
        elif factor:
            factors[factor.name] = factor
    return tuple(factors.values())


def _factor(line: int, text: str, fault: Callable[..., None]) -> Factor | None:
    name, _, rest = text.strip().partition(" ")
    levels = []
    for part in rest.split("|"):
        level, colon, label = (word.strip() for word in part.partition(":"))
        if not level or len(level.split()) > 1 or (colon and not label):
            fault(line, "a factor: NAME LEVEL: WORDS | LEVEL: WORDS", repr(" ".join(text.split())))
            return None
        levels.append(Level(level, label or level))
    names = [level.name for level in levels]
    if len(names) < 2 or len(set(names)) < len(names):
        fault(line, f"two or more different levels of {name}", " ".join(names))
        return None
    for word in (name, *names, *(level.label for level in levels)):
        if not is_name(word):
            fault(line, NAME, repr(word), "rename it")
            return None
    return Factor(name, tuple(levels))


def _defined(
    lines: Iterable[tuple[int, str]], factors: tuple[Factor, ...], fault: Callable[..., None]
) -> tuple[Factor, ...]:
    """Return the factors with definitions of levels: each line has a factor, a level and words."""
    known = {(factor.name, level.name) for factor in factors for level in factor.levels}
    meanings: dict[tuple[str, str], str] = {}
    for number, text in lines:
        factor, level, meaning = (*text.split(maxsplit=2), "", "", "")[:3]
        if (factor, level) not in known or (factor, level) in meanings or not is_name(meaning.strip()):
            fault(number, f"{DEFINITION}, each level of a factor once", repr(text.strip()))
        else:
            meanings[factor, level] = " ".join(meaning.split())
    return tuple(
        one._replace(
            levels=tuple(
                level._replace(meaning=meanings.get((one.name, level.name), "")) for level in one.levels
            )
        )
        for one in factors
    )


def _members(
    lines: Iterable[tuple[int, str]], factors: Sequence[Factor], fault: Callable[..., None]
) -> tuple[Member, ...]:
    members: dict[tuple[str, ...], tuple[int, Member]] = {}
    for number, text in lines:
        member = _member(number, text, factors, fault)
        if member and member.levels in members:
            again = f"{' '.join(member.levels)} again (first on line {members[member.levels][0]})"
            fault(number, "each combination of levels once", again, "remove one of them")
        elif member:
            members[member.levels] = number, member
    return tuple(member for _, member in members.values())


def _member(line: int, text: str, factors: Sequence[Factor], fault: Callable[..., None]) -> Member | None:
    path, *levels = text.split()
    names = path.strip("/").split("/")
    if len(names) != 3 or not all(map(is_name, names)):
        fault(line, "a member: DATASET/PROTOTASK/PRIOR LEVEL...", repr(path))
        return None
    if len(levels) != len(factors):
        wanted = ", ".join(factor.name for factor in factors)
        fault(line, f"a level for each of {wanted}", repr(" ".join(levels)))
        return None
    for level, factor in zip(levels, factors, strict=True):
        known = [one.name for one in factor.levels]
        if level not in known:
            fault(line, f"a level of {factor.name}: {', '.join(known)}", repr(level))
            return None
    return Member(names[0], names[1], names[2], tuple(levels))


def _measures(
    lines: Iterable[tuple[int, str]], array: TaskArray, fault: Callable[..., None]
) -> Mapping[tuple[Member, str], tuple[float, float]]:
    """Return measured amounts of factors: each line has a member's path, then one or more of MEASURE."""
    members = {member.path: member for member in array.members}
    names = [factor.name for factor in array.factors]
    measures: dict[tuple[Member, str], tuple[float, float]] = {}
    for number, text in lines:
        path, *words = text.split()
        member = members.get("/" + path.strip("/"))
        if member is None or not words or len(words) % 3:
            fault(number, f"the path of a member, then {MEASURE}, once or more", repr(text.strip()))
            continue
        for factor, *numbers in zip(words[::3], words[1::3], words[2::3], strict=True):
            if factor not in names or (member, factor) in measures:
                fault(number, f"each of {', '.join(names)} once", repr(factor))
            elif not all(is_number(one) and 0 <= float(one) <= 100 for one in numbers):
                fault(number, f"{MEASURE}, both from 0 to 100", repr(" ".join((factor, *numbers))))
            else:
                percent, error = map(float, numbers)
                measures[member, factor] = percent, error
    return measures
