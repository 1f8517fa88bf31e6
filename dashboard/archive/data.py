"""What the Archive page tells of methods: the leaderboard, how they do on kinds of tasks, and their costs."""

import math
from dataclasses import replace

import pandas as pd

from dashboard.archive.choice import Request
from dashboard.server import archive as opened
from dashboard.server.method_styles import look_order
from dashboard.ui.defaults import usual_loss
from delvecore.archive.leaderboards import kinds_of_tasks, leaderboard
from delvecore.errors import DelveError
from delvecore.plots import theme, words
from delvecore.plots.cells import Cell, CellGrid
from delvecore.plots.ranking.further import Spot, front_figure
from delvecore.plots.ranking.method_rows import RankInterval
from delvecore.plots.ranking.plot_data import names_in_order, rank_intervals_of
from delvecore.report.ranking.cost_quality import Costs
from delvecore.report.ranking.further import within_words
from delvecore.report.ranking.leaders import Leaderboard, leaderboard_finding
from delvecore.report.ranking.units import group_name
from delvecore.report.writers.text import first_sentence
from delvecore.stats.choose import DEFAULT_SETTING
from delvecore.stats.ranking.groups import NEAR, GroupRanks

__all__ = ["MEASURES", "at_start", "board_of", "costs", "intervals", "intervals_shown"]
__all__ += [
    "kind_table",
    "kinds",
    "kinds_grid",
    "known_costs",
    "leaders",
    "leaders_shown",
    "losses",
    "measure_words",
    "near_words",
]

MEASURES = ("Mean rank", "Best", "Near", "Within reach")
"""What is told of a method on a kind of task: see `measure_words`."""


def at_start(state: str) -> None:
    """Make what the first page shows, before the first visitor asks for it."""
    if loss := usual_loss(state):
        request = Request(state, loss, DEFAULT_SETTING)
        leaders(request)
        opened.figure(front_figure, costs, request)


@opened.cached
def losses(state: str) -> tuple[str, ...]:
    """Return the losses with results, the most wanted first."""
    return tuple(sorted(opened.choices(state).losses, key=words.loss_preference))


@opened.cached
def board_of(request: Request) -> Leaderboard | str:
    """Return the leaderboard, or why there is none."""
    archive = opened.archive_of(request.state)
    try:
        return leaderboard(archive, loss=request.loss, unit=request.unit, setting=request.setting)
    except DelveError as error:
        return str(error)


def known_board(request: Request) -> Leaderboard:
    found = board_of(request)
    if isinstance(found, str):
        raise ValueError(found)
    return found


@opened.cached
def leaders(request: Request) -> pd.DataFrame:
    """The leaderboard, best first: method, about (its description), and the columns of `leaderboard_finding`.

    Methods that lack results on most tasks follow without numbers."""
    board = board_of(request)
    told = {row["method"]: first_sentence(row["summary"]) for row in opened.rows(request.state, "methods")}
    if isinstance(board, str):
        return pd.DataFrame({"method": list(told), "about": list(told.values())})
    found = leaderboard_finding(board)
    table = pd.DataFrame(found.rows, columns=[field.key for field in found.fields])
    others = sorted(told.keys() - set(table["method"]))
    table = pd.concat([table, pd.DataFrame({"method": others})], ignore_index=True) if others else table
    table.insert(1, "about", [told.get(name) for name in table["method"]])
    return table


@opened.cached
def leaders_shown(request: Request) -> pd.DataFrame:
    """The leaderboard as the page shows it: intervals as texts, shares in percent, descriptions last."""
    table = leaders(request)
    if "mean_rank" not in table:
        return table
    ends = zip(table["lower"], table["upper"], strict=True)
    texts = [f"{lower:.1f} – {upper:.1f}" if not math.isnan(lower) else None for lower, upper in ends]
    shares = ["pairwise_wins", *(name for name in table if name.startswith("within_"))]
    table = table.assign(**{name: 100 * table[name] for name in shares}, lower=texts)
    table = table.rename(columns={"lower": "interval"}).drop(columns=["upper", "first"])
    return table[[*table.columns.drop("about"), "about"]].dropna(axis="columns", how="all")


def near_words(request: Request, column: str) -> str:
    """Return the words for a column of the leaderboard such as `within_10`."""
    return within_words(
        known_board(request).whole.ratio, int(column.removeprefix("within_")) / 100
    ).capitalize()


def measure_words(measure: str, group: GroupRanks) -> str:
    """Return the words for one of MEASURES: `Mean rank`, `Best on`, `Within 1 %`, `Within 10 %`."""
    near = [within_words(group.ratio, within).capitalize() for within in NEAR]
    return dict(zip(MEASURES, ("Mean rank", "Best on", *near), strict=True))[measure]


@opened.cached
def kinds(request: Request) -> dict[str, tuple[GroupRanks, ...]]:
    """How do the methods do on each kind of task? By aspect, such as family, noise, training cases."""
    found: dict[str, tuple[GroupRanks, ...]] = {}
    for group in kinds_of_tasks(opened.archive_of(request.state), known_board(request), loss=request.loss):
        found[group.aspect] = (*found.get(group.aspect, ()), group)
    return found


@opened.cached
def kinds_grid(
    request: Request, aspect: str, measure: str, first: int, last: int, left: int, right: int
) -> CellGrid:
    """A row a method, best first over all; a column a kind of task; in the cells one of MEASURES. Methods
    from the first to before the last, kinds from the left to before the right."""
    order = known_board(request).whole.order[first:last]
    groups = kinds(request)[aspect][left:right]
    cells = [
        Cell(row, column, *_shown(group, place, measure), _hover(group, place), (group.methods[place],))
        for column, group in enumerate(groups)
        for row, place in enumerate(order)
    ]
    methods = [groups[0].methods[place] for place in order]
    return CellGrid(methods, [_short(group) for group in groups], cells, methods="y", empty="Nothing to show")


def _short(group: GroupRanks) -> str:
    """Return the name of a kind below the name of its aspect."""
    return group_name(replace(group, name=group.name.removesuffix(f" {group.aspect}")))


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
    if group.has_intervals:
        rank += f" ({group.lower[place]:.1f} to {group.upper[place]:.1f})"
    best = f"best on {words.share(float(group.first[place]), 1)}"
    return f"<b>{name}</b> on {kind}:<br>{rank}<br>{best}, {', '.join(near)}"


@opened.cached
def kind_table(request: Request, aspect: str) -> pd.DataFrame:
    """The numbers of `kinds_grid`: kind, tasks, units, method, mean_rank, lower, upper, best, nearness."""
    rows = [
        (
            *(group.name, len(group.tasks), group.units, group.methods[place]),
            *(one[place] for one in (group.average, group.lower, group.upper, group.first, *group.near)),
        )
        for group in kinds(request)[aspect]
        for place in group.order
    ]
    columns = ["kind", "tasks", "units", "method", "mean_rank", "lower", "upper", "best"]
    return pd.DataFrame(rows, columns=[*columns, *(f"within_{100 * within:.0f}" for within in NEAR)])


@opened.cached
def intervals(request: Request) -> tuple[RankInterval, ...]:
    """Mean ranks with their intervals."""
    found = known_board(request).found
    styles = theme.styles_of(names_in_order(found), known=look_order(request.state))
    return rank_intervals_of(found, styles)


@opened.cached
def intervals_shown(request: Request, first: int, last: int) -> tuple[RankInterval, ...]:
    """Those of the methods from the first to before the last."""
    return intervals(request)[first:last]


def known_costs(request: Request) -> Costs:
    """Return the costs of the methods. Raises ValueError where they are not known."""
    found = known_board(request).costs
    if found is None:
        raise ValueError("expected costs of all methods, found none")
    return found


@opened.cached
def costs(request: Request) -> tuple[Spot, ...]:
    """Each method at its cost and loss; none where costs are not known."""
    board = board_of(request)
    if isinstance(board, str) or board.costs is None:
        return ()
    front, styles = board.costs.front, theme.method_styles(look_order(request.state))
    return tuple(
        Spot(
            name,
            (float(front.cost[place]), float(front.cost_lower[place]), float(front.cost_upper[place])),
            (float(front.loss[place]), float(front.loss_lower[place]), float(front.loss_upper[place])),
            sure=float(front.sure[place]),
            on_front=bool(front.on_front[place]),
            style=styles[name],
        )
        for place, name in enumerate(board.whole.methods)
    )
