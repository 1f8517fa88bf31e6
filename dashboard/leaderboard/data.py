"""What the page Leaderboard tells: the order of methods, how they do on kinds of tasks, and their costs."""

from dataclasses import replace
from typing import NamedTuple

import pandas as pd

from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui.archive_facts import leaderboard_of
from dashboard.ui.blocks import Dot, DotList
from delvecore.answers.leaderboard import Leaderboard, leaderboard_answer, within_words
from delvecore.archive import Archive
from delvecore.archive.leaderboards import kinds_of_tasks
from delvecore.library import contents
from delvecore.measures import Measure
from delvecore.plots import theme
from delvecore.plots.cells import Cell, CellGrid
from delvecore.plots.cost_quality import Front, Spot
from delvecore.plots.method_rows import PlaceRange
from delvecore.plots.ranking_data import names_in_order, place_ranges_of
from delvecore.render.text import first_sentence
from delvecore.report import words
from delvecore.report.ranking.sentences import group_name, places_words
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.performance_profiles import NEAR, GroupRanks


class Request(NamedTuple):
    """What is shown, and what it is cached by. unit: what counts once, None for the usual."""

    archive: Archive
    loss: str
    setting: Setting
    unit: str | None = None

    @property
    def measure(self) -> Measure:
        return self.archive.measures[self.loss]


gaps, gaps_with_reasons = cached(contents.gaps), cached(contents.gaps_with_reasons)
gap_sentence = cached(contents.gap_sentence)
FEW_TASKS = 3
PLACES = ("lowest_place", "highest_place")
MEASURES = ("Mean rank", "Best", "Near", "Within reach")
"""What is told of a method on a kind of task: see `measure_words`."""


def board_of(request: Request) -> Leaderboard | str:
    return leaderboard_of(request.archive, request.loss, unit=request.unit, setting=request.setting)


def known_board(request: Request) -> Leaderboard:
    found = board_of(request)
    if isinstance(found, str):
        raise ValueError(found)
    return found


@cached
def leaders(request: Request) -> pd.DataFrame:
    """The leaderboard, best first, with descriptions; methods that are not ranked follow without numbers."""
    board = board_of(request)
    told = {row["method"]: first_sentence(row["summary"]) for row in opened.rows(request.archive, "methods")}
    if isinstance(board, str):
        return pd.DataFrame({"method": list(told), "about": list(told.values())})
    table = leaderboard_answer(board).table.frame().drop(columns="first")
    others = sorted(told.keys() - set(table["method"]))
    table = pd.concat([table, pd.DataFrame({"method": others})], ignore_index=True) if others else table
    table.insert(1, "about", [told.get(name) for name in table["method"]])
    return table


def measure_words(measure: str, group: GroupRanks) -> str:
    """Return the words for one of MEASURES: `Mean rank`, `Best on`, `Within 1 %`, `Within 10 %`."""
    near = [within_words(group.ratio, within).capitalize() for within in NEAR]
    return dict(zip(MEASURES, ("Mean rank", "Best on", *near), strict=True))[measure]


@cached
def kinds(request: Request) -> dict[str, tuple[GroupRanks, ...]]:
    """How do the methods do on each kind of task? By aspect, such as family, noise, training cases."""
    found: dict[str, tuple[GroupRanks, ...]] = {}
    for group in kinds_of_tasks(request.archive, known_board(request), loss=request.loss):
        found[group.aspect] = (*found.get(group.aspect, ()), group)
    return found


@cached
def kinds_grid(
    request: Request, aspect: str, measure: str, first: int, last: int, left: int, right: int
) -> CellGrid:
    """Methods by kinds of tasks, best first over all; in the cells one of MEASURES."""
    order = known_board(request).whole.order[first:last]
    groups = kinds(request)[aspect][left:right]
    cells = [
        Cell(
            row,
            column,
            *_shown(group, place, measure),
            _hover(group, place),
            (group.methods[place],),
            is_pale=is_thin(group),
        )
        for column, group in enumerate(groups)
        for row, place in enumerate(order)
    ]
    methods = [groups[0].methods[place] for place in order]
    return CellGrid(
        methods, [kind_name(group) for group in groups], cells, methods="y", empty="Nothing to show"
    )


def is_thin(group: GroupRanks) -> bool:
    """Are there too few tasks in a group to say much?"""
    return len(group.tasks) < FEW_TASKS


def kind_name(group: GroupRanks) -> str:
    """Return the name of a kind below the name of its aspect, with its tasks or units where they are few."""
    name = group.name.removesuffix(f" {group.aspect}")
    if is_thin(group):
        return f"{name} ({words.count(len(group.tasks), 'task')})"
    return group_name(replace(group, name=name))


def _shown(group: GroupRanks, place: int, measure: str) -> tuple[str, float]:
    """Return (text, shade): a better one is darker."""
    if measure == MEASURES[0]:
        rank, count = float(group.average[place]), len(group.methods)
        return f"{rank:.1f}", (count - rank) / max(count - 1, 1)
    share = float(dict(zip(MEASURES[1:], (group.first, *group.near), strict=True))[measure][place])
    return words.share(share, 1), share


def _hover(group: GroupRanks, place: int) -> str:
    near = [
        f"{within_words(group.ratio, within)} of the best on {words.share(float(share[place]), 1)}"
        for within, share in zip(NEAR, group.near, strict=True)
    ]
    name, kind = words.plot_text(group.methods[place]), words.plot_text(group_name(group))
    rank = f"mean rank {group.average[place]:.1f}"
    if (places := group.places_of(place)) is not None:
        rank += f", {'place' if places[0] == places[1] else 'places'} {places_words(places)}"
    best = f"best on {words.share(float(group.first[place]), 1)}"
    return f"<b>{name}</b> on {kind}:<br>{rank}<br>{best}, {', '.join(near)}"


def kind_list(request: Request, aspect: str) -> DotList:
    """The best mean rank on each kind of task, for a telephone."""
    styles = theme.method_styles(look_order(request.archive))
    firsts = [
        (group, group.methods[group.order[0]], group.average[group.order[0]])
        for group in kinds(request)[aspect]
    ]
    dots = [
        Dot(kind_name(group), float(rank), f"{name} {rank:.1f}", styles[name].colour)
        for group, name, rank in firsts
    ]
    return DotList("The method with the best mean rank on each kind of task.", dots)


def cost_list(request: Request) -> DotList:
    """The mean of each method with its seconds, the cheapest first, for a telephone."""
    front, rows = costs(request), []
    for spot in sorted(front.spots, key=lambda spot: spot.cost):
        mean, seconds = (words.number(one[0], digits=2, zeros=True) for one in (spot.mean, spot.cost))
        rows.append(Dot(spot.method, spot.mean[0], f"{mean}, {seconds} s", spot.style.colour))
    about = (
        f"Mean {words.short_line(front.quantity)} (the dot) and seconds of each method, the cheapest first."
    )
    return DotList(about, rows)


@cached
def kind_table(request: Request, aspect: str) -> pd.DataFrame:
    """The numbers of `kinds_grid`: kind, tasks, units, method, mean_rank, places, best, nearness."""
    rows = [
        (
            *(group.name, len(group.tasks), group.units, group.methods[place]),
            *(group.average[place], *(group.places_of(place) or (None, None))),
            *(one[place] for one in (group.first, *group.near)),
        )
        for group in kinds(request)[aspect]
        for place in group.order
    ]
    columns = ["kind", "tasks", "units", "method", "mean_rank", *PLACES, "best"]
    table = pd.DataFrame(rows, columns=[*columns, *(f"within_{100 * within:.0f}" for within in NEAR)])
    return table.astype(dict.fromkeys(PLACES, "Int64"))


@cached
def intervals(request: Request) -> tuple[PlaceRange, ...]:
    board = known_board(request)
    styles = theme.styles_of(names_in_order(board.found), known=look_order(request.archive))
    return place_ranges_of(board.found, board.said, styles)


@cached
def intervals_shown(request: Request, first: int, last: int) -> tuple[PlaceRange, ...]:
    return intervals(request)[first:last]


@cached
def costs(request: Request) -> Front:
    """Each method at its cost and mean; none where costs are not known."""
    board = board_of(request)
    if isinstance(board, str) or board.costs is None:
        return Front(())
    front, styles = board.costs.front, theme.method_styles(look_order(request.archive))
    means = board.costs.means
    spots = tuple(
        Spot(
            name,
            (float(front.cost[place]), float(front.cost_lower[place]), float(front.cost_upper[place])),
            (float(means[0, place]), float(means[1, place]), float(means[2, place])),
            sure=float(front.sure[place]),
            on_front=bool(front.on_front[place]),
            style=styles[name],
        )
        for place, name in enumerate(board.whole.methods)
    )
    return Front(spots, board.costs.quality, request.measure.higher_is_better)
