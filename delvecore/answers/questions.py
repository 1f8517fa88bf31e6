"""Questions about rankings and task-arrays: their records, for help, pages and the library.

The module imports nothing that is slow to load.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from delvecore.render.verdicts import NOT_WORSE

if TYPE_CHECKING:
    from delvecore.answers.answer import Answer
    from delvecore.answers.task_array import ArrayFacts


@dataclass(frozen=True)
class Question:
    """A question about a ranking. `ranking_questions.ANSWERS` has the function that answers it.

    Attributes
    ----------
    meaning : str
        Description in the help of `--show`.
    title : str
        Title in the question list of the Ranking page; empty if another place shows it.
    needs : str
        `training sets` or `costs` of an archive; empty if a table of scores is enough.
    of_single_tasks : bool
        Does it treat each task separately?
    has_region : bool
        Does it take a region of practical equivalence?
    is_slow : bool
        Do pages limit its number of methods?
    adjusts : bool
        Does it take an adjustment of p?
    over_units : bool
        Is it about other tasks, so that tasks of one dataset leave nothing to test? False also for answers
        that state this themselves.
    """

    meaning: str
    title: str = ""
    needs: str = ""
    of_single_tasks: bool = False
    has_region: bool = False
    is_slow: bool = False
    adjusts: bool = False
    over_units: bool = True

    @property
    def needs_archive(self) -> bool:
        return bool(self.needs)


QUESTIONS = {
    "leaderboard": Question(meaning="who wins, by how much and at what cost", over_units=False),
    "order": Question(meaning="methods as rows: mean rank, what the test compares, range of places, groups"),
    "diagram": Question(meaning="mean ranks and groups, as a critical-difference diagram"),
    "pairs": Question(
        title="Shaffer, Bergmann-Hommel",
        meaning="p of all pairs by Holm's, Shaffer's and Bergmann and Hommel's procedures",
    ),
    "effects": Question(
        title="How large?", meaning="standardized differences, rank-biserial correlations, Cliff's delta"
    ),
    "equivalence": Question(
        title="Who is as good as whom?",
        meaning="which methods are as good as each other over the tasks",
        has_region=True,
        adjusts=True,
    ),
    "power": Question(
        title="What would decide it?",
        meaning="how many more datasets give 80 % power for a difference that matters (--rope)",
        has_region=True,
    ),
    "design": Question(
        meaning="which of training sets and test cases limits the error on each task, and which are too many",
        needs="training sets",
        of_single_tasks=True,
    ),
    "hierarchy": Question(
        title="Better on the next one?",
        meaning="Bayesian hierarchical comparison: better, practically the same, or worse on the next task",
        needs="training sets",
        has_region=True,
        is_slow=True,
    ),
    "regret": Question(
        title="How near to the best?", meaning="on which share of the tasks each method is near the best"
    ),
    "strengths": Question(
        title="How strong in duels?", meaning="strengths in duels (Bradley and Terry)", is_slow=True
    ),
    "iqm": Question(
        title="The middle half",
        meaning="means of the middle half of the losses",
        needs="training sets",
        over_units=False,
    ),
    "improvement": Question(
        title="Who wins a training set?",
        meaning="how probably one method beats another after a training set",
        needs="training sets",
        over_units=False,
    ),
    "front": Question(title="Worth its cost?", meaning="which methods are worth their cost", needs="costs"),
    "best": Question(
        meaning="on each task: which methods may be the best", needs="training sets", of_single_tasks=True
    ),
    "same": Question(
        meaning="on each task: which methods are as good as each other",
        needs="training sets",
        of_single_tasks=True,
        has_region=True,
        adjusts=True,
    ),
}
"""Questions by the words of `delve rank --show`."""


@dataclass(frozen=True)
class ArrayQuestion:
    """A question about a task-array, with a line of help. needs: inputs other than values and costs."""

    key: str
    about: str
    needs: frozenset[str] = frozenset()

    def ask(self, facts: "ArrayFacts") -> "Answer":
        from delvecore.answers.task_array import ANSWERS

        return ANSWERS[self.key](facts)


ARRAY_QUESTIONS = {
    one.key: one
    for one in (
        ArrayQuestion("estimates", "values of each method on each task", frozenset({"reference", "setting"})),
        ArrayQuestion("winners", f"best method of each task, and those {NOT_WORSE}", frozenset({"setting"})),
        ArrayQuestion("differences", "differences to the reference", frozenset({"reference", "setting"})),
        ArrayQuestion(
            "regrets", "the reference less the best other method", frozenset({"reference", "setting"})
        ),
        ArrayQuestion(
            "effects",
            "effects of factors, training size and interactions",
            frozenset({"setting", "order", "scale"}),
        ),
        ArrayQuestion("slopes", "slopes of learning curves", frozenset({"setting", "scale"})),
        ArrayQuestion("costs", "median seconds of an instance"),
        ArrayQuestion("total-costs", "seconds and memory of each method on the whole array"),
    )
}
"""All questions by their keys, in the order of the command's help."""
