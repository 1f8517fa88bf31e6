"""All questions about a ranking, as the modules of `answers.ranking` define them, and their answers."""

import math
from dataclasses import replace

from delvecore.answers import ranking
from delvecore.answers.answer import Answer, Table
from delvecore.answers.question import Question, QuestionRequest, questions_of
from delvecore.errors import DelveError
from delvecore.stats.choose import Verdict

QUESTIONS: dict[str, Question[QuestionRequest]] = questions_of(ranking)
"""Questions about a ranking by the words of `delve rank --show`."""


def answer_question(word: str, request: QuestionRequest) -> Answer:
    """Answer one of QUESTIONS, without tests and intervals if all tasks are of one dataset.

    Raises DelveError if a required input is missing.
    """
    question = QUESTIONS[word]
    try:
        if question.needs:
            _ = request.archive
        answer = question.answer(request)
    except DelveError as error:
        raise DelveError(f"--show {word}: {error}") from None
    is_tested = question.of_single_tasks or not (request.analysis.one_dataset and question.over_units)
    return answer if is_tested else without_tests(answer)


def without_tests(answer: Answer) -> Answer:
    """Return an answer about tasks of one dataset: the numbers without p, verdicts, intervals and figure."""
    from delvecore.report.ranking.sentences import ONE_DATASET, TEST_SINGLE_TASKS

    columns = []
    for one in answer.table.columns:
        if one.key == "verdict":
            one = replace(one, values=[Verdict.NOT_TESTED] * len(answer.table))
        elif one.kind == "p" or one.key.endswith(("lower", "upper")) or one.key in _POSTERIORS:
            one = replace(one, values=[math.nan] * len(answer.table))
        columns.append(one)
    sentence = f"{ONE_DATASET[:1].upper()}{ONE_DATASET[1:]}. {TEST_SINGLE_TASKS}"
    return replace(answer, headline=sentence, table=Table(tuple(columns)), notes=(), figure=None)


_POSTERIORS = ("a_better", "equivalent", "b_better", "a_decided", "equivalent_decided", "b_decided", "sure")
