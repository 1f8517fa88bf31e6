"""What `dinfo` and `minfo` have in common: their options, and printing the information asked for."""

from delvecore.commands.frame.options import Option
from delvecore.report.information.information import information_text

__all__ = ["OPTIONS", "show_information"]

OPTIONS = (
    Option("a", "", "Print everything that is known; without it, only what is of most interest."),
    Option("k", "KEYS", "Print only these fields, in this order. KEYS is one argument, with blanks between."),
    Option("q", "", "Print the keys of the information instead of the information."),
    Option("t", "", "Print without headings, for other programs to read."),
)


def show_information(information, options):
    """Print the keys (-q) or values of an Information that the options ask for."""
    keys = information.keys(everything="a" in options, wanted=options.get("k"))
    if "q" in options:
        print(" ".join(keys))
    else:
        print(information_text(information, keys, terse="t" in options))
