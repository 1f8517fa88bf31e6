"""Attributes from columns: their names and words, and their types, each with its reason.

Source: DELVE manual, sections 3.1 and 3.3: blanks end a word, and some first characters have a special
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
"""The type of a column that is no attribute."""
FEW_CATEGORIES, MANY_CATEGORIES, CASES_EACH = 20, 1000, 10
"""Number of distinct words that are always categories; largest number if each has ten cases on average."""
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


class Guess(NamedTuple):
    """A guessed type of TYPES or LEFT_OUT, with the reason.

    Attributes
    ----------
    type : str
        A type of TYPES, or LEFT_OUT.
    reason : Reason
        Reason for the type.
    words : mapping of str to str
        Word in the files of each category, in order.
    range : str
        Range in the notation of a specification.
    unit : str
        Unit of an angle.
    strays : tuple of str
        Words that are not numbers, of Reason.STRAYS.
    """

    type: str
    reason: Reason
    words: Mapping[str, str] = {}
    range: str = ""
    unit: str = ""
    strays: tuple[str, ...] = ()


def guess_of(
    column: SourceColumn, profile: Profile, cases: int, *, asked: str | None, is_target: bool
) -> Guess:
    """Return the type of a column. asked: a type from the user, with values after a colon
    (`ordinal:low,high`, `angular:360`), or LEFT_OUT. Raises Fault if the column cannot have it."""
    if asked is not None:
        return _asked(column.name, profile, asked)
    if not profile.known:
        return Guess(LEFT_OUT, Reason.EMPTY)
    if column.kind:
        return _declared(column, profile, cases, is_target=is_target)
    return (
        _numeric(column.name, profile, is_target) if profile.is_numeric else _words(profile, cases, is_target)
    )


def _asked(name: str, profile: Profile, asked: str) -> Guess:
    kind, _, more = asked.partition(":")
    if kind == LEFT_OUT:
        return Guess(LEFT_OUT, Reason.ASKED)
    place = f"type {name}={asked}"
    if kind not in TYPES:
        raise Fault(place, f"a type, one of {', '.join((*TYPES, LEFT_OUT))}", repr(kind))
    if kind in CATEGORICAL_TYPES:
        return _asked_category(place, profile, kind, values=more.split(",") if more else None)
    if not profile.is_numeric:
        actual = ", ".join(map(repr, profile.strays)) or "no values"
        raise Fault(
            place, "numbers", actual, f"say --missing for words that mean no value, or {name}=nominal"
        )
    if kind == "integer" and not profile.is_whole and any(float(word) % 1 for word in profile.values or ()):
        raise Fault(place, "whole numbers", "fractions", f"say {name}=real")
    if kind == "angular" and not more:
        raise Fault(place, "what the whole circle is, as in angular:360", "nothing")
    return Guess(kind, Reason.ASKED, range=_limits(profile, kind == "integer"), unit=more)


def _asked_category(place: str, profile: Profile, kind: str, *, values: Sequence[str] | None) -> Guess:
    if profile.values is None:
        raise Fault(place, f"at most {MOST_CATEGORIES} different values", "more")
    strange = [value for value in profile.values if value not in values] if values else []
    if strange:
        raise Fault(place, "every value of the column", f"none of {strange[0]!r}", "list it too")
    guess = _categories(list(values or _sorted(profile.values)), Reason.ASKED, ordered=kind == "ordinal")
    if kind == "binary" and guess.type != "binary":
        raise Fault(place, "two different values", len(guess.words))
    return guess._replace(type=kind)


def _declared(declared: SourceColumn, profile: Profile, cases: int, *, is_target: bool) -> Guess:
    if declared.range:
        words = {value: value for value in profile.values or ()} if declared.kind in CATEGORICAL_TYPES else {}
        return Guess(declared.kind, Reason.DECLARED, words, declared.range)
    if declared.kind in ("category", "ordered"):
        values = [
            *declared.values,
            *(value for value in profile.values or () if value not in declared.values),
        ]
        return _categories(values, Reason.DECLARED, ordered=declared.kind == "ordered")
    if declared.kind == "number" and profile.is_numeric:
        whole = profile.is_whole
        return Guess("integer" if whole else "real", Reason.DECLARED, range=_limits(profile, whole))
    if declared.kind == "date":
        return Guess(LEFT_OUT, Reason.DATES)
    if declared.kind == "other":
        return Guess(LEFT_OUT, Reason.OTHER)
    return _words(profile, cases, is_target)


def _numeric(name: str, profile: Profile, is_target: bool) -> Guess:
    values = profile.values
    if (
        not is_target
        and profile.counts_up
        and (profile.low in (0, 1) or IDENTIFIER.match(name))
        and profile.known > 2
    ):
        return Guess(LEFT_OUT, Reason.COUNTER)
    if values is not None and len(set(map(float, values))) == len(values) == 2:
        return _categories(_sorted(values), Reason.TWO_VALUES)
    if is_target and profile.is_whole and values is not None and 1 < len(values) <= MOST_CLASSES:
        return _categories(_sorted(values), Reason.CLASSES)
    whole = profile.is_whole
    reason = Reason.WHOLE if whole else Reason.FRACTIONS
    return Guess("integer" if whole else "real", reason, range=_limits(profile, whole))


def _words(profile: Profile, cases: int, is_target: bool) -> Guess:
    count = profile.distinct
    if profile.dates == profile.known:
        return Guess(LEFT_OUT, Reason.DATES)
    is_few = count is not None and (
        count <= FEW_CATEGORIES
        or count <= min(MANY_CATEGORIES, profile.known // (2 if is_target else CASES_EACH))
    )
    is_mostly_numbers = profile.numbers >= MOSTLY * profile.known
    if is_mostly_numbers and (count is None or count > FEW_CATEGORIES):
        return Guess(LEFT_OUT, Reason.STRAYS, strays=tuple(profile.strays))
    is_each_other = cases > FEW_CATEGORIES // 2 and count == profile.known
    if not is_few or (is_each_other and not is_target):
        return Guess(LEFT_OUT, Reason.TEXT)
    return _categories(_sorted(profile.values or ()), Reason.CATEGORIES)


def _categories(values: Sequence[str], reason: Reason, *, ordered: bool = False) -> Guess:
    words = category_words(values)
    kind = "binary" if len(words) == 2 else "ordinal" if ordered and len(words) > 1 else "nominal"
    return Guess(kind, reason, words, " ".join(words.values()))


def _sorted(values: Mapping[str, int] | Sequence[str]) -> list[str]:
    """Return values in order: by size if all are numbers, otherwise alphabetically."""
    try:
        return sorted(values, key=lambda word: (float(word), word))
    except ValueError:
        return sorted(values)


def _limits(profile: Profile, whole: bool) -> str:
    """Return the range of numbers; it includes negative ones if there are some."""
    if whole:
        return "0..Inf" if profile.low >= 0 else "-Inf..Inf"
    return "[0,Inf)" if profile.low >= 0 else "(-Inf,Inf)"


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
    """Return {value: its word}, with distinct words."""
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
