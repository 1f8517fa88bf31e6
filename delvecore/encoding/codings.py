"""Which coding an attribute has, whether it suits the attribute, and what its columns are called.

Source: DELVE manual, section 7.3; the options and column names of DELVE 1.1.
"""

from delvecore.model import Coding
from delvecore.numerals.numbers import format_number, is_number
from delvecore.readers.prior import category_order

__all__ = ["ALLOWED", "check_coding", "column_names", "default_coding", "full_options", "task_codings"]

ALLOWED = {
    "angular": ("ignore", "copy", "rectan"),
    "binary": ("ignore", "copy", "-1/+1", "0/1"),
    "nominal": ("ignore", "copy", "1-of-n", "0-up", "1-up", "therm"),
    "ordinal": ("ignore", "copy", "1-of-n", "0-up", "1-up", "therm"),
    "integer": ("ignore", "copy", "nm-abs", "nm-sqr"),
    "real": ("ignore", "copy", "nm-abs", "nm-sqr"),
}
OPTIONS = {
    "ignore": (),
    "copy": ("transform",),
    "0/1": ("passive",),
    "-1/+1": (),
    "1-of-n": ("passive", "order"),
    "therm": ("scale", "order"),
    "nm-sqr": ("center", "transform"),
    "nm-abs": ("center", "transform"),
    "0-up": ("order",),
    "1-up": ("order",),
    "rectan": ("unit",),
}
SCALES = ("none", "linear", "sqrt")
MISSING = ("error", "indicator", "mean", "median", "mode")
CENSORED = ("error", "bound", "mark")
UNORDERED = ("1-of-n", "rectan")
"""Codings whose numbers have no median that means anything."""
TWO_PI = 6.283185307179586


def default_coding(attribute, line, transformation=None):
    """Return the Coding that DELVE chooses for an Attribute from its PriorLine: section 7.3.

    transformation: the function that the prototask applies to it, or None; it becomes an option.
    """
    passive, unit, order = (line.option(name) for name in ("passive", "unit", "order"))
    if line.type == "binary":
        coding = "0/1" if passive else "-1/+1"
    else:
        coding = {"nominal": "1-of-n", "ordinal": "therm", "angular": "rectan"}.get(line.type, "nm-abs")
    options = ()
    if coding in ("0/1", "1-of-n") and passive:
        options = (("passive", passive),)
    elif coding == "rectan":
        options = (("unit", unit),)
    elif order:
        options = (("order", order),)
    return with_transformation(Coding(attribute.name, coding, options), transformation)


def with_transformation(coding, transformation):
    """Return a Coding that says what function the prototask applies to the values that it encodes, if any."""
    if transformation is None or coding.coding == "ignore":
        return coding
    others = tuple(option for option in coding.options if option[0] != "transform")
    return coding._replace(options=(("transform", transformation), *others))


def full_options(coding):
    """Return a coding's options as DELVE writes them: those given, and the scale, `sqrt` if not given."""
    if coding.option("scale"):
        return coding.options
    return (*coding.options, ("scale", "sqrt"))


def check_coding(coding, attribute, line, transformation=None):
    """Raise ValueError(expected, found) unless a Coding suits an Attribute and its PriorLine.

    transformation: what the prototask does to the attribute; a coding may say the same, or nothing.
    """
    allowed = ALLOWED[line.type]
    if coding.coding not in allowed:
        raise ValueError(
            f"for {attribute.name}, which is {line.type}, one of {', '.join(allowed)}", repr(coding.coding)
        )
    options = dict(coding.options)
    stray = set(options) - set(_options(coding.coding)) - {"scale"}
    if stray:
        raise ValueError(f"options of {coding.coding} for {attribute.name}", repr(sorted(stray)[0]))
    if options.get("transform", transformation) != transformation:
        expected = f"transform={transformation}, as the prototask says," if transformation else "no transform"
        raise ValueError(f"{expected} for {attribute.name}", repr(options["transform"]))
    _check_values(coding.coding, options, attribute)


def _options(coding):
    """Return the options of a coding: those of its own, and what to do with unknown values."""
    if coding in ("ignore", "copy"):
        return OPTIONS[coding]
    bounds = ("censored",) if coding in ("nm-abs", "nm-sqr") else ()
    return (*OPTIONS[coding], "missing", *bounds)


def _check_unknown(coding, options):
    for name, allowed in (("missing", MISSING), ("censored", CENSORED)):
        if options.get(name, "error") not in allowed:
            raise ValueError(f"{name} to be one of {', '.join(allowed)}", repr(options[name]))
    if coding in UNORDERED and options.get("missing") == "median":
        raise ValueError(f"missing=indicator, mean or mode with {coding}", "'median'")


def _check_target(coding):
    """Raise ValueError(expected, found) where unknown true targets would be taken for known ones."""
    for name, allowed in (("missing", ("error",)), ("censored", ("error", "mark"))):
        if coding.option(name) not in (None, *allowed):
            expected = f"{name} to be {' or '.join(allowed)} for the target {coding.attribute}"
            raise ValueError(expected, repr(coding.option(name)))


def _check_values(coding, options, attribute):
    passive = options.get("passive")
    if coding == "0/1" and passive is None:
        raise ValueError(f"passive=VALUE with 0/1 for {attribute.name}", "none")
    if passive is not None and passive not in attribute.range.categories:
        values = " ".join(attribute.range.categories)
        raise ValueError(f"passive of {attribute.name} to be one of {values}", repr(passive))
    category_order(attribute, options.get("order"))
    _check_unknown(coding, options)
    if options.get("scale", "sqrt") not in SCALES:
        raise ValueError(f"scale to be one of {', '.join(SCALES)}", repr(options["scale"]))
    if "center" in options and not is_number(options["center"]):
        raise ValueError("center=NUMBER", repr(options["center"]))
    if coding == "rectan" and not (is_number(options.get("unit", "")) and float(options["unit"])):
        raise ValueError(f"unit=NUMBER with rectan for {attribute.name}", repr(options.get("unit", "none")))


def task_codings(dataset, prototask, prior, overrides=None):
    """Return {attribute number: Coding} for the inputs, then the targets, of a prototask.

    overrides: {attribute number: Coding} that replace defaults. Raises ValueError(expected, found).
    """
    codings = {}
    for number in (*prototask.inputs, *prototask.targets):
        attribute, line = dataset.attribute(number), prior.line(number)
        function = prototask.transformation(number)
        chosen = (overrides or {}).get(number) or default_coding(attribute, line)
        check_coding(chosen, attribute, line, function)
        if number in prototask.targets:
            _check_target(chosen)
        codings[number] = with_transformation(chosen, function)
    return codings


def column_names(attribute, coding):
    """Return the names of the numbers that a coding makes of one attribute."""
    if coding.option("missing") == "indicator":
        return [*_value_names(attribute, coding), f"{attribute.name}:missing"]
    return _value_names(attribute, coding)


def _value_names(attribute, coding):
    name, kind = attribute.name, coding.coding
    if kind == "ignore":
        return []
    if kind == "1-of-n":
        passive, values = coding.option("passive"), category_order(attribute, coding.option("order"))
        return [f"{name}:{value}" for value in values if value != passive]
    if kind == "therm":
        return [f"{name}:{value}" for value in category_order(attribute, coding.option("order"))[1:]]
    if kind == "rectan":
        factor = format_number(TWO_PI / float(coding.option("unit")))
        return [f"sin({factor}*{name})", f"cos({factor}*{name})"]
    return [name]
