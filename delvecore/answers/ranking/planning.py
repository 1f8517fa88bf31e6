"""Questions about the sizes that decide a comparison."""

from delvecore.answers.answer import Answer
from delvecore.answers.question import QuestionRequest, question


@question(
    "power",
    order=70,
    title="What would decide it?",
    meaning="how many more datasets give 80 % power for a difference that matters (--rope)",
    has_region=True,
)
def power(request: QuestionRequest) -> Answer:
    """How many more units would find a difference that matters?"""
    from delvecore.answers.unit_power import unit_power_answer
    from delvecore.stats.verdicts import pair_verdicts

    verdicts = pair_verdicts(request.analysis, request.test)
    return unit_power_answer(request.analysis, verdicts, request.margin, measure=request.measure)


@question(
    "design",
    order=80,
    meaning="which of training sets and test cases limits the error on each task, and which are too many",
    needs=("training sets",),
    of_single_tasks=True,
)
def design(request: QuestionRequest) -> Answer:
    """Which sizes limit the error of comparisons on each task?"""
    from delvecore.answers.task_design import task_design_answer

    return task_design_answer(request.archive.designs())
