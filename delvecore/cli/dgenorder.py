"""`dgenorder`: make a random order for a prototask. Source: DELVE manual, section 4.4, appendix C."""

import os
import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support.context import Session, run
from delvecore.cli.support.manual import ORDER, SOURCES, ClassicParser, made
from delvecore.cli.support.places import data_place
from delvecore.errors import DelveError
from delvecore.model import RANDOM_ORDER
from delvecore.readers.dataset import find_data_of, has_data
from delvecore.readers.specifications import read_dataset, read_prototask
from delvecore.writers.files import finish_writing, write_atomically

SEED_BITS = 32


def command() -> ClassicParser:
    parser = ClassicParser(
        "dgenorder",
        "generate a random order for a prototask",
        "[-s SEED] [PATH]",
        description="Make the file Random-order of a prototask: the numbers of its cases, from 1, in random "
        "order, one line per case. Cases with the same commonality index stay together, in random order, and "
        "the groups are in random order. PATH is the true path of the prototask's directory; the "
        "default is the current directory. A random seed is printed on standard error. The order is "
        "used if Prototask.spec has 'Order: Random-order'.",
        files=(*SOURCES, made(ORDER)),
        examples=(
            ("dgenorder", "Make an order for the prototask in the current directory."),
            ("dgenorder -s 1996 ~/delve/data/demo/age", "Make the same order each time."),
        ),
    )
    meaning = "Use this whole number as the seed, instead of a random one, to get the same order again."
    parser.add_argument("-s", metavar="SEED", help=meaning)
    return parser


def _generate(session: Session, options: Namespace) -> None:
    from delvecore.encoding.prototask_cases import order_lines, prototask_cases, random_order

    seed = _seed(options.s)
    place = data_place(session, *(options.paths or ["."]))
    if len(place.names) != 2:
        raise DelveError(f"{place.shown}: expected the directory of a prototask, found another directory")
    finish_writing(place.directory)
    dataset = read_dataset(session.hierarchy, place.names[0])
    prototask = read_prototask(session.hierarchy, dataset, place.names[1])
    if not has_data(find_data_of(session.hierarchy, dataset.name)):
        raise DelveError(f"/{dataset.name}: expected Dataset.data with cases to order, found none")
    if prototask.is_sequential:
        raise DelveError(
            f"{prototask.path}: expected a prototask that is not sequential, found 'Order: sequential', "
            "which keeps the order of the dataset; change that line to use a random order"
        )
    cases = prototask_cases(session.hierarchy, dataset, prototask._replace(order="retain"))
    order = random_order(cases.count, seed, groups=cases.groups)
    write_atomically(os.path.join(place.directory, RANDOM_ORDER), order_lines(order))
    if options.s is None:
        print(f"dgenorder: seed {seed}; dgenorder -s {seed} makes the same order again", file=sys.stderr)
    if prototask.order != RANDOM_ORDER:
        notice = f"its order is {prototask.order!r}; write 'Order: {RANDOM_ORDER}' to use the new one"
        session.warn(f"{prototask.path}: {notice}")


def _seed(text: str | None) -> int:
    """Return the seed of the option, or a random seed from the operating system."""
    if text is None:
        return int.from_bytes(os.urandom(SEED_BITS // 8), "big")
    if not text.isascii() or not text.isdigit() or len(text) > 20 or int(text) >= 2**64:
        raise DelveError(f"-s: expected a whole number from 0 to {2**64 - 1}, found {text!r}")
    return int(text)


main = partial(run, command, _generate)

if __name__ == "__main__":
    sys.exit(main())
