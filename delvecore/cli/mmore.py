"""`mmore`: page through files of method directories. Source: DELVE manual, appendix C."""

import sys
from functools import partial

from delvecore.cli.dmore import show_files
from delvecore.cli.support.context import run
from delvecore.cli.support.manual import ClassicParser


def command() -> ClassicParser:
    return ClassicParser(
        "mmore",
        "page through files of method directories",
        "MPATH ...",
        description="Show text files of method directories, including compressed ones. On a "
        "terminal, the files are shown by the program in PAGER, or by more if PAGER is not set.",
        paths="+",
        files=(("/METHOD/Source/*", "describe the method in full."),),
        examples=(("mmore /lin-1/Summary", "Show what a method is."),),
    )


main = partial(run, command, partial(show_files, part="methods"))

if __name__ == "__main__":
    sys.exit(main())
