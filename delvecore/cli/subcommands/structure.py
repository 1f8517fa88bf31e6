"""`delve structure`: the attributes of datasets by kind, as in tables 1 and 2 of PROBEN1."""

import os
from collections.abc import Sequence

from delvecore.cli.support.context import active_hierarchy, print_text
from delvecore.cli.support.manual import DATA, ManualParser, add_follow_links
from delvecore.cli.support.places import places_of
from delvecore.errors import DelveError
from delvecore.render.formats import ANSWER_FORMATS


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    from delvecore.answers.dataset_structure import structure_answer
    from delvecore.render.answers import answer_text

    hierarchy = active_hierarchy(os.getcwd(), follow_links=options.follow_links)
    places = [names for names in places_of(hierarchy, options.paths, os.getcwd()) if names]
    if longer := [names for names in places if len(names) > 1]:
        raise DelveError(f"/{'/'.join(longer[0])}: expected the path of a dataset, found a longer one")
    answer = structure_answer(hierarchy, [name for (name,) in places])
    print_text(answer_text(answer, options.format, label="tab:structure"))
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve structure",
        "print the attributes of datasets by kind",
        description="Print how many inputs of each prototask are binary, continuous or nominal, "
        "and how many are controlled. Also print the numbers of classes, of examples, and of inputs in "
        "the default codings, and the class entropy. These are tables 1 and 2 of the PROBEN1 "
        "report. For problems of PROBEN1, the published numbers appear below.",
        files=DATA,
        examples=(
            ("delve structure /demo", "Print the prototasks of a dataset."),
            ("delve structure --format csv", "Print the prototasks of all datasets for a spreadsheet."),
        ),
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="/DATASET", help="datasets (default: all)")
    add("--format", choices=tuple(ANSWER_FORMATS), default="text", help="output format (default: text)")
    add_follow_links(parser)
    return parser
