"""Running text broken into lines. (The standard `textwrap` costs a light command a third of its time.)"""

__all__ = ["fold"]


def fold(text, indent, *, width=79):
    """Return text as lines of at most width characters, each behind indent; longer words stay whole."""
    lines, line = [], indent
    for word in text.split():
        if len(line) + len(word) + 1 > width and line != indent:
            lines.append(line)
            line = indent
        line += word if line == indent else " " + word
    return [*lines, line]
