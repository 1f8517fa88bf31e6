"""Rules for `Coding-used`: a coding that suits it for every attribute of the task, and for no other.

Source: DELVE manual, section 7.3 and appendix C (`mgendata`).
"""

from collections.abc import Mapping

from delvecore.encoding.codings import check_coding
from delvecore.errors import ParseError
from delvecore.model import Coding, Dataset, Prior, Prototask
from delvecore.readers.coding import parse_codings
from delvecore.readers.lines import token_lines

__all__ = ["check_codings", "coding_lines"]


def coding_lines(text: str, dataset: Dataset) -> dict[int, int]:
    """Return {attribute number: number of the line that tells its coding}."""
    found: dict[int, int] = {}
    for number, tokens in token_lines(text):
        try:
            found.setdefault(dataset.attribute(tokens[0]).number, number)
        except KeyError:
            continue  # no attribute: reported by the parser
    return found


def check_codings(
    text: str, source: str, dataset: Dataset, prototask: Prototask, prior: Prior, *, report
) -> Mapping[int, Coding]:
    """Check a `Coding-used` file; return {attribute number: Coding} of those that are allowed.

    text, source: of the file.
    """
    codings, lines = parse_codings(text, dataset, source, report=report), coding_lines(text, dataset)
    used, good = (*prototask.inputs, *prototask.targets), {}
    for number in used:
        attribute = dataset.attribute(number)
        if number not in codings:
            if number not in lines:
                expected = f"the coding of {attribute.name}"
                report(ParseError(source, None, expected, "none", "run mgendata again", kind="results"))
            continue
        try:
            check_coding(codings[number], attribute, prior.line(number), prototask.transformation(number))
        except ValueError as error:
            report(ParseError(source, lines.get(number), *error.args, kind="results"))
            continue
        good[number] = codings[number]
    for number in sorted(set(codings) - set(used)):
        name = dataset.attribute(number).name
        expected = "codings of the inputs and targets of the prototask only"
        report(ParseError(source, lines.get(number), expected, name, "run mgendata again", kind="results"))
    return good
