"""Texts in LaTeX: names are escaped, and plain ASCII, so that pdflatex, xelatex and lualatex set them."""

import re
import unicodedata
from itertools import pairwise

__all__ = ["at_start", "latex_escape", "latex_label"]

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    # Braces keep quotation marks from joining with each other, or with ! and ?, into other signs.
    '"': "{}''{}",
    "'": "{}'{}",
    "`": "{}`{}",
}
SYMBOLS = {
    "−": r"\ensuremath{-}",
    "±": r"\ensuremath{\pm}",
    "×": r"\ensuremath{\times}",
    "≤": r"\ensuremath{\le}",
    "≥": r"\ensuremath{\ge}",
    "∞": r"\ensuremath{\infty}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "’": "'",
    "“": "``",
    "”": "''",
    "ß": r"\ss{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
}
ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
GREEK = {
    unicodedata.lookup(f"GREEK SMALL LETTER {name.upper()}"): rf"\ensuremath{{\{name}}}"
    for name in (
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "mu", "nu"),
        *("xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
    )
} | {
    unicodedata.lookup(f"GREEK CAPITAL LETTER {name.upper()}"): rf"\ensuremath{{\{name.capitalize()}}}"
    for name in ("gamma", "delta", "theta", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega")
}
# Unicode names the letter lambda otherwise.
GREEK |= {"λ": r"\ensuremath{\lambda}", "Λ": r"\ensuremath{\Lambda}"}


def latex_escape(text: str) -> str:
    """Return a text so that LaTeX sets exactly its characters.

    Control characters become blanks; a character that plain LaTeX cannot set becomes its code, `[U+4E2D]`.
    """
    line = "".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFC", text))
    # Braces keep hyphens of the text from joining into a dash; a dash of the text stays one.
    guarded = ("-{}" if pair == "--" else _character(pair[0]) for pair in map("".join, pairwise(f"{line} ")))
    return "".join(guarded)


def _character(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if character.isascii():
        return character
    if character in SYMBOLS or character in GREEK:
        return SYMBOLS.get(character) or GREEK[character]
    base, *accents = list(unicodedata.normalize("NFD", character))
    if len(accents) == 1 and accents[0] in ACCENTS and base.isascii():
        return rf"\{ACCENTS[accents[0]]}{{{base}}}"
    return f"[U+{ord(character):04X}]"


def at_start(shown: str) -> str:
    """Return an escaped text to start a row with: a bracket or star would be read as an option of the line
    break before it."""
    return "{}" + shown if shown.startswith(("[", "*")) else shown


def latex_label(text: str) -> str:
    """Return a text as the label of a table, of characters that every format takes."""
    return re.sub(r"[^A-Za-z0-9:.-]+", "-", text).strip("-") or "table"
