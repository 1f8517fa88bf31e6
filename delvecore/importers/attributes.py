"""Attributes from columns: their names, words and types, with a reason for each type.

Source: DELVE manual, sections 3.1 and 3.3. Blanks end a word, and some first characters have a special
meaning."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from delvecore.errors import Fault
from delvecore.importers.profiles import Profile
from delvecore.importers.source import SourceColumn
from delvecore.model import CATEGORICAL_TYPES, MOST_CATEGORIES, TYPES
from delvecore.names import one_line
from delvecore.number_format.numbers import is_number

LEFT_OUT = "ignore"
"""The type of a column that is not an attribute."""
FEW_CATEGORIES, MANY_CATEGORIES, CASES_EACH = 20, 1000, 10
"""Largest numbers of distinct words that are categories: always, and if each has ten cases on average."""
MOST_CLASSES = 10
"""Largest number of distinct whole numbers that are the classes of a target."""
MOSTLY = 0.9
IDENTIFIER = re.compile(r"(?i)(.*[^a-z])?(id|index|idx|row|no|nr|number|unnamed_?:?_?0)$|$")


class Reason(StrEnum):
    """Why a column has its type."""

    ASKED = "asked"
    DECLARED = "declared"
    TWO_VALUES = "two values"
    WHOLE = "whole numbers"
    FRACTIONS = "numbers"
    CLASSES = "few whole numbers of a target"
    CATEGORIES = "few different words"
    EMPTY = "no values"
    COUNTER = "counts the cases"
    DATES = "dates"
    TEXT = "too many different words"
    STRAYS = "mostly numbers"
    OTHER = "nested or binary values"
    GROUP = "groups of cases"
    TIME = "time of the cases"


class Role(StrEnum):
    INPUT = "input"
    TARGET = "target"
    LEFT_OUT = "left out"


class ColumnPlan(NamedTuple):
    """The planned use of a column.

    Attributes
    ----------
    source : str
        Name of the column in the source.
    name : str
        Name of the attribute.
    role : Role
        Input, target or left out.
    profile : Profile
        Profile of its words.
    type : str
        A type of TYPES, or LEFT_OUT.
    reason : Reason
        Reason for the type.
    words : mapping of str to str
        Word of each category in the files, in order.
    range : str
        Range in the notation of a specification.
    unit : str
        Unit of an angle.
    strays : tuple of str
        Words that are not numbers, for Reason.STRAYS.
    """

    source: str
    name: str
    role: Role
    profile: Profile
    type: str = LEFT_OUT
    reason: Reason = Reason.EMPTY
    words: Mapping[str, str] = {}
    range: str = ""
    unit: str = ""
    strays: tuple[str, ...] = ()

    @property
    def is_constant(self) -> bool:
        profile = self.profile
        return profile.distinct == 1 or (profile.is_numeric and profile.low == profile.high)

    def left_out(self, reason: Reason, strays: Iterable[str] = ()) -> "ColumnPlan":
        return self._replace(role=Role.LEFT_OUT, type=LEFT_OUT, reason=reason, strays=tuple(strays))


def typed_column(
    column: ColumnPlan, declared: SourceColumn, cases: int, *, requested: str | None
) -> ColumnPlan:
    """Return a column with its type.

    declared: the type in the source; cases: number of cases; requested: a type from the user, with values
    after a colon (`ordinal:low,high`, `angular:360`), or LEFT_OUT. Raises Fault if the column cannot have
    this type."""
    if requested is not None:
        return _of_requested_type(column, requested)
    if not column.profile.known:
        return column.left_out(Reason.EMPTY)
    if declared.kind:
        return _of_declared_type(column, declared, cases)
    return _of_numbers(column) if column.profile.is_numeric else _of_words(column, cases)


def _of_requested_type(column: ColumnPlan, requested: str) -> ColumnPlan:
    kind, _, more = requested.partition(":")
    if kind == LEFT_OUT:
        return column.left_out(Reason.ASKED)
    profile, place = column.profile, f"type {column.source}={requested}"
    if kind not in TYPES:
        raise Fault(place, f"a type, one of {', '.join((*TYPES, LEFT_OUT))}", repr(kind))
    if kind in CATEGORICAL_TYPES:
        if profile.values is None:
            raise Fault(place, f"at most {MOST_CATEGORIES} different values", "more")
        values = more.split(",") if more else _sorted(profile.values)
        missing = next((value for value in profile.values if value not in values), None)
        if missing is not None:
            raise Fault(place, "every value of the column", f"no {missing!r}", "list it too")
        column = _of_categories(column, values, Reason.ASKED, ordered=kind == "ordinal")
        if kind == "binary" and column.type != "binary":
            raise Fault(place, "two different values", len(column.words))
        return column._replace(type=kind)
    if not profile.is_numeric:
        actual = ", ".join(map(repr, profile.strays)) or "no values"
        remedy = f"use --missing for words that mean no value, or {column.source}=nominal"
        raise Fault(place, "numbers", actual, remedy)
    if kind == "integer" and not profile.is_whole and any(float(word) % 1 for word in profile.values or ()):
        raise Fault(place, "whole numbers", "fractions", f"say {column.source}=real")
    if kind == "angular" and not more:
        raise Fault(place, "the period, as in angular:360", "nothing")
    limits = _limits(profile, kind == "integer")
    return column._replace(type=kind, reason=Reason.ASKED, range=limits, unit=more)


def _of_declared_type(column: ColumnPlan, declared: SourceColumn, cases: int) -> ColumnPlan:
    kind, profile, values = declared.kind, column.profile, column.profile.values or ()
    if declared.range:
        words = {value: value for value in values} if kind in CATEGORICAL_TYPES else {}
        return column._replace(type=kind, reason=Reason.DECLARED, words=words, range=declared.range)
    if kind in ("category", "ordered"):
        listed = dict.fromkeys((*declared.values, *values))
        return _of_categories(column, [*listed], Reason.DECLARED, ordered=kind == "ordered")
    if kind == "number" and profile.is_numeric:
        return _of_number_type(column, Reason.DECLARED)
    if kind in ("date", "other"):
        return column.left_out(Reason.DATES if kind == "date" else Reason.OTHER)
    return _of_words(column, cases)


def _of_numbers(column: ColumnPlan) -> ColumnPlan:
    profile, values, is_target = column.profile, column.profile.values, column.role is Role.TARGET
    may_count = profile.low in (0, 1) or IDENTIFIER.match(column.source)
    if not is_target and profile.counts_up and may_count and profile.known > 2:
        return column.left_out(Reason.COUNTER)
    if values is not None and len(set(map(float, values))) == len(values) == 2:
        return _of_categories(column, _sorted(values), Reason.TWO_VALUES)
    if is_target and profile.is_whole and values is not None and 1 < len(values) <= MOST_CLASSES:
        return _of_categories(column, _sorted(values), Reason.CLASSES)
    return _of_number_type(column, Reason.WHOLE if profile.is_whole else Reason.FRACTIONS)


def _of_number_type(column: ColumnPlan, reason: Reason) -> ColumnPlan:
    whole = column.profile.is_whole
    kind = "integer" if whole else "real"
    return column._replace(type=kind, reason=reason, range=_limits(column.profile, whole))


def _of_words(column: ColumnPlan, cases: int) -> ColumnPlan:
    profile, count, is_target = column.profile, column.profile.distinct, column.role is Role.TARGET
    if profile.dates == profile.known:
        return column.left_out(Reason.DATES)
    is_few = count is not None and (
        count <= FEW_CATEGORIES
        or count <= min(MANY_CATEGORIES, profile.known // (2 if is_target else CASES_EACH))
    )
    is_mostly_numbers = profile.numbers >= MOSTLY * profile.known
    if is_mostly_numbers and (count is None or count > FEW_CATEGORIES):
        return column.left_out(Reason.STRAYS, profile.strays)
    is_each_other = cases > FEW_CATEGORIES // 2 and count == profile.known
    if not is_few or (is_each_other and not is_target):
        return column.left_out(Reason.TEXT)
    return _of_categories(column, _sorted(profile.values or ()), Reason.CATEGORIES)


def _of_categories(
    column: ColumnPlan, values: Sequence[str], reason: Reason, *, ordered: bool = False
) -> ColumnPlan:
    words = category_words(values)
    kind = "binary" if len(words) == 2 else "ordinal" if ordered and len(words) > 1 else "nominal"
    return column._replace(type=kind, reason=reason, words=words, range=" ".join(words.values()))


def _sorted(values: Mapping[str, int] | Sequence[str]) -> list[str]:
    """Return values by size if all are numbers, otherwise in alphabetical order."""
    try:
        return sorted(values, key=lambda word: (float(word), word))
    except ValueError:
        return sorted(values)


def _limits(profile: Profile, whole: bool) -> str:
    """Return the range of a numeric attribute. It includes negative numbers only if a value is negative."""
    if whole:
        return "0..Inf" if profile.low >= 0 else "-Inf..Inf"
    return "[0,Inf)" if profile.low >= 0 else "(-Inf,Inf)"


LONGEST = 200
FIRST = tuple("?@\\:#[(")
"""Characters that begin a missing value, an index, a continuation, a bound, a comment or an interval."""
INTEGERS = re.compile(r"[+-]*(\d+|inf)\.\.[+-]*(\d+|inf)", re.IGNORECASE)


def attribute_names(names: Iterable[str]) -> list[str]:
    """Return distinct attribute names of letters, digits and `. _ + - / %`, which are not numbers."""
    plain = [re.sub(r"[^\w.+/%-]+", "_", name).strip("_")[:LONGEST] for name in names]
    filled = [name or f"column-{place}" for place, name in enumerate(plain, start=1)]
    return _distinct(f"A{name}" if name.lstrip("+-").isdigit() else name for name in filled)


def category_words(values: Iterable[str]) -> dict[str, str]:
    """Return a distinct word for each value."""
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
    """Return names with a number appended to repeated ones."""
    taken: set[str] = set()
    distinct = []
    for name in names:
        other, number = name, 2
        while other in taken:
            other, number = f"{name}_{number}", number + 1
        taken.add(other)
        distinct.append(other)
    return distinct
