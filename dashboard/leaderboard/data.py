"""Facts of the page Leaderboard: the order of methods, how they do on kinds of tasks, and their costs."""

from dataclasses import replace
from typing import NamedTuple

import pandas as pd

from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui.archive_facts import leaderboard_of
from delvecore.answers.answer import Answer
from delvecore.answers.leaderboard import Leaderboard, costs_answer, leaderboard_answer
from delvecore.answers.ranking_figures import names_in_order, places_answer
from delvecore.archive import Archive
from delvecore.archive.leaderboards import kinds_of_tasks
from delvecore.library import contents
from delvecore.measures import Measure
from delvecore.plots import theme
from delvecore.plots.cells import kinds_figure
from delvecore.plots.draw import draw
from delvecore.plots.figure import Figure
from delvecore.render.text import first_sentence
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.performance_profiles import GroupRanks


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
    about = {row["method"]: first_sentence(row["summary"]) for row in opened.rows(request.archive, "methods")}
    if isinstance(board, str):
        return pd.DataFrame({"method": list(about), "about": list(about.values())})
    table = leaderboard_answer(board).table.frame().drop(columns="first")
    others = sorted(about.keys() - set(table["method"]))
    table = pd.concat([table, pd.DataFrame({"method": others})], ignore_index=True) if others else table
    table.insert(1, "about", [about.get(name) for name in table["method"]])
    return table


@cached
def kinds(request: Request) -> dict[str, tuple[GroupRanks, ...]]:
    """Ranks on each kind of task, by aspect, such as family, noise, training cases."""
    found: dict[str, tuple[GroupRanks, ...]] = {}
    for group in kinds_of_tasks(request.archive, known_board(request), loss=request.loss):
        found[group.aspect] = (*found.get(group.aspect, ()), group)
    return found


@cached
def kinds_drawn(
    request: Request, aspect: str, measure: str, first: int, last: int, left: int, right: int
) -> Figure:
    """Return methods by kinds of tasks, both from and to a place, best first over all."""
    return kinds_figure(
        kinds(request)[aspect][left:right], known_board(request).whole.order[first:last], measure
    )


def styles(request: Request) -> dict[str, theme.MethodStyle]:
    return theme.method_styles(look_order(request.archive))


@cached
def places(request: Request, first: int, last: int) -> Answer:
    """Return the places of the methods from and to a place by mean rank."""
    board = known_board(request)
    return places_answer(board.found, board.said, names_in_order(board.found)[first:last])


@cached
def leaders_figure(request: Request, first: int, last: int) -> Figure:
    """Draw places; a click anywhere in a row opens its method."""
    names = names_in_order(known_board(request).found)
    looks = theme.styles_of(names, known=look_order(request.archive))
    figure = draw(places(request, first, last), dict(zip(names, looks, strict=True)))
    theme.clickable(figure)
    figure.update_layout(hoverdistance=-1)
    return figure


@cached
def costs(request: Request) -> Answer | None:
    """Return each method at its cost and mean; None if costs are not known."""
    board = board_of(request)
    if isinstance(board, str) or board.costs is None:
        return None
    return replace(costs_answer(board.costs), figure=board.costs)


@cached
def costs_figure(request: Request) -> Figure:
    answer = costs(request)
    return draw(answer, styles(request)) if answer else theme.empty_figure("No costs are known", height=300)
