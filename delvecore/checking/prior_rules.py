"""Rules for `.prior` files against dataset and prototask. Source: DELVE manual, sections 4.3 and 4.4.

`readers.prior` reports what cannot be read or does not fit; here is what can be read but must not be.
"""

from collections.abc import Iterator

from delvecore.errors import ParseError, Report
from delvecore.model import Dataset, Prior, PriorLine, Prototask
from delvecore.readers.files import read_text
from delvecore.readers.lines import token_lines
from delvecore.readers.prior import category_order, parse_prior

__all__ = ["check_prior"]


def check_prior(
    path: str, name: str, dataset: Dataset, prototask: Prototask, *, report: Report
) -> Prior | None:
    """Read and check a prior file; return the Prior, or None after reporting a fault."""
    faults: list[ParseError] = []
    try:
        text = read_text(path)
    except ParseError as error:
        report(error)
        return None
    prior = parse_prior(text, name, dataset, prototask, path, report=faults.append)
    lines = _attribute_lines(text, dataset)
    for line in prior.lines:
        for expected, found in _line_faults(line, dataset):
            where = lines.get(line.attribute)
            faults.append(ParseError(path, where, expected, found, "correct the line", kind="specification"))
    for fault in faults:
        report(fault)
    return None if faults else prior


def _attribute_lines(text: str, dataset: Dataset) -> dict[int, int]:
    """Return {attribute number: number of its first line}."""
    found: dict[int, int] = {}
    for number, tokens in token_lines(text):
        try:
            found.setdefault(dataset.attribute(tokens[0]).number, number)
        except KeyError:
            continue  # no attribute: reported by the parser
    return found


def _line_faults(line: PriorLine, dataset: Dataset) -> Iterator[tuple[str, str]]:
    """Yield (expected, found) for a line that can be read."""
    repeated = {level for level in line.levels if line.levels.count(level) > 1}
    if repeated:
        yield "each level once", f"{line.levels!r}"
    passive = line.option("passive")
    if line.type == "ordinal" and passive is not None:
        order = category_order(dataset.attribute(line.attribute), line.option("order"))
        if order and passive != order[0]:
            yield f"passive only for the first value of an ordinal attribute, {order[0]}", repr(passive)
