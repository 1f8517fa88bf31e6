"""The leaderboard as an HTML table: one row per method, with a drawing of its range of places."""

from collections.abc import Mapping, Sequence
from html import escape

from delvecore.answers.answer import Column, Table
from delvecore.plots.critical_difference import mark_corners
from delvecore.plots.theme import MethodStyle
from delvecore.render.answers import shown
from delvecore.render.numbers import coordinate, parameter
from delvecore.report import words
from delvecore.report.ranking.sentences import places_words

PLACES = ("lowest_place", "highest_place")
MOST_TICKS = 12
REACH = 40.0
"""Distance of a corner at one unit from the middle of a mark's box, as a percentage of the box."""
LONGEST = 60


def leaders_html(
    table: Table,
    styles: Mapping[str, MethodStyle],
    addresses: Mapping[str, str],
    *,
    titles: Mapping[str, str],
    mine: str | None,
    caption: str,
    part: slice = slice(None),
) -> str:
    """Return the table as HTML. Places are drawn, other columns are numbers with the best values in bold.

    table: all ranked methods; styles, addresses, titles: by method; mine: the visitor's own method; part: the
    shown rows; caption: text above."""
    columns = [one for one in table.columns if one.key not in (*PLACES, "method")]
    heads = [_head("Method", "", kind="name")]
    if PLACES[0] in table:
        about = escape(table.column(PLACES[0]).about)
        heads.append(f'<th scope="col" class="places" title="{about}">Place{_axis(len(table))}</th>')
    heads += [_head(_heading(one), one.about, kind=one.kind) for one in columns]
    rows = []
    for row in range(len(table))[part]:
        name = str(table["method"][row])
        title = titles.get(name, name)
        code = f" <code>{escape(words.short_line(name, longest=LONGEST))}</code>" if title != name else ""
        link = f'<a href="{escape(addresses[name])}" data-page>{escape(words.short_line(title))}</a>'
        rows.append(_row(table, row, columns, styles[name], f"{link}{code}", is_mine=name == mine))
    head = f"<caption>{escape(caption)}</caption><thead><tr>{''.join(heads)}</tr></thead>"
    body = f"<tbody>{''.join(rows)}</tbody>"
    return f'<div class="leaders-frame"><table class="leaders">{head}{body}</table></div>'


def _head(title: str, about: str, *, kind: str) -> str:
    sorts = f'<button type="button" data-sort="{kind}">{escape(title)}</button>'
    attribute = f' title="{escape(about)}"' if about else ""
    return f'<th scope="col" class="{kind}"{attribute}>{sorts}</th>'


def _heading(column: Column) -> str:
    """Return the title of a column. Names of kinds of tasks are unchanged."""
    title = column.title if column.key.startswith("kind_") else column.title[:1].upper() + column.title[1:]
    return title.replace(" %", "\N{NO-BREAK SPACE}%")


def _row(
    table: Table, row: int, columns: Sequence[Column], style: MethodStyle, name: str, *, is_mine: bool
) -> str:
    cells = [f'<th scope="row"><div>{_mark(style, is_mine)}<span>{name}</span></div></th>']
    if PLACES[0] in table:
        cells.append(_places(table, row, style, is_mine=is_mine))
    for one in columns:
        value = one.values[row]
        text = escape(shown(value, one)) or words.NO_VALUE
        text = f"<b>{text}</b>" if (row, one.key) in table.bold else text
        number = "" if value is None else f' data-value="{value}"'
        label = escape(_heading(one))
        cells.append(f'<td class="{one.kind}" data-label="{label}"{number}>{text}</td>')
    look = ' class="mine"' if is_mine else ""
    return f"<tr{look}>{''.join(cells)}</tr>"


def _places(table: Table, row: int, style: MethodStyle, *, is_mine: bool) -> str:
    """Return the cell with the place by mean rank as a dot and the confidence set as a bar."""
    ends = table[PLACES[0]][row], table[PLACES[1]][row]
    ranks, count = [float(rank) for rank in table["mean_rank"]], len(table)
    place = 1 + sum(rank < ranks[row] for rank in ranks) + (ranks.count(ranks[row]) - 1) / 2
    bar, place_words = "", ""
    if None not in ends:
        low, high = (_across(end, count) for end in ends)
        bar = f'<i class="bar" style="left:{coordinate(low)}%;right:{coordinate(100 - high)}%"></i>'
        place_words = places_words(ends)
    alt = f"place {parameter(place)} of {count}" + (f", confidence set {place_words}" if place_words else "")
    mark = _mark(style, is_mine, f"left:{coordinate(_across(place, count))}%;")
    drawn = f'<div class="range" role="img" aria-label="{escape(alt)}">{bar}{mark}</div>'
    return f'<td class="places" data-label="Place"><div>{drawn}<span>{place_words}</span></div></td>'


def _across(place: float, count: int) -> float:
    """Return a horizontal position as a percentage of the width, with room for half a mark at both ends."""
    return 4 + 92 * (place - 1) / max(count - 1, 1)


def _axis(count: int) -> str:
    step = -(-count // MOST_TICKS)
    places = [1, *range(step, count + 1, step)] if step > 1 else range(1, count + 1)
    ticks = (f'<i style="left:{coordinate(_across(place, count))}%">{place}</i>' for place in places)
    return f'<div class="axis" aria-hidden="true">{"".join(ticks)}</div>'


def _mark(style: MethodStyle, is_mine: bool, place: str = "") -> str:
    """Return a method's mark in HTML. The visitor's own method has the text color. place: position in CSS.

    Streamlit removes SVG from a page's HTML, so marks are boxes that CSS cuts to shape."""
    corners = mark_corners(style.symbol)
    points = ",".join(
        f"{coordinate(50 + REACH * across)}% {coordinate(50 + REACH * down)}%" for across, down in corners
    )
    shape = f"clip-path:polygon({points})" if corners else "clip-path:circle(36%)"
    color = "currentColor" if is_mine else style.color
    return f'<i class="mark" aria-hidden="true" style="{place}background:{color};{shape}"></i>'
