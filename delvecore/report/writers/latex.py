"""Tables for papers, in LaTeX with the package booktabs. All names are escaped; the text is plain ASCII.

pdflatex, xelatex and lualatex set it with no other package than booktabs.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

__all__ = ["Column", "latex_document", "latex_escape", "latex_label", "latex_table"]

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
_EXPONENT = re.compile(r"e([-+]?\d+)")
NUMBER = re.compile(r"(?:< )?-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf)")
ESTIMATE = re.compile(rf"({NUMBER.pattern}) ± ({NUMBER.pattern})((?: \S{{1,3}})?)")


@dataclass(frozen=True)
class Column:
    """One column: its title, `l` or `r`, and the heading that it shares with its neighbours, if any."""

    title: str
    align: str = "l"
    group: str = ""


def latex_escape(text: object) -> str:
    """Return a text so that LaTeX sets exactly its characters.

    Control characters become blanks; a character that plain LaTeX cannot set becomes its code, `[U+4E2D]`.
    """
    line = "".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFC", str(text)))
    # Braces keep hyphens of the text from joining into a dash; a dash of the text stays one.
    guarded = ("-{}" if pair == "--" else _character(pair[0]) for pair in map("".join, pairwise(f"{line} ")))
    return "".join(guarded)


def _character(character):
    if character in SPECIAL:
        return SPECIAL[character]
    if character.isascii():
        return character
    if character in SYMBOLS or character in GREEK:
        return SYMBOLS.get(character) or GREEK[character]
    base, *accents = unicodedata.normalize("NFD", character)
    if len(accents) == 1 and accents[0] in ACCENTS and base.isascii():
        return rf"\{ACCENTS[accents[0]]}{{{base}}}"
    return f"[U+{ord(character):04X}]"


def latex_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    label: str,
    note: str | None = None,
    bold: Collection[tuple[int, int]] = (),
) -> str:
    """Return a table environment with booktabs rules, the caption above it and a note below.

    rows: texts as they are to be seen, numbers already rounded; numbers are set in mathematics, so that minus
    signs and infinities look right. So are estimates like `0.81 ± 0.02 ~`; their marks take no room in the
    column, so that the numbers stay in line. bold: (row, column) of the cells to be set bold. Raises
    ValueError for a row whose length is not that of the columns.
    """
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"expected {len(columns)} cells, one a column, found {len(row)}")
    body = [
        " & ".join(_cell(text, (i, j) in bold) for j, text in enumerate(row)) + r" \\"
        for i, row in enumerate(rows)
    ]
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}[htbp]",
        r"\centering",
        rf"\caption{{{latex_escape(caption)}}}",
        rf"\label{{{latex_label(label)}}}",
        rf"\begin{{tabular}}{{{''.join(column.align for column in columns)}}}",
        r"\toprule",
        *_headings(columns),
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        *([r"\par\smallskip", rf"{{\footnotesize {latex_escape(note)}}}"] if note else []),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def latex_document(*tables: str) -> str:
    """Return a whole document that holds the tables, to see them set."""
    head = [r"\documentclass[a4paper]{article}", r"\usepackage[landscape,margin=2cm]{geometry}"]
    head += [r"\usepackage{booktabs}", r"\begin{document}"]
    return "\n".join([*head, *tables, r"\end{document}", ""])


def _cell(text, is_bold):
    if NUMBER.fullmatch(text):
        return _mathematics(text, is_bold)
    if estimate := ESTIMATE.fullmatch(text):
        value, error, mark = estimate.groups()
        shown = _mathematics(rf"{value} \pm {error}", is_bold)
        return shown + (rf"\rlap{{\,{latex_escape(mark.strip())}}}" if mark else "")
    shown = latex_escape(text)
    return rf"\textbf{{{shown}}}" if is_bold and shown else _guarded(shown)


def _mathematics(text, is_bold):
    number = _EXPONENT.sub(lambda found: rf" \times 10^{{{int(found[1])}}}", text.replace("inf", r"\infty"))
    return rf"$\mathbf{{{number}}}$" if is_bold else f"${number}$"


def _guarded(shown):
    """A bracket or star at the start of a row would be read as an option of the line break before it."""
    return "{}" + shown if shown.startswith(("[", "*")) else shown


def _headings(columns):
    titles = [_heading(column) for column in columns]
    line = " & ".join(titles) + r" \\"
    if not any(column.group for column in columns):
        return [line]
    spans, rules, first = [], [], 1
    for group, members in groupby(columns, key=lambda column: column.group):
        count = len(list(members))
        if group:
            spans.append(rf"\multicolumn{{{count}}}{{c}}{{{latex_escape(group)}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{first + count - 1}}}")
        else:
            spans += [""] * count
        first += count
    return [" & ".join(spans) + r" \\", " ".join(rules), line]


def _heading(column):
    title = latex_escape(column.title)
    return rf"\multicolumn{{1}}{{c}}{{{title}}}" if column.align == "r" else _guarded(title)


def latex_label(text: str) -> str:
    """Return a text as the label of a table, of characters that every format takes."""
    return re.sub(r"[^A-Za-z0-9:.-]+", "-", text).strip("-") or "table"
