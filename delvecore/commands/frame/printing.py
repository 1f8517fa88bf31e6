"""Printing what a terminal may have no letters for, and numbers of things."""

import sys

__all__ = ["counted", "print_text"]


def counted(number: int, noun: str) -> str:
    """Return such as `1 file` and `1,200 files`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def print_text(text: str) -> None:
    """Print lines, with `+-` where the terminal's encoding has no plus-minus sign, `?` for other letters that
    it lacks."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("±", "+-").encode(encoding, "replace").decode(encoding)
    print(text.rstrip("\n"))
