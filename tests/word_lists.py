"""Long lists of words, many on a line."""

import re

__all__ = ["listed"]


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a text; two blanks or more, or a line end before some, stand between them, and one blank within them."""
    return tuple(re.split(r"\s{2,}", text.strip()))
