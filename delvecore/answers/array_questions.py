"""All questions about a task-array, as the modules of `answers.task_arrays` define them."""

from typing import TYPE_CHECKING

from delvecore.answers import task_arrays
from delvecore.answers.question import Question, questions_of

if TYPE_CHECKING:
    from delvecore.answers.task_array import ArrayFacts

ARRAY_QUESTIONS: dict[str, Question["ArrayFacts"]] = questions_of(task_arrays)
"""Questions about a task-array by the words of `delve array --table`."""
