"""How much room a text takes in a figure, so that labels can be placed where they do not overlap."""

_GROUPS = {
    "'ijl": 0.24,
    " !,.:;I": 0.3,
    "/\\|": 0.36,
    '()[]frt{}"': 0.42,
    "-^": 0.48,
    "*`": 0.52,
    "1?J_cksvxyz": 0.56,
    "7Laehnou": 0.6,
    "#$0235689FZbdgpq": 0.64,
    "&+4<=>ABEKPSTVXY~": 0.68,
    "CDHNRU": 0.76,
    "GOQ": 0.8,
    "mw": 0.88,
    "%MW": 0.96,
    "@": 1.04,
}
_WIDTHS = {letter: width for letters, width in _GROUPS.items() for letter in letters}
_OTHER = 1.02
BOLD = 1.07


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How many pixels wide is a text, at most? size: of the font, in pixels.

    Advance widths of Inter on a screen or Liberation Sans in a PDF, whichever is wider, rounded up in groups;
    beyond ASCII a letter is taken to be as wide as high."""
    return size * sum(_WIDTHS.get(letter, _OTHER) for letter in text) * (BOLD if bold else 1)


def shortened(text: str, size: float, most: float) -> str:
    """Return as much of a text as fits into so many pixels, with an ellipsis in the middle if not all does.

    Names of variants differ at their ends as often as at their beginnings."""
    if text_width(text, size) <= most:
        return text
    for kept in range(len(text) - 1, 0, -1):
        head, tail = text[: kept - kept // 2], text[len(text) - kept // 2 :]
        if text_width(f"{head}…{tail}", size) <= most:
            return f"{head}…{tail}"
    return "…"


def wrapped(text: str, size: float, most: float) -> list[str]:
    """Return the lines of a text that is broken between words to fit into so many pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > most:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
