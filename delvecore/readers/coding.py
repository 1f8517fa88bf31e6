"""`Coding-used` and encoding files: how attributes are encoded. Source: manual, section 7.3, appendix C."""

from collections.abc import Sequence

from delvecore.errors import ParseError, Report, raise_error
from delvecore.model import Attribute, Coding, Dataset
from delvecore.readers.lines import token_lines
from delvecore.readers.prior import parse_options

__all__ = ["parse_codings"]


def parse_codings(
    text: str, dataset: Dataset, source: str, *, report: Report = raise_error
) -> dict[int, Coding]:
    """Return {attribute number: Coding} for the lines `ATTRIBUTE CODING option=value ...` of a file.

    Whether a coding suits its attribute is checked by `delvecore.encoding.codings`, which knows the types.
    """
    codings: dict[int, Coding] = {}
    for number, tokens in token_lines(text):
        try:
            attribute, coding = _parse_line(tokens, dataset)
            if attribute.number in codings:
                raise ValueError("each attribute once", f"{tokens[0]!r} again")
        except ValueError as error:
            report(ParseError(source, number, *error.args, kind="specification"))
            continue
        codings[attribute.number] = coding
    return codings


def _parse_line(tokens: Sequence[str], dataset: Dataset) -> tuple[Attribute, Coding]:
    if len(tokens) < 2:
        raise ValueError("an attribute and a coding", repr(" ".join(tokens)))
    try:
        attribute = dataset.attribute(tokens[0])
    except KeyError:
        raise ValueError("the number or name of an attribute", repr(tokens[0])) from None
    return attribute, Coding(attribute.name, tokens[1], parse_options(tokens[2:]))
