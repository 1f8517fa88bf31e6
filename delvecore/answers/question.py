"""Record of a question about a ranking or a task-array, and the input of the functions that answer it.

A question is a function with `@question` in a module of `answers.ranking` or `answers.task_arrays`, and
`questions_of` finds it there. The help of commands lists questions, so these modules load no NumPy:
their functions import slow modules.
"""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from delvecore.answers.answer import Answer
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.stats.choose import DEFAULT_MARGIN, DEFAULT_SETTING, DEFAULT_TEST, RankTest, Setting

if TYPE_CHECKING:
    from delvecore.answers.leaderboard import Costs
    from delvecore.answers.task_design import TaskDesign
    from delvecore.stats.array_types import Floats, Whole
    from delvecore.stats.ranking.analysis import Analysis
    from delvecore.stats.ranking.bayesian_hierarchical import TaskPairs

Request = TypeVar("Request")


@dataclass(frozen=True)
class Question(Generic[Request]):
    """Question that commands, pages and the library list.

    Attributes
    ----------
    key : str
        Word of `delve rank --show` or `delve array --table`.
    answer : callable
        Function that takes a `QuestionRequest`, or an `ArrayFacts`, and returns an `Answer`.
    order : int
        Position among the questions of its package.
    meaning : str
        Description in help.
    title : str
        Title in the question list of the Ranking page; empty if another place shows it.
    needs : tuple of str
        Necessary data of an archive, `training sets` or `costs`; options of a question about a task-array.
    of_single_tasks : bool
        Whether it treats each task separately.
    has_region : bool
        Whether it uses a region of practical equivalence.
    is_slow : bool
        Whether pages limit the number of methods.
    adjusts : bool
        Whether it uses an adjustment of p.
    over_units : bool
        Whether it generalizes to other tasks, so that tasks of one dataset leave nothing to test. Also False
        for answers that state this themselves.
    """

    key: str
    answer: Callable[[Request], Answer]
    _: KW_ONLY
    order: int
    meaning: str
    title: str = ""
    needs: tuple[str, ...] = ()
    of_single_tasks: bool = False
    has_region: bool = False
    is_slow: bool = False
    adjusts: bool = False
    over_units: bool = True


def question(key: str, **about: Any) -> Callable[[Callable[[Request], Answer]], Question[Request]]:
    """Register a function as the answer to a question. about: further fields of `Question`."""
    return partial(Question, key, **about)


def questions_of(package: ModuleType) -> dict[str, Question[Any]]:
    """Return the questions in the modules of a package by their keys, in their order.

    Raises ValueError if two questions have the same key.
    """
    modules = [import_module(f"{package.__name__}.{one.name}") for one in iter_modules(package.__path__)]
    every = [one for module in modules for one in vars(module).values() if isinstance(one, Question)]
    questions = {one.key: one for one in sorted(every, key=lambda one: one.order)}
    if len(questions) < len(every):
        raise ValueError(f"expected questions with different keys, found {sorted(one.key for one in every)}")
    return questions


class SingleTask(NamedTuple):
    """All pairs of the methods with results on a task.

    Attributes
    ----------
    pairs : tuple[Whole, Whole]
        Places of the first and of the second methods.
    differences : Floats
        First minus second.
    lower, upper : Floats
        Interval of each pair, not adjusted.
    p : Floats
        Two-sided, not adjusted.
    verdicts : tuple of str
        Verdicts on the first method, adjusted for all pairs.
    """

    task: str
    methods: tuple[str, ...]
    pairs: "tuple[Whole, Whole]"
    differences: "Floats"
    lower: "Floats"
    upper: "Floats"
    p: "Floats"
    verdicts: tuple[str, ...]


class ArchiveData(Protocol):
    """Archive data that questions need, for the ranked methods and tasks."""

    def pair_differences(self, unit: str) -> "TaskPairs":
        """Return the standardized differences of all pairs on each unit, with their errors."""

    def training_sets(self) -> "tuple[list[Floats], list[float]]":
        """Return the losses of the training sets that all methods share, and the factors by which their
        overlap raises the variance of a mean.

        Losses of a task have the shape (training sets, methods). Tasks without any are omitted.
        """

    def costs(self) -> "Costs | None":
        """Return costs and quality of the methods; None unless all have known costs on two units."""

    def scope(self) -> tuple[str, tuple[str, ...]]:
        """Return the type of the tasks, and the properties that distinguish them from others."""

    def designs(self) -> "Iterable[TaskDesign]":
        """Return the sizes of each task, and the standard deviations of the differences of its pairs."""

    def single_tasks(self, level_of_pairs: Callable[[float, int], float]) -> Iterable[SingleTask]:
        """Return the comparisons on each task.

        level_of_pairs: confidence of a pair's interval, from the setting's confidence and the number of
        methods.
        """


@dataclass(frozen=True, eq=False)
class QuestionRequest:
    """Input of a question.

    Attributes
    ----------
    measure : Measure
        The ranked measure.
    setting : Setting
        Confidence, and the adjustment of p.
    margin : float
        Half the width of the region of practical equivalence.
    test : RankTest
        The test behind verdicts on pairs.
    ranking : Analysis or None
        The ranking, None for questions about single tasks.
    data : ArchiveData or None
        None for a table of scores.
    """

    measure: Measure
    setting: Setting = DEFAULT_SETTING
    margin: float = DEFAULT_MARGIN
    test: RankTest = DEFAULT_TEST
    ranking: "Analysis | None" = None
    data: ArchiveData | None = None

    @property
    def analysis(self) -> "Analysis":
        """The ranking. Raises ValueError for a request about single tasks."""
        if self.ranking is None:
            raise ValueError("expected an analysis of all tasks, got none")
        return self.ranking

    @property
    def units(self) -> str:
        """The number and name of the units that count: `29 datasets`."""
        from delvecore.report.ranking.sentences import unit_count

        return unit_count(self.analysis)

    @property
    def archive(self) -> ArchiveData:
        """The archive data. Raises DelveError for a table of scores."""
        if self.data is None:
            raise DelveError("expected tasks of an archive, with their training sets, found a table")
        return self.data
