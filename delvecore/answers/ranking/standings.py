"""Questions about the order of the methods."""

from delvecore.answers.answer import Answer
from delvecore.answers.question import QuestionRequest, question


@question("leaderboard", order=10, meaning="who wins, by how much and at what cost", over_units=False)
def leaderboard(request: QuestionRequest) -> Answer:
    """Who wins, by how much and at what cost?"""
    from delvecore.answers.leaderboard import leaderboard_answer, leaderboard_of
    from delvecore.stats.verdicts import pair_verdicts

    data, verdicts = request.data, pair_verdicts(request.analysis, request.test)
    costs, scope = (data.costs(), data.scope()) if data else (None, ("", ()))
    board = leaderboard_of(request.analysis, verdicts, costs, scope=scope, measure=request.measure)
    return leaderboard_answer(board)


@question(
    "order", order=20, meaning="methods as rows: mean rank, what the test compares, range of places, groups"
)
def order(request: QuestionRequest) -> Answer:
    """How certain is the order?"""
    from delvecore.answers.ranking_figures import names_in_order, order_answer
    from delvecore.stats.verdicts import pair_verdicts

    analysis = request.analysis
    return order_answer(analysis, pair_verdicts(analysis, request.test), names_in_order(analysis))


@question("diagram", order=30, meaning="mean ranks and groups, as a critical-difference diagram")
def diagram(request: QuestionRequest) -> Answer:
    """Which methods do not differ?"""
    from delvecore.answers.ranking_figures import diagram_answer, names_in_order
    from delvecore.stats.verdicts import pair_verdicts

    analysis = request.analysis
    return diagram_answer(analysis, pair_verdicts(analysis, request.test), names_in_order(analysis))
