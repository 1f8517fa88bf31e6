"""What `dinfo` and `minfo` have in common: their options, and printing the information asked for."""

from argparse import Namespace
from collections.abc import Callable, Sequence

from delvecore.commands.frame.completers import quietly
from delvecore.commands.frame.context import Session, active_hierarchy, current_directory, run
from delvecore.commands.frame.manual import ClassicParser
from delvecore.readers.hierarchy import Hierarchy
from delvecore.report.information.information import Information, information_text

__all__ = ["add_inquiry", "inquire"]

Tell = Callable[[Hierarchy, Hierarchy, tuple[str, ...]], Information]
"""What is known of a place, given by its names; the second hierarchy goes on after faults."""


def add_inquiry(parser: ClassicParser, tell: Tell, *, part: str) -> ClassicParser:
    """Add the options to a parser, and return it."""

    def keys(_prefix: str, options: Namespace) -> Sequence[str]:
        directory = current_directory()
        hierarchy = active_hierarchy(directory)
        location = hierarchy.locate([".", *(options.paths or ())][-1], directory, part=part)
        return tell(hierarchy, hierarchy, location.names).keys(everything=True, wanted=None)

    parser.flag("a", "Print everything that is known; without it, only what is of most interest.")
    meaning = "Print only these fields, in this order. KEYS is one argument, with blanks between."
    parser.value("k", "KEYS", meaning, quietly(keys))
    parser.flag("q", "Print the keys of the information instead of the information.")
    parser.flag("t", "Print without headings, for other programs to read.")
    return parser


def inquire(parser: ClassicParser, tell: Tell, arguments: Sequence[str] | None, *, part: str) -> int:
    """Print the keys (-q) or values of the information that the arguments ask for; return the exit code."""

    def show(session: Session, options: Namespace) -> None:
        location = session.locate(*(options.paths or ["."]), part=part)
        information = tell(session.hierarchy, session.tolerant, location.names)
        keys = information.keys(everything=options.a, wanted=options.k)
        print(" ".join(keys) if options.q else information_text(information, keys, terse=options.t))

    return run(parser, show, arguments)
