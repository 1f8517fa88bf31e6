"""Questions about the methods on each task."""

from collections.abc import Callable, Sequence

from delvecore.answers.answer import PAIR, Answer, IntervalFields, Kind, table_of
from delvecore.answers.question import QuestionRequest, SingleTask, question
from delvecore.errors import DelveError
from delvecore.render.numbers import counted, parameter, percent
from delvecore.render.spans import as_name
from delvecore.render.text import and_list
from delvecore.stats.choose import Verdict

MAY_BE, IS, IS_NOT = "may be the best", "the best", "worse than another"


@question(
    "best",
    order=150,
    meaning="on each task: which methods may be the best",
    needs=("training sets",),
    of_single_tasks=True,
)
def best(request: QuestionRequest) -> Answer:
    """Which methods may be the best on each task?"""
    import numpy as np

    from delvecore.report import words
    from delvecore.stats.losses.comparison_with_best import compare_with_best, level_for_best
    from delvecore.stats.orientation import oriented, oriented_interval

    measure, alpha = request.measure, request.setting.alpha
    rows: list[tuple[object, ...]] = []
    tasks, untested = [], []
    for one in _tasks(request, level_for_best):
        lower, upper, p = compare_with_best(
            one.pairs,
            oriented_interval(one.lower, one.upper, measure),
            one.p,
            differences=oriented(one.differences, measure),
            alpha=alpha,
        )
        ends, may_be_best = oriented_interval(lower, upper, measure), (p >= alpha).tolist()
        tasks.append((one.task, one.methods, may_be_best))
        untested += [one.task] if (np.isinf(lower) & np.isinf(upper)).any() else []
        kept = IS if sum(may_be_best) == 1 else MAY_BE
        verdicts = [kept if yes else IS_NOT for yes in may_be_best]
        numbers = (values.tolist() for values in (*ends, p))
        rows += zip([one.task] * len(one.methods), one.methods, verdicts, *numbers, strict=True)
    confidence = percent(request.setting.level)
    about: tuple[tuple[str, str, Kind], ...] = (
        ("task", "task", "name"),
        ("method", "method", "name"),
        ("verdict", "it is", "name"),
        ("lower", f"{'loses ' * measure.is_loss}{confidence} from", "number"),
        ("upper", "to", "number"),
        ("p", "p of being the best", "p"),
    )
    notes: tuple[str, ...] = (
        "Multiple comparison with the best (Hsu): each method is tested against all others of the task. The "
        f"adjustment keeps the truly best method with {confidence} confidence. Intervals: the expected "
        f"{words.unit_words(measure)} of a method minus the {words.best_end(measure)} of the others, "
        "simultaneously for all methods of a task.",
    )
    if untested:
        notes += (
            f"No bounds on {and_list(_some(untested))}: some pairs have no test, for example because their "
            "differences do not vary.",
        )
    return Answer("best", _best_sentence(tasks, confidence), table_of(rows, about), notes)


def _some(names: Sequence[str], most: int = 4) -> list[str]:
    """Return the distinct names, or the first ones and the number of the others."""
    every = list(dict.fromkeys(names))
    more = [f"{counted(len(every) - most, 'more task')}"] if len(every) > most else []
    return [*map(as_name, every[:most]), *more]


def _best_sentence(tasks: Sequence[tuple[str, Sequence[str], Sequence[bool]]], confidence: str) -> str:
    if len(tasks) == 1:
        path, methods, may_be_best = tasks[0]
        name = as_name(path)
        kept = [as_name(method) for method, one in zip(methods, may_be_best, strict=True) if one]
        if len(kept) == 1:
            return f"On {name} {kept[0]} is the best of {counted(len(methods), 'method')} ({confidence})."
        return (
            f"On {name} {and_list(kept)} may be the best of {counted(len(methods), 'method')} ({confidence})."
        )
    alone = sum(sum(may_be_best) == 1 for *_, may_be_best in tasks)
    counts: dict[str, int] = {}
    for _, methods, may_be_best in tasks:
        for method, one in zip(methods, may_be_best, strict=True):
            counts[method] = counts.get(method, 0) + one
    most = max(counts.values())
    leaders = [as_name(method) for method, count in counts.items() if count == most]
    each = " each" if len(leaders) > 1 else ""
    return (
        f"One method is the best on {alone} of {counted(len(tasks), 'task')} ({confidence}); "
        f"{and_list(leaders)} may be the best most often, on {most}{each}."
    )


def _tasks(request: QuestionRequest, level_of_pairs: Callable[[float, int], float]) -> list[SingleTask]:
    tasks = list(request.archive.single_tasks(level_of_pairs))
    if not tasks:
        raise DelveError("expected tasks with results of two methods, found none")
    return tasks


@question(
    "same",
    order=160,
    meaning="on each task: which methods are as good as each other",
    needs=("training sets",),
    of_single_tasks=True,
    has_region=True,
    adjusts=True,
)
def same(request: QuestionRequest) -> Answer:
    """Which methods are as good as each other on each task?"""
    from delvecore.report import words
    from delvecore.stats.ranking.effects import level_for_pairs

    margin, level, measure = request.margin, request.setting.level, request.measure
    tasks = _tasks(request, level_for_pairs)
    rows: list[tuple[object, ...]] = []
    verdicts: list[str] = []
    for one in tasks:
        is_same = (one.lower > -margin) & (one.upper < margin)
        of_task = ["as good as b" if yes else word for yes, word in zip(is_same, one.verdicts, strict=True)]
        names = ([one.methods[place] for place in places] for places in one.pairs)
        numbers = (values.tolist() for values in (one.differences, one.lower, one.upper))
        rows += zip([one.task] * len(of_task), *names, *numbers, of_task, strict=True)
        verdicts += of_task
    equal, total = verdicts.count("as good as b"), len(verdicts)
    neither = verdicts.count("not significant") + verdicts.count("not tested")
    sentence = (
        f"On {counted(len(tasks), 'task')} {equal} of {counted(total, 'pair')} of methods "
        f"{'is' if equal == 1 else 'are'} as good as each other within {parameter(margin)}, "
        f"{total - equal - neither} differ, {neither} are undecided."
    )
    if len(tasks) == 1:
        sentence = sentence.replace("On 1 task", f"On {as_name(tasks[0].task)}", 1)
    about: tuple[tuple[str, str, Kind], ...] = (
        ("task", "task", "name"),
        ("method_a", "a", "name"),
        ("method_b", "b", "name"),
        ("difference", "difference", "number"),
        ("lower", "from", "number"),
        ("upper", "to", "number"),
        ("verdict", "a is", "name"),
    )
    notes: tuple[str, ...] = (
        f"As good as: two one-sided tests find the difference of expected "
        f"{words.unit_words(measure, plural=True)} (a minus b) above -{parameter(margin)} and below "
        f"{parameter(margin)}, at "
        f"{parameter(1 - level)}. Bonferroni's inequality adjusts p for the pairs of a task; the "
        "interval then lies inside the margins. Better, worse: by the task's test, adjusted for all pairs. "
        "A difference that is not significant does not make methods as good as each other.",
    )
    untested = [str(row[0]) for row in rows if row[-1] == Verdict.NOT_TESTED]
    if untested:
        notes += (
            f"Not tested: pairs on {and_list(_some(untested))} have no test, for example because their "
            "differences do not vary.",
        )
    axis = "difference (first minus second)"
    figure = IntervalFields(PAIR, "difference", "lower", "upper", axis, (-margin, margin))
    return Answer("same", sentence, table_of(rows, about), notes, figure)
