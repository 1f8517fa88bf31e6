"""Texts in LaTeX: escaped, in plain ASCII, so that pdflatex, xelatex and lualatex set them."""

import re
import unicodedata
from itertools import pairwise

from delvecore.names import one_line

__all__ = ["at_start", "latex_escape", "latex_label"]

# Braces keep quotation marks from joining with each other, or with ! and ?, into other signs.
SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {character: f"\\{character}" for character in "{}$&#%_"}
SPECIAL |= {character: rf"\ensuremath{{{character}}}" for character in "<>|"}
SPECIAL |= {'"': "{}''{}", "'": "{}'{}", "`": "{}`{}"}
MATHEMATICS = dict(zip("−±×≤≥∞", ("-", r"\pm", r"\times", r"\le", r"\ge", r"\infty"), strict=True))
LETTERS = dict(zip("ßøØæÆłŁ", ("ss", "o", "O", "ae", "AE", "l", "L"), strict=True))
PUNCTUATION = {"–": "--", "—": "---", "…": r"\ldots{}", "§": r"\S{}", "†": r"\dag{}"}
PUNCTUATION |= {"’": "'", "“": "``", "”": "''"}
COMBINING = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"
ACCENTS = dict(zip(COMBINING, "`'^~=u.\"rHvc", strict=True))
# Unicode names the letter lambda otherwise.
GREEK = {"λ": "lambda", "Λ": "Lambda"} | {
    unicodedata.lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.upper()}"): name
    for name in (
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "mu", "nu"),
        *("xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta"),
        *("Theta", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"),
    )
}
SYMBOLS = PUNCTUATION | {letter: rf"\{name}{{}}" for letter, name in LETTERS.items()}
SYMBOLS |= {sign: rf"\ensuremath{{{name}}}" for sign, name in MATHEMATICS.items()}
SYMBOLS |= {letter: rf"\ensuremath{{\{name}}}" for letter, name in GREEK.items()}


def latex_escape(text: str) -> str:
    """Return a text so that LaTeX sets exactly its characters. Control characters become blanks; a character
    that plain LaTeX cannot set becomes its code, `[U+4E2D]`."""
    line = one_line(unicodedata.normalize("NFC", text))
    # Braces keep hyphens of the text from joining into a dash; a dash of the text stays one.
    guarded = ("-{}" if pair == "--" else _character(pair[0]) for pair in map("".join, pairwise(f"{line} ")))
    return "".join(guarded)


def _character(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if character.isascii():
        return character
    if character in SYMBOLS:
        return SYMBOLS[character]
    base, *accents = list(unicodedata.normalize("NFD", character))
    if len(accents) == 1 and accents[0] in ACCENTS and base.isascii():
        return rf"\{ACCENTS[accents[0]]}{{{base}}}"
    return f"[U+{ord(character):04X}]"


def at_start(shown: str) -> str:
    """Return an escaped text to start a row with: a bracket or star would be read as an option of the line
    break before it."""
    return "{}" + shown if shown.lstrip().startswith(("[", "*")) else shown


def latex_label(text: str) -> str:
    """Return a text as the label of a table, of characters that every format takes."""
    return re.sub(r"[^A-Za-z0-9:.-]+", "-", text).strip("-") or "table"
