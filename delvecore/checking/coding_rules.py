"""Rules for `Coding-used`: a coding that suits it for every attribute of the task, and for no other.

Source: DELVE manual, section 7.3 and appendix C (`mgendata`).
"""

from delvecore.encoding.codings import check_coding
from delvecore.errors import ParseError, Report
from delvecore.model import Coding, Dataset, Prior, Prototask
from delvecore.readers.coding import parse_codings
from delvecore.readers.lines import token_lines

__all__ = ["allowed_codings", "check_codings"]


def coding_lines(text: str, dataset: Dataset) -> dict[int, int]:
    """Return {attribute number: number of the line that tells its coding}."""
    found: dict[int, int] = {}
    for number, tokens in token_lines(text):
        try:
            found.setdefault(dataset.attribute(tokens[0]).number, number)
        except KeyError:
            continue  # no attribute: reported by the parser
    return found


def allowed_codings(
    text: str, source: str, dataset: Dataset, prototask: Prototask, prior: Prior, *, report: Report
) -> dict[int, Coding]:
    """Return {attribute number: Coding} of those inputs and targets to which a `Coding-used` file gives a
    coding that suits them; report the others.

    text, source: of the file.
    """
    codings, lines = parse_codings(text, dataset, source, report=report), coding_lines(text, dataset)
    good = {}
    for number in (*prototask.inputs, *prototask.targets):
        if number not in codings:
            continue
        attribute, function = dataset.attribute(number), prototask.transformation(number)
        try:
            check_coding(codings[number], attribute, prior.line(number), function)
        except ValueError as error:
            report(ParseError(source, lines.get(number), *error.args, kind="results"))
            continue
        good[number] = codings[number]
    return good


def check_codings(
    text: str, source: str, dataset: Dataset, prototask: Prototask, prior: Prior, *, report: Report
) -> dict[int, Coding]:
    """Check a `Coding-used` file as a whole: each input and target has its line, and no other attribute.

    Returns what `allowed_codings` does.
    """
    lines, used = coding_lines(text, dataset), (*prototask.inputs, *prototask.targets)
    for number in used:
        if number not in lines:
            expected = f"the coding of {dataset.attribute(number).name}"
            report(ParseError(source, None, expected, "none", "run mgendata again", kind="results"))
    for number in sorted(set(lines) - set(used)):
        name = dataset.attribute(number).name
        expected = "codings of the inputs and targets of the prototask only"
        report(ParseError(source, lines[number], expected, name, "run mgendata again", kind="results"))
    return allowed_codings(text, source, dataset, prototask, prior, report=report)
