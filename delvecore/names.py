"""What may be a name, and how a text from elsewhere stands on one line.

Names come from directories, files and visitors. Nothing in one may end a line, control a terminal or turn the
direction of a line, wherever it is written."""

from collections.abc import Iterable

__all__ = ["LONGEST_NAME", "NAME", "is_name", "lines_shown", "nearest", "one_line", "shown"]

LONGEST_NAME = 255
NAME = f"a name of at most {LONGEST_NAME} printable characters, on one line"
"""What is expected where a name is not one."""
LEAST_LIKENESS = 0.6
"""The share of common characters from which on two names are alike."""


def is_name(text: str) -> bool:
    """Is this one line of printable text, of which a blank is the only white space?"""
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()


def one_line(text: str) -> str:
    """Return a text on one line, with a blank for each character that is not printed."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def shown(text: str) -> str:
    """Return a text on one line, with characters that are not printed as by repr: `\\n`, `\\u202e`."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def lines_shown(text: str) -> str:
    """Return a text for a terminal: its lines and tabs, all else that is not printed as by `shown`."""
    kept = text.replace("\n", "").replace("\t", "")
    if kept.isprintable():
        return text
    return "\n".join("\t".join(map(shown, line.split("\t"))) for line in text.split("\n"))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Which of the known names is most like this one? None where none is like it.

    Case, and what is neither letter nor digit, count only where names are alike without."""
    import difflib

    def likeness(other: str) -> tuple[float, float]:
        bare = difflib.SequenceMatcher(None, _bare(other), _bare(name))
        return bare.ratio(), difflib.SequenceMatcher(None, other, name).ratio()

    best = max(known, key=likeness, default=None)
    return best if best is not None and likeness(best)[0] >= LEAST_LIKENESS else None


def _bare(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())
