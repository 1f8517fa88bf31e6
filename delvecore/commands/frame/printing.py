"""Printing what a terminal may have no letters for."""

import sys

__all__ = ["print_text"]


def print_text(text: str) -> None:
    """Print lines, with `+-` where the terminal's encoding has no plus-minus sign, `?` for other letters that
    it lacks."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("±", "+-").encode(encoding, "replace").decode(encoding)
    print(text.rstrip("\n"))
