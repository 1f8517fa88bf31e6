"""Text of spans: plain words, names from files, strong parts. Each renderer escapes them in its own way.

`as_name` and `strong` mark parts of a sentence, so that f-strings can join them. `plain`, `markdown` and
`html` write the marks. No name can contain a mark."""

import re
from collections.abc import Callable, Iterator
from html import escape as html_escape

from delvecore.names import one_line

_NAME, _STRONG, _END = "\ue000", "\ue001", "\ue002"
"""Characters of private use, which begin and end a span."""
_MARKS = re.compile(f"([{_NAME}{_STRONG}{_END}])")
MOST_CHARACTERS = 400
"""Maximum length of a name; longer names are cut."""
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Streamlit turns these into pictures, typographic signs or links even if their characters are escaped.
_PICTURES = re.compile(
    r":(?=[\w+\-/]*:|//)|<(?=-)|-(?=[>-])|[<>~](?==)|www(?=\.)|@(?=[-\w]+\.)", re.IGNORECASE
)


def as_name(text: object) -> str:
    """Mark a text that comes from a file: one short line without control characters."""
    return f"{_NAME}{short_line(_MARKS.sub('', str(text)))}{_END}"


def strong(text: str) -> str:
    """Mark an emphasized part."""
    return f"{_STRONG}{text}{_END}"


def strong_paths(text: str) -> str:
    """Mark names that are paths, with a period after them, as strong: a page keeps each on one line.

    Examples
    --------
    >>> markdown(strong_paths(f"{as_name('lin-1')} on {as_name('/demo/age')}; so it is"))
    'lin\\\\-1 on **\\\\/demo\\\\/age;** so it is'
    """
    return re.sub(f"{_NAME}/[^{_END}]+{_END}[.,;]?", lambda match: strong(match[0]), text)


def spans(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield (words, is it a name?, is it strong?) of each span of a text.

    Examples
    --------
    >>> [*spans(f"{as_name('lin-1')} is {strong('better')}.")][:3]
    [('lin-1', True, False), (' is ', False, False), ('better', False, True)]
    """
    marks: list[str] = []
    for part in _MARKS.split(text):
        if part == _END:
            marks.pop()
        elif part in (_NAME, _STRONG):
            marks.append(part)
        elif part:
            yield part, _NAME in marks, _STRONG in marks


def plain(text: str) -> str:
    """Write a text without marks, for terminals and files.

    Examples
    --------
    >>> plain(f"{as_name('a*b')} is {strong('better')}.")
    'a*b is better.'
    """
    return _MARKS.sub("", text)


def markdown(text: str) -> str:
    """Write a text for a page in Streamlit's Markdown, with typographic apostrophes.

    Examples
    --------
    >>> markdown(f"{strong(as_name('a*b') + ' is best')} of all")
    '**a\\\\*b is best** of all'
    """
    return _written(text, escape, "**{}**".format, words=_typographic)


def html(text: str) -> str:
    """Write a text in HTML.

    Examples
    --------
    >>> html(f"{strong(as_name('a<b'))} is best")
    '<strong>a&lt;b</strong> is best'
    """
    return _written(text, html_escape, "<strong>{}</strong>".format, words=html_escape)


def _typographic(text: str) -> str:
    """Set typographic apostrophes, except in names that are already escaped."""
    return re.sub(r"(?<!\\)'", "’", text)


def _written(
    text: str,
    named: Callable[[str], str],
    stressed: Callable[[str], str],
    *,
    words: Callable[[str], str] = str,
) -> str:
    """Write spans; adjacent strong spans share one mark."""
    parts: list[str] = []
    strong_parts: list[str] = []
    for part, is_name, is_strong in (*spans(text), ("", False, False)):
        shown = (named if is_name else words)(part)
        if is_strong:
            strong_parts.append(shown)
            continue
        if strong_parts:
            parts.append(stressed("".join(strong_parts)))
            strong_parts = []
        parts.append(shown)
    return "".join(parts)


def short_line(text: object, *, longest: int = MOST_CHARACTERS) -> str:
    """Return a text from a file as one short line without control characters."""
    line = " ".join(one_line(str(text)).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def escape(text: object) -> str:
    """Escape a text from a file so that Streamlit's Markdown shows exactly its characters.

    Nothing in it can become a picture, a link, a formula, an emoji or a heading."""
    line = _PICTURES.sub(lambda match: match.group() + "\u200c", short_line(text))
    return _PUNCTUATION.sub(r"\\\1", line)
