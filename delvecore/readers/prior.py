"""`.prior` files: what may be assumed of each attribute. Source: DELVE manual, sections 4.3 and 4.4."""

from delvecore.errors import ParseError, raise_error
from delvecore.model import LEVELS, TYPES, Prior, PriorLine
from delvecore.numbers import is_number
from delvecore.readers.lines import token_lines

__all__ = ["parse_options", "parse_prior"]


def parse_prior(text, name, dataset, prototask, source, *, report=raise_error):
    """Return the Prior for a Prototask of a Dataset; lines in file order.

    Every input and target of the prototask must have one line; faults go to report. Lines that cannot be
    used are left out after the report.
    """
    lines, number = {}, 1
    for number, tokens in token_lines(text):
        try:
            line = _parse_line(tokens, dataset)
            if line.attribute in lines:
                raise ValueError("each attribute once", f"{tokens[0]!r} again")
        except ValueError as error:
            report(ParseError(source, number, *error.args, kind="specification"))
            continue
        lines[line.attribute] = line
    for missing in (*prototask.inputs, *prototask.targets):
        if missing not in lines:
            expected = f"a line for attribute {missing}"
            report(ParseError(source, number, expected, "none", "add it", kind="specification"))
    return Prior(dataset.name, prototask.name, name, tuple(lines.values()))


def _parse_line(tokens, dataset):
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


def parse_options(words):
    """Return ((name, value), ...) from `name=value` words; `centre` is `center`.

    A value may itself contain `=`. ValueError carries (expected, found).
    """
    options = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = "center" if name == "centre" else name
        if not name or not equals or not value:
            raise ValueError("an option 'name=value'", repr(word))
        if name in options:
            raise ValueError("each option once", f"{name!r} again")
        options[name] = value
    return tuple(options.items())


def check_prior_options(attribute, kind, options):
    """Raise ValueError(expected, found) where options or range do not fit the type."""
    unknown = set(options) - {"passive", "unit"}
    if unknown:
        raise ValueError("the options passive or unit", repr(sorted(unknown)[0]))
    categories = attribute.range.categories
    if kind in ("binary", "nominal", "ordinal"):
        _check_categories(attribute, kind, categories)
    elif attribute.range.kind == "categorical" and not all(map(is_number, categories)):
        raise ValueError(f"a numeric range for type {kind}", f"{attribute.name} {attribute.range.text!r}")
    _check_passive(kind, options, categories)
    if kind == "angular" and not is_number(options.get("unit", "")):
        raise ValueError("unit=NUMBER for an angular attribute", repr(options.get("unit", "none")))


def _check_categories(attribute, kind, categories):
    if categories is None:
        raise ValueError(f"a finite range for type {kind}", f"{attribute.name} {attribute.range.text!r}")
    if kind == "binary" and len(categories) != 2:
        raise ValueError("two values for type binary", f"{attribute.name} with {len(categories)}")


def _check_passive(kind, options, categories):
    passive = options.get("passive")
    if passive is None:
        return
    if kind not in ("binary", "nominal", "ordinal"):
        raise ValueError("passive only for binary, nominal and ordinal", f"it for {kind}")
    if passive not in categories:
        raise ValueError(f"passive to be one of {' '.join(categories)}", repr(passive))
