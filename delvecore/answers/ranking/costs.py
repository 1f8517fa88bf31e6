"""Methods that are worth their cost."""

from delvecore.answers.answer import Answer
from delvecore.answers.question import QuestionRequest, question
from delvecore.errors import DelveError


@question(
    "front",
    order=140,
    title="Worth its cost?",
    meaning="which methods are worth their cost",
    needs=("costs",),
)
def front(request: QuestionRequest) -> Answer:
    """Which methods are worth their cost? Raises DelveError with known costs on fewer than two units."""
    from delvecore.answers.leaderboard import LEAST_COSTED, costs_answer
    from delvecore.report.ranking.sentences import units_name

    costs = request.archive.costs()
    if costs is None:
        units = units_name(request.analysis)
        raise DelveError(f"expected {LEAST_COSTED} {units} with costs of all methods, found fewer")
    return costs_answer(costs)
