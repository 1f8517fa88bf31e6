"""`.prior` files: what may be assumed of each attribute. Source: DELVE manual, sections 4.3 and 4.4."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from delvecore.errors import ParseError, Report, raise_error
from delvecore.model import LEVELS, TYPES, Attribute, Dataset, Options, Prior, PriorLine, Prototask
from delvecore.numerals.numbers import is_number
from delvecore.readers.lines import token_lines

__all__ = ["category_order", "parse_options", "parse_prior"]

DEPENDENCIES = ("dependency-strength", "dependency-range")


def parse_prior(
    text: str, name: str, dataset: Dataset, prototask: Prototask, source: str, *, report: Report = raise_error
) -> Prior:
    """Return the Prior for a Prototask of a Dataset; lines in file order.

    Every input and target of the prototask must have one line; faults go to report. Lines that cannot be
    used are left out after the report.
    """
    lines: dict[int, PriorLine] = {}
    dependencies: dict[str, str] = {}
    told: set[str | int | None] = set()
    number = 1
    for number, tokens in token_lines(text):
        try:
            if key := _dependency_key(tokens):
                dependencies[key] = _dependency(key, tokens, dependencies, prototask)
                continue
            line = _parse_line(tokens, dataset)
            if line.attribute in lines:
                raise ValueError("each attribute once", f"{tokens[0]!r} again")
            _check_transformed(line, prototask)
        except ValueError as error:
            report(ParseError(source, number, *error.args, kind="specification"))
            told.add(_subject(tokens, dataset))
            continue
        lines[line.attribute] = line
    for missing in _missing_lines({*lines, *told}, {*dependencies, *told}, dataset, prototask):
        report(ParseError(source, number, missing, "none", "add it", kind="specification"))
    strength, reach = (dependencies.get(key) for key in DEPENDENCIES)
    facts = tuple(lines.values()), strength, int(reach) if reach else None
    return Prior(dataset.name, prototask.name, name, *facts)


def _subject(tokens: Sequence[str], dataset: Dataset) -> str | int | None:
    """Return the number of the attribute, or the key, that a faulty line is about, None if neither."""
    try:
        return _dependency_key(tokens) or dataset.attribute(tokens[0]).number
    except KeyError:
        return None


def _missing_lines(
    lines: Collection[str | int | None],
    dependencies: Collection[str | int | None],
    dataset: Dataset,
    prototask: Prototask,
) -> Iterator[str]:
    """Yield what a prior does not say but must: manual, sections 4.3 and 4.4.

    lines, dependencies: the attributes and keys that some line is about, faulty or not.
    """
    for number in (*prototask.inputs, *prototask.targets):
        if number not in lines:
            yield f"a line for attribute {number}"
    strength, reach = DEPENDENCIES
    if (prototask.is_sequential or dataset.commonality) and strength not in dependencies:
        why = "a sequential prototask" if prototask.is_sequential else "cases with commonality indexes"
        yield f"a line 'Dependency-Strength: LEVELS' for {why}"
    if prototask.is_sequential and reach not in dependencies:
        yield "a line 'Dependency-Range: NUMBER' for a sequential prototask"


def _dependency_key(tokens: Sequence[str]) -> str | None:
    """Return which of DEPENDENCIES a line is about, or None."""
    name, colon, _ = " ".join(tokens).partition(":")
    key = "-".join(name.lower().split())
    return key if colon and key in DEPENDENCIES else None


def _dependency(key: str, tokens: Sequence[str], known: Collection[str], prototask: Prototask) -> str:
    """Return levels or the digits of a number of cases; ValueError carries (expected, found)."""
    value = " ".join(tokens).partition(":")[2].strip()
    if key in known:
        raise ValueError(f"the key {key!r} once", "it again")
    if key == DEPENDENCIES[0]:
        if not value or set(value.upper()) - set(LEVELS):
            raise ValueError(f"{key}: levels made of N, L, M and H", repr(value))
        return value.upper()
    if not prototask.is_sequential:
        raise ValueError(f"{key} only in the priors of a sequential prototask", "another order")
    if not (value.isascii() and value.isdigit() and 0 < int(value[:19]) < 10**18):
        raise ValueError(f"{key} to be one positive whole number", repr(value))
    return value


def _check_transformed(line: PriorLine, prototask: Prototask) -> None:
    function = prototask.transformation(line.attribute)
    if function and line.type != "real":
        raise ValueError(f"type real for an attribute that is transformed by {function}", repr(line.type))


def _parse_line(tokens: Sequence[str], dataset: Dataset) -> PriorLine:
    """Return one PriorLine; ValueError carries (expected, found)."""
    if len(tokens) < 3:
        raise ValueError("attribute, noise or relevance levels, and type", f"{len(tokens)} fields")
    try:
        attribute = dataset.attribute(tokens[0])
    except KeyError:
        raise ValueError("the number or name of an attribute", repr(tokens[0])) from None
    levels, kind = tokens[1].upper(), tokens[2].lower()
    if not levels or set(levels) - set(LEVELS):
        raise ValueError("levels made of N, L, M and H", repr(tokens[1]))
    if kind not in TYPES:
        raise ValueError(f"a type, one of {', '.join(TYPES)}", repr(tokens[2]))
    options = parse_options(tokens[3:])
    check_prior_options(attribute, kind, dict(options))
    return PriorLine(attribute.number, levels, kind, options)


def parse_options(words: Sequence[str]) -> Options:
    """Return ((name, value), ...) from `name=value` words; `centre` is `center`.

    A value may itself contain `=`. ValueError carries (expected, found).
    """
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = "center" if name == "centre" else name
        if not name or not equals or not value:
            raise ValueError("an option 'name=value'", repr(word))
        if name in options:
            raise ValueError("each option once", f"{name!r} again")
        options[name] = value
    return tuple(options.items())


def check_prior_options(attribute: Attribute, kind: str, options: Mapping[str, str]) -> None:
    """Raise ValueError(expected, found) where options or range do not fit the type."""
    unknown = set(options) - {"passive", "unit", "order"}
    if unknown:
        raise ValueError("the options passive, unit or order", repr(sorted(unknown)[0]))
    categories = attribute.range.categories
    if kind in ("binary", "nominal", "ordinal"):
        _check_categories(attribute, kind, categories)
    elif attribute.range.kind == "categorical" and not all(map(is_number, categories or ())):
        raise ValueError(f"a numeric range for type {kind}", f"{attribute.name} {attribute.range.text!r}")
    _check_passive(kind, options, categories or ())
    if "order" in options and kind != "ordinal":
        raise ValueError("order only for ordinal", f"it for {kind}")
    category_order(attribute, options.get("order"))
    if kind == "angular" and not is_number(options.get("unit", "")):
        raise ValueError("unit=NUMBER for an angular attribute", repr(options.get("unit", "none")))


def _check_categories(attribute: Attribute, kind: str, categories: Sequence[str] | None) -> None:
    if categories is None:
        raise ValueError(f"a finite range for type {kind}", f"{attribute.name} {attribute.range.text!r}")
    if kind == "binary" and len(categories) != 2:
        raise ValueError("two values for type binary", f"{attribute.name} with {len(categories)}")


def _check_passive(kind: str, options: Mapping[str, str], categories: Sequence[str]) -> None:
    passive = options.get("passive")
    if passive is None:
        return
    if kind not in ("binary", "nominal", "ordinal"):
        raise ValueError("passive only for binary, nominal and ordinal", f"it for {kind}")
    if passive not in categories:
        raise ValueError(f"passive to be one of {' '.join(categories)}", repr(passive))


def category_order(attribute: Attribute, text: str | None) -> tuple[str, ...] | None:
    """Return the values of a categorical attribute in the order that an option `order=a,b,c` gives them.

    text: the option's value; None means the order of the dataset's specification. Values that contain
    commas cannot be listed. Raises ValueError(expected, found) unless each value is there once.
    """
    categories = attribute.range.categories
    if text is None or categories is None:
        return categories
    words = tuple(text.split(","))
    if sorted(words) != sorted(categories):
        listed = ",".join(categories)
        raise ValueError(f"order= with each value of {attribute.name} once, as in order={listed}", repr(text))
    return words
