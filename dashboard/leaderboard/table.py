"""The leaderboard as a table of a page: a row a method, the range of its places drawn in it."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from delvecore.answers.answer import Column, Table
from delvecore.plots.critical_difference import mark_corners
from delvecore.plots.theme import MethodStyle
from delvecore.render.answers import shown
from delvecore.report import words
from delvecore.report.ranking.sentences import places_words

PLACES = ("lowest_place", "highest_place")
MOST_TICKS = 12
MARK, LARGER = 5.0, 1.35
"""Half the width of a mark in pixels; how many times larger the visitor's own is."""
LONGEST = 60


class Looks(NamedTuple):
    """What a table of methods has beside its numbers: styles, titles and addresses of methods; mine: the
    visitor's own one."""

    styles: Mapping[str, MethodStyle]
    titles: Mapping[str, str]
    addresses: Mapping[str, str]
    mine: str | None


def leaders_html(table: Table, looks: Looks, *, caption: str, part: slice = slice(None)) -> str:
    """Return the table as HTML. Columns of places are drawn, all others written, the best values in bold.

    table: all methods that are ranked; part: rows that are shown; caption: text above."""
    columns = [one for one in table.columns if one.key not in (*PLACES, "method")]
    heads = [_head("Method", "", kind="name")]
    if PLACES[0] in table:
        about = escape(table.column(PLACES[0]).about)
        axis = _svg(_ticks(len(table)), "", height=16)
        heads.append(f'<th scope="col" class="places" title="{about}">Place{axis}</th>')
    heads += [_head(one.title, one.about, kind=one.kind) for one in columns]
    rows = [_row(table, row, columns, looks) for row in range(len(table))[part]]
    return (
        f'<table class="leaders"><caption>{escape(caption)}</caption><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _head(title: str, about: str, *, kind: str) -> str:
    sorts = f'<button type="button" data-sort="{kind}">{escape(_capital(title))}</button>'
    said = f' title="{escape(about)}"' if about else ""
    return f'<th scope="col" class="{kind}"{said}>{sorts}</th>'


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]


def _row(table: Table, row: int, columns: Sequence[Column], looks: Looks) -> str:
    name = str(table["method"][row])
    is_mine = name == looks.mine
    mark = _svg(_mark(looks.styles[name], is_mine, "8"), "", height=16, width=16)
    title = looks.titles.get(name, name)
    code = f" <code>{escape(words.short_line(name, longest=LONGEST))}</code>" if title != name else ""
    link = f'<a href="{escape(looks.addresses[name])}" data-page>{escape(words.short_line(title))}</a>'
    cells = [f'<th scope="row">{mark}<span>{link}{code}</span></th>']
    if PLACES[0] in table:
        cells.append(_places(table, row, looks.styles[name], is_mine=is_mine))
    for one in columns:
        value = one.values[row]
        text = escape(shown(value, one)) or words.NO_VALUE
        text = f"<b>{text}</b>" if (row, one.key) in table.bold else text
        number = "" if value is None else f' data-value="{value}"'
        label = escape(_capital(one.title))
        cells.append(f'<td class="{one.kind}" data-label="{label}"{number}>{text}</td>')
    look = ' class="mine"' if is_mine else ""
    return f"<tr{look}>{''.join(cells)}</tr>"


def _places(table: Table, row: int, style: MethodStyle, *, is_mine: bool) -> str:
    """Return the cell with the place by mean rank as a dot and the confidence set as a bar."""
    ends = table[PLACES[0]][row], table[PLACES[1]][row]
    ranks, count = [float(rank) for rank in table["mean_rank"]], len(table)
    place = 1 + sum(rank < ranks[row] for rank in ranks) + (ranks.count(ranks[row]) - 1) / 2
    at, bar, said = _across(place, count), "", ""
    if None not in ends:
        low, high = (_across(end, count) for end in ends)
        bar = f'<line x1="{low}" x2="{high}" y1="50%" y2="50%" class="bar"/>'
        bar += "".join(f'<line x1="{x}" x2="{x}" y1="25%" y2="75%" class="bar"/>' for x in (low, high))
        said = places_words(ends)
    rule = '<line x1="0" x2="100%" y1="50%" y2="50%" class="rule"/>'
    alt = f"place {place:g} of {count}" + (f", confidence set {said}" if said else "")
    drawn = _svg(rule + bar + _mark(style, is_mine, at), alt)
    return f'<td class="places" data-label="Place"><div>{drawn}<span>{said}</span></div></td>'


def _across(place: float, count: int) -> str:
    """Return where a place lies, with room for half a mark at both ends."""
    return f"{4 + 92 * (place - 1) / max(count - 1, 1):.2f}%"


def _ticks(count: int) -> str:
    step = -(-count // MOST_TICKS)
    places = [1, *range(step, count + 1, step)] if step > 1 else range(1, count + 1)
    return "".join(
        f'<text x="{_across(place, count)}" y="12" text-anchor="middle">{place}</text>' for place in places
    )


def _mark(style: MethodStyle, is_mine: bool, x: str) -> str:
    """Return a method's mark at a height of one half; the visitor's own is in the color of the text."""
    size = MARK * (LARGER if is_mine else 1)
    corners = mark_corners(style.symbol)
    if corners:
        points = " ".join(f"{size * across:.1f},{size * down:.1f}" for across, down in corners)
        shape = f'<polygon points="{points}"'
    else:
        shape = f'<circle r="{size:.1f}"'
    colour = "currentColor" if is_mine else style.colour
    return f'<svg x="{x}" y="50%" overflow="visible">{shape} fill="{colour}"/></svg>'


def _svg(content: str, alt: str, *, height: int = 22, width: int | None = None) -> str:
    """Return a drawing as wide as its cell. alt: in words; empty for one that the text beside it repeats."""
    said = f'role="img" aria-label="{escape(alt)}"' if alt else 'aria-hidden="true"'
    return f'<svg {said} width="{width or "100%"}" height="{height}">{content}</svg>'
