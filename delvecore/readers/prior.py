"""Attributes as priors and codings describe them: `.prior` files, `Coding-used`, encoding files.

Source: DELVE manual, sections 4.3, 4.4 and 7.3, appendix C.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from delvecore.errors import Report, raise_error, spec_fault
from delvecore.model import (
    CATEGORICAL_TYPES,
    LEVELS,
    TYPES,
    Attribute,
    Coding,
    Dataset,
    Options,
    Prior,
    PriorLine,
    Prototask,
)
from delvecore.number_format.numbers import is_number
from delvecore.readers.lines import is_count, leading_comment, token_lines

STRENGTH, REACH = "dependency-strength", "dependency-range"


def parse_prior(
    text: str, name: str, dataset: Dataset, prototask: Prototask, source: str, *, report: Report = raise_error
) -> Prior:
    """Return the Prior for a Prototask of a Dataset, lines in file order. Each input and target must have a
    line; faults go to report, and such lines are left out."""
    lines: dict[int, PriorLine] = {}
    dependencies: dict[str, str] = {}
    keys: set[str | int] = set()
    number = 1
    for number, tokens in token_lines(text):
        key = _dependency_key(tokens)
        try:
            if key:
                dependencies[key] = _dependency(key, tokens, dependencies, prototask)
                continue
            line = _parse_line(tokens, dataset)
            if line.attribute in lines:
                raise ValueError("each attribute once", f"{tokens[0]!r} again")
            function = prototask.transformation(line.attribute)
            if function and line.type != "real":
                wanted = f"type real for an attribute that is transformed by {function}"
                raise ValueError(wanted, repr(line.type))
        except ValueError as error:
            report(spec_fault(source, number, *error.args))
            keys.update([key] if key else lines_by_attribute(tokens[0], dataset))
            continue
        lines[line.attribute] = line
    for missing in _missing_lines({*lines, *dependencies, *keys}, dataset, prototask):
        report(spec_fault(source, number, missing, "none", "add it"))
    reach = dependencies.get(REACH)
    facts = tuple(lines.values()), dependencies.get(STRENGTH), int(reach) if reach else None
    return Prior(dataset.name, prototask.name, name, *facts, about=leading_comment(text))


def _missing_lines(keys: Collection[str | int], dataset: Dataset, prototask: Prototask) -> Iterator[str]:
    """Yield the missing lines of a prior (manual, sections 4.3 and 4.4); `keys` are those with a line."""
    for number in prototask.used:
        if number not in keys:
            yield f"a line for attribute {number}"
    if (prototask.is_sequential or dataset.commonality) and STRENGTH not in keys:
        why = "a sequential prototask" if prototask.is_sequential else "cases with commonality indexes"
        yield f"a line 'Dependency-Strength: LEVELS' for {why}"
    if prototask.is_sequential and REACH not in keys:
        yield "a line 'Dependency-Range: NUMBER' for a sequential prototask"


def _dependency_key(tokens: Sequence[str]) -> str | None:
    """Return the key of a line, STRENGTH or REACH, or None."""
    name, colon, _ = " ".join(tokens).partition(":")
    key = "-".join(name.lower().split())
    return key if colon and key in (STRENGTH, REACH) else None


def _dependency(key: str, tokens: Sequence[str], known: Collection[str], prototask: Prototask) -> str:
    """Return levels, or the number of cases as text. Raises ValueError(expected, found)."""
    value = " ".join(tokens).partition(":")[2].strip()
    if key in known:
        raise ValueError(f"the key {key!r} once", "it again")
    if key == STRENGTH:
        if not value or set(value.upper()) - set(LEVELS):
            raise ValueError(f"{key}: levels made of N, L, M and H", repr(value))
        return value.upper()
    if not prototask.is_sequential:
        raise ValueError(f"{key} only in the priors of a sequential prototask", "another order")
    if not is_count(value):
        raise ValueError(f"{key} to be one positive whole number", repr(value))
    return value


def _attribute(word: str, dataset: Dataset) -> Attribute:
    try:
        return dataset.attribute(word)
    except KeyError:
        raise ValueError("the number or name of an attribute", repr(word)) from None


def _parse_line(tokens: Sequence[str], dataset: Dataset) -> PriorLine:
    """Return one PriorLine. Raises ValueError(expected, found)."""
    if len(tokens) < 3:
        raise ValueError("attribute, noise or relevance levels, and type", f"{len(tokens)} fields")
    attribute = _attribute(tokens[0], dataset)
    levels, kind = tokens[1].upper(), tokens[2].lower()
    if not levels or set(levels) - set(LEVELS):
        raise ValueError("levels made of N, L, M and H", repr(tokens[1]))
    if kind not in TYPES:
        raise ValueError(f"a type, one of {', '.join(TYPES)}", repr(tokens[2]))
    options = _parse_options(tokens[3:])
    _check_options(attribute, kind, dict(options))
    return PriorLine(attribute.number, levels, kind, options)


def _parse_options(words: Sequence[str]) -> Options:
    """Return ((name, value), ...) from `name=value` words. Raises ValueError(expected, found)."""
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


def _check_options(attribute: Attribute, kind: str, options: Mapping[str, str]) -> None:
    """Raise ValueError(expected, found) if options or range do not fit the type."""
    unknown = set(options) - {"passive", "unit", "order", "coding"}
    if unknown:
        raise ValueError("the options passive, unit, order or coding", repr(min(unknown)))
    categories, passive = attribute.range.categories, options.get("passive")
    if kind in CATEGORICAL_TYPES:
        if categories is None:
            raise ValueError(f"a finite range for type {kind}", f"{attribute.name} {attribute.range.text!r}")
        if kind == "binary" and len(categories) != 2:
            raise ValueError("two values for type binary", f"{attribute.name} with {len(categories)}")
    elif attribute.range.kind == "categorical" and not all(map(is_number, categories or ())):
        raise ValueError(f"a numeric range for type {kind}", f"{attribute.name} {attribute.range.text!r}")
    if passive is not None and kind not in CATEGORICAL_TYPES:
        raise ValueError("passive only for binary, nominal and ordinal", f"it for {kind}")
    if passive is not None and passive not in (categories or ()):
        raise ValueError(f"passive to be one of {' '.join(categories or ())}", repr(passive))
    if "order" in options and kind != "ordinal":
        raise ValueError("order only for ordinal", f"it for {kind}")
    category_order(attribute, options.get("order"))
    if kind == "angular" and not is_number(options.get("unit", "")):
        raise ValueError("unit=NUMBER for an angular attribute", repr(options.get("unit", "none")))


def category_order(attribute: Attribute, text: str | None) -> tuple[str, ...] | None:
    """Return the values of a categorical attribute in the order of an option `order=a,b,c`, None for that of
    the specification. Raises ValueError(expected, found) unless each value occurs once."""
    categories = attribute.range.categories
    if text is None or categories is None:
        return categories
    words = tuple(text.split(","))
    if sorted(words) != sorted(categories):
        listed = ",".join(categories)
        raise ValueError(f"order= with each value of {attribute.name} once, as in order={listed}", repr(text))
    return words


def parse_codings(
    text: str, dataset: Dataset, source: str, *, report: Report = raise_error
) -> dict[int, Coding]:
    """Return {attribute number: Coding} for the lines `ATTRIBUTE CODING option=value ...` of a file.
    `delvecore.encoding.codings` checks whether a coding suits the type of its attribute."""
    codings: dict[int, Coding] = {}
    for number, tokens in token_lines(text):
        try:
            if len(tokens) < 2:
                raise ValueError("an attribute and a coding", repr(" ".join(tokens)))
            attribute = _attribute(tokens[0], dataset)
            coding = Coding(attribute.name, tokens[1], _parse_options(tokens[2:]))
            if attribute.number in codings:
                raise ValueError("each attribute once", f"{tokens[0]!r} again")
        except ValueError as error:
            report(spec_fault(source, number, *error.args))
            continue
        codings[attribute.number] = coding
    return codings


def lines_by_attribute(text: str, dataset: Dataset) -> dict[int, int]:
    """Return {attribute number: number of the first line that starts with it, or with its name}."""
    line_numbers: dict[int, int] = {}
    for number, tokens in token_lines(text):
        try:
            line_numbers.setdefault(dataset.attribute(tokens[0]).number, number)
        except KeyError:
            continue  # no attribute: reported by the parser
    return line_numbers
