"""Invertible functions that a prototask applies to real attributes.

squeeze(x) is sign(x) log(1 + |x|). Values are transformed before encoding, and transformed back after
predictions are decoded, so that losses are in the original units. Source: DELVE manual, sections 4.3
(promising transformations) and 7.5; the functions are a decision of this program."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.errors import Fault
from delvecore.model import Attribute, Coding
from delvecore.number_format.columns import format_numbers
from delvecore.number_format.numbers import is_number
from delvecore.readers.cases import Column

Functions = dict[str, Callable[[np.ndarray], np.ndarray]]
FUNCTIONS: Functions = {
    "log": np.log,
    "exp": np.exp,
    "squeeze": lambda values: np.sign(values) * np.log1p(np.abs(values)),
}
INVERSES: Functions = {
    "log": np.exp,
    "exp": np.log,
    "squeeze": lambda values: np.sign(values) * np.expm1(np.abs(values)),
}
LOG_DERIVATIVES: Functions = {
    "log": lambda values: -np.log(values),
    "exp": lambda values: values,
    "squeeze": lambda values: -np.log1p(np.abs(values)),
}
DOMAINS = {"log": "a positive number", "exp": "a number that is not too large", "squeeze": "a number"}


def value_fault(attribute: Attribute, case_number: int, expected: str, actual: str, remedy: str) -> Fault:
    """Return the fault of an attribute's value; `case_number` is 0 if only `Prototask.data` is known."""
    case = f"case {case_number}" if case_number else "a case of Prototask.data"
    return Fault(f"{attribute.name} in {case}", expected, actual, remedy)


def transformed_column(cases: PrototaskCases, number: int) -> Column:
    """Return an attribute's column after the prototask's transformation, if it has one.

    Missing values stay. Bounds of censored values are transformed, because all functions are increasing.
    Raises DelveError with the case of a value outside the domain, such as zero under log."""
    column, function = cases.columns[number], cases.prototask.transformation(number)
    if function is None:
        return column
    with np.errstate(all="ignore"):
        values = FUNCTIONS[function](column.numbers)
    strange = np.flatnonzero(~np.isfinite(values) & ~column.missing)
    if len(strange):
        place, expected = int(strange[0]), f"{DOMAINS[function]} to transform by {function}"
        attribute, case = cases.dataset.attribute(number), int(cases.case_numbers[place])
        remedy = "correct the case, or choose another transformation"
        raise value_fault(attribute, case, expected, repr(column.words[place]), remedy)
    words: Sequence[str] = format_numbers(values)
    unknown = np.flatnonzero(column.missing | (column.censored != 0)).tolist()
    if unknown:
        mended = list(words)
        for place in unknown:
            if column.missing[place]:
                mended[place] = column.words[place]
            else:
                mended[place] = f"{mended[place]}:" if column.censored[place] > 0 else f":{mended[place]}"
        words = mended
    return replace(column, words=words, numbers=values)


def inverse(coding: Coding, values: np.ndarray) -> np.ndarray:
    """Return the original values of the attribute for transformed values. The option `transform` names the
    function.

    Raises DelveError for a value outside the function's range, or whose inverse is too large."""
    function = coding.option("transform")
    if function is None:
        return values
    with np.errstate(all="ignore"):
        values_before = INVERSES[function](values)
    strange = np.flatnonzero(~np.isfinite(values_before))
    if len(strange):
        word = format_numbers(values[strange[:1]])[0]
        raise Fault(
            coding.attribute,
            f"the {function} of a number, which can be transformed back",
            word,
            "correct the prediction",
        )
    return values_before


def log_derivatives(codings: Sequence[Coding], targets: Sequence[Sequence[str]]) -> np.ndarray:
    """Return, for each case, the log density of the targets minus that of the transformed targets.

    It is the sum of log |f'(x)| over the targets with a transformation f. targets: true values as text, a
    sequence per target. Censored and missing targets add nothing, since they have no density. Raises
    DelveError for a value outside the domain."""
    total = np.zeros(len(targets[0]))
    for coding, words in zip(codings, targets, strict=True):
        function = coding.option("transform")
        if function is None:
            continue
        known = np.array([is_number(word) for word in words], dtype=bool)
        values = np.array([float(word) for word in words if is_number(word)])
        with np.errstate(all="ignore"):
            total[known] += LOG_DERIVATIVES[function](values)
    if not np.isfinite(total).all():
        case = int(np.flatnonzero(~np.isfinite(total))[0])
        raise Fault("", "targets that can be transformed", f"none in test case {case}")
    return total
