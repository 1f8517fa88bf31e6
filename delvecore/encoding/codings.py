"""Choice and checks of the codings of attributes; densities of coded targets.

Source: DELVE manual, sections 7.3 and 7.5; the options and column names of DELVE 1.1."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from delvecore.encoding.codes import CODES, CategoryCode, Code
from delvecore.encoding.normalization import Constants
from delvecore.encoding.transformations import log_derivatives
from delvecore.errors import Fault
from delvecore.model import TYPES, Attribute, Coding, Dataset, Prior, PriorLine, Prototask

ALLOWED = {kind: tuple(name for name, code in CODES.items() if kind in code.types) for kind in TYPES}
"""{type of an attribute: names of the codings that suit it}."""
DEFAULTS = {
    "binary": "-1/+1",
    "nominal": "1-of-n",
    "ordinal": "therm",
    "angular": "rectan",
    "integer": "nm-abs",
    "real": "nm-abs",
}
OF_TARGETS = {"missing": ("error",), "censored": ("error", "mark")}
"""Options of targets that keep unknown true targets distinct from known ones."""


def code_of(attribute: Attribute, coding: Coding) -> Code:
    """Return the encoder and decoder of an attribute in this coding; KeyError for an unknown coding."""
    return CODES[coding.coding](attribute, coding)


def column_names(attribute: Attribute, coding: Coding) -> list[str]:
    """Return the names of the encoded columns of one attribute."""
    return code_of(attribute, coding).column_names()


def category_codes(attribute: Attribute, coding: Coding) -> dict[str, tuple[str, ...]]:
    """Return {value: its code as texts} of a categorical coding, values in their order."""
    code = code_of(attribute, coding)
    if not isinstance(code, CategoryCode):
        raise TypeError(f"{coding.coding} has no table of codes")
    return code.codes


def center_and_scale(coding: Coding, constants: Constants | None) -> tuple[float, float] | None:
    """Return the value that a linear coding maps to zero before its shift, and the change per unit of code.

    None for other codings, and if the coding needs constants and there are none."""
    return CODES[coding.coding].center_and_scale(constants)


def is_linear(coding: Coding) -> bool:
    """Are the numbers of a coding a linear function of the values?"""
    return center_and_scale(coding, Constants(0.0, 1.0, 0.0, 1.0)) is not None


def default_coding(attribute: Attribute, line: PriorLine, transformation: str | None = None) -> Coding:
    """Return the default Coding of an Attribute by its PriorLine. Source: manual, section 7.3.

    The line may name a coding (`coding=copy`), which DELVE 1.1 does not support. transformation: the function
    that the prototask applies to the attribute, or None. It becomes an option."""
    passive, unit, order = (line.option(name) for name in ("passive", "unit", "order"))
    usual = "0/1" if line.type == "binary" and passive else DEFAULTS[line.type]
    coding = line.option("coding") or usual
    known = CODES[coding].options if coding in CODES else ()
    options: tuple[tuple[str, str], ...] = ()
    if passive and "passive" in known:
        options = (("passive", passive),)
    elif unit and "unit" in known:
        options = (("unit", unit),)
    elif order and "order" in known:
        options = (("order", order),)
    return _with_transformation(Coding(attribute.name, coding, options), transformation)


def _with_transformation(coding: Coding, transformation: str | None) -> Coding:
    """Return a Coding with the prototask's function of the attribute as an option, if there is a function."""
    if transformation is None or coding.coding == "ignore":
        return coding
    others = tuple(option for option in coding.options if option[0] != "transform")
    return coding._replace(options=(("transform", transformation), *others))


def full_options(coding: Coding) -> tuple[tuple[str, str], ...]:
    """Return a coding's options as DELVE writes them, with the scale, by default `sqrt`."""
    if coding.option("scale"):
        return coding.options
    return (*coding.options, ("scale", "sqrt"))


def check_coding(
    coding: Coding,
    attribute: Attribute,
    line: PriorLine,
    transformation: str | None = None,
    *,
    strict: bool = False,
) -> None:
    """Raise ValueError(expected, found) unless a Coding suits an Attribute and its PriorLine.

    transformation: the prototask's function of the attribute, which must be that of the coding, if the coding
    names one. strict: also refuse codings of the manual that DELVE 1.1 refuses for this type."""
    allowed = ALLOWED[line.type]
    if strict:
        allowed = tuple(name for name in allowed if line.type not in CODES[name].refused_by_1_1)
    if coding.coding not in allowed:
        actual = repr(coding.coding)
        if coding.coding in ALLOWED[line.type]:
            actual += f", which DELVE 1.1 refuses for {line.type} attributes; leave out --strict to use it"
        raise ValueError(f"for {attribute.name}, which is {line.type}, one of {', '.join(allowed)}", actual)
    code, options = code_of(attribute, coding), dict(coding.options)
    if stray := set(options) - {*code.options, "scale"}:
        raise ValueError(f"options of {coding.coding} for {attribute.name}", repr(min(stray)))
    if options.get("transform", transformation) != transformation:
        expected = f"transform={transformation}, as in the prototask," if transformation else "no transform"
        raise ValueError(f"{expected} for {attribute.name}", repr(options["transform"]))
    code.check()


def task_codings(
    dataset: Dataset,
    prototask: Prototask,
    prior: Prior,
    overrides: Mapping[int, Coding] | None = None,
    *,
    strict: bool = False,
) -> dict[int, Coding]:
    """Return {attribute number: Coding} for the inputs, then the targets, of a prototask.

    overrides: replacements of default codings, by attribute number; strict: see `check_coding`. Raises
    ValueError(expected, found)."""
    codings = {}
    for number in prototask.used:
        attribute, line = dataset.attribute(number), prior.line(number)
        function = prototask.transformation(number)
        chosen = (overrides or {}).get(number) or default_coding(attribute, line)
        check_coding(chosen, attribute, line, function, strict=strict)
        if number in prototask.targets:
            for name, allowed in OF_TARGETS.items():
                if chosen.option(name) not in (None, *allowed):
                    expected = f"{name} to be {' or '.join(allowed)} for the target {chosen.attribute}"
                    raise ValueError(expected, repr(chosen.option(name)))
        codings[number] = _with_transformation(chosen, function)
    return codings


def density_scale(codings: list[Coding], constants: list[Constants | None]) -> float:
    """Return the ratio of the targets' units to those of the coded targets: the product of all scales.

    The scale of a copied target is 1. Raises DelveError for codings that are not linear."""
    scale = 1.0
    for coding, one in zip(codings, constants, strict=True):
        linear = center_and_scale(coding, one)
        if linear is None:
            raise Fault(
                "",
                f"{coding.attribute} coded as nm-abs or nm-sqr to decode a density",
                coding.coding,
                "write the density of the target itself (ptarg or lptarg)",
            )
        scale *= linear[1]
    return scale


def decode_densities(
    values: np.ndarray,
    scale: float,
    codings: Sequence[Coding] = (),
    targets: Sequence[Sequence[str]] = (),
    *,
    logarithms: bool = False,
) -> np.ndarray:
    """Return densities of the targets, or their logarithms, from those of the coded targets.

    codings, targets: those of the true values, as text, to undo transformations of the prototask. Without
    them there are no transformations."""
    densities = values - math.log(scale) if logarithms else values / scale
    if codings:
        changes = log_derivatives(codings, targets)
        densities = densities + changes if logarithms else densities * np.exp(changes)
    return densities
