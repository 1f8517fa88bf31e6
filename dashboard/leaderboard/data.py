"""Data of the Leaderboard page: the order of methods, their results on kinds of tasks, and their costs."""

from dataclasses import replace

from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui.archive_facts import leaderboard_of
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer, FigureData, Table
from delvecore.answers.leaderboard import Leaderboard, costs_answer, leaderboard_answer, shown_columns
from delvecore.answers.ranking_figures import names_in_order, places_answer
from delvecore.answers.wins_and_losses import kinds_by_method
from delvecore.archive.leaderboards import kinds_of_tasks, leading_loss
from delvecore.library import contents
from delvecore.plots import theme
from delvecore.plots.draw import draw
from delvecore.plots.figure import Figure
from delvecore.stats.ranking.performance_profiles import GroupRanks

gaps, gaps_with_reasons = cached(contents.gaps), cached(contents.gaps_with_reasons)
coverage_sentence, usual_loss_on = cached(contents.coverage_sentence), cached(leading_loss)


def board_of(request: Request) -> Leaderboard | str:
    archive, setting = request.archive, request.setting
    return leaderboard_of(archive, request.loss, tasks=request.tasks, unit=request.unit, setting=setting)


def known_board(request: Request) -> Leaderboard:
    """Return the leaderboard. Raises ValueError if there is none: see `board_of`."""
    board = board_of(request)
    if isinstance(board, str):
        raise ValueError(board)
    return board


@cached
def leaders(request: Request) -> Answer:
    """Return the leaderboard with all its columns."""
    return leaderboard_answer(known_board(request))


@cached
def kinds(request: Request) -> dict[str, tuple[GroupRanks, ...]]:
    """Return the ranks on each kind of task. Aspects such as family, noise and training size define the
    kinds."""
    groups_by_aspect: dict[str, tuple[GroupRanks, ...]] = {}
    for group in kinds_of_tasks(request.archive, known_board(request)):
        groups_by_aspect[group.aspect] = (*groups_by_aspect.get(group.aspect, ()), group)
    return groups_by_aspect


def shown_table(request: Request, aspect: str | None, measure: str, part: slice) -> Table:
    """Return the shown columns: measures over all tasks, or one measure on each kind of task.

    part: the shown part of the kinds."""
    whole = shown_columns(leaders(request).table)
    if aspect is None:
        return whole
    groups = kinds_by_method(kinds(request)[aspect][part], measure, list(whole["method"]))
    places = whole.select("method", "lowest_place", "highest_place", "mean_rank")
    return Table((*places.columns, *groups.drop("method").columns), groups.bold)


def styles(request: Request) -> dict[str, theme.MethodStyle]:
    return theme.method_styles(look_order(request.archive))


def looks(request: Request) -> dict[str, theme.MethodStyle]:
    """Return color and mark of the ranked methods, as in figures: those after the twelfth are gray."""
    names = names_in_order(known_board(request).analysis)
    return dict(zip(names, theme.styles_of(names, known=look_order(request.archive)), strict=True))


@cached
def places(request: Request, first: int, last: int) -> Answer:
    """Return the places of the methods at positions first to last (exclusive) by mean rank."""
    board = known_board(request)
    return places_answer(board.analysis, board.verdicts, names_in_order(board.analysis)[first:last])


@cached
def places_figure(request: Request, first: int, last: int) -> Figure:
    return draw(places(request, first, last), looks(request))


@cached
def costs(request: Request) -> Answer | None:
    """Return the cost and mean of each method; None if costs are unknown."""
    board = board_of(request)
    if isinstance(board, str) or board.costs is None:
        return None
    return replace(costs_answer(board.costs), figure=FigureData("front", data=board.costs))


@cached
def costs_figure(request: Request) -> Figure:
    answer = costs(request)
    return draw(answer, styles(request)) if answer else theme.empty_figure("No costs are known", height=300)
