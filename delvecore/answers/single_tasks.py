"""On single tasks: which methods may be the best, and which are as good as each other."""

from collections.abc import Sequence

from delvecore.answers.answer import Answer, IntervalFields, Kind, fields_of
from delvecore.report.writers.text import counted
from delvecore.stats.array_types import Floats
from delvecore.stats.choose import percent
from delvecore.stats.losses.comparison_with_best import WithBest

MAY_BE, IS, IS_NOT = "may be the best", "the best", "worse than another"


def best_answer(
    tasks: Sequence[tuple[str, Sequence[str], WithBest]], *, level: float, measure: str
) -> Answer:
    """Which methods may be the best of each task? tasks: (name, methods, their comparison with the best);
    measure: what is compared, in words."""
    rows: list[tuple[object, ...]] = []
    for name, methods, found in tasks:
        numbers = (getattr(found, key).tolist() for key in ("lower", "upper", "p"))
        rows += zip([name] * len(methods), methods, _standings(found), *numbers, strict=True)
    confidence = percent(level)
    about: tuple[tuple[str, str, Kind], ...] = (
        ("task", "task", "name"),
        ("method", "method", "name"),
        ("verdict", "it is", "name"),
        ("lower", f"loses {confidence} from", "number"),
        ("upper", "to", "number"),
        ("p", "p of being the best", "p"),
    )
    notes = (
        "Multiple comparison with the best (Hsu): each method against all others of the task by its own "
        f"test, adjusted so that the truly best one is kept with {confidence}. The interval is that of its "
        f"expected {measure} less the lowest of the others', at once for all methods of a task.",
    )
    return Answer("best", _best_sentence(tasks, confidence), fields_of(rows, about), notes)


def _standings(found: WithBest) -> list[str]:
    alone = found.may_be_best.sum() == 1
    return [(IS if alone else MAY_BE) if one else IS_NOT for one in found.may_be_best.tolist()]


def _best_sentence(tasks: Sequence[tuple[str, Sequence[str], WithBest]], confidence: str) -> str:
    if len(tasks) == 1:
        name, methods, found = tasks[0]
        kept = [method for method, one in zip(methods, found.may_be_best.tolist(), strict=True) if one]
        if len(kept) == 1:
            return f"On {name} {kept[0]} is the best of {counted(len(methods), 'method')} ({confidence})."
        which = f"{', '.join(kept[:-1])} and {kept[-1]}"
        return f"On {name} {which} may be the best of {counted(len(methods), 'method')} ({confidence})."
    alone = sum(int(found.may_be_best.sum() == 1) for *_, found in tasks)
    counts: dict[str, int] = {}
    for _, methods, found in tasks:
        for method, one in zip(methods, found.may_be_best.tolist(), strict=True):
            counts[method] = counts.get(method, 0) + one
    most = max(counts, key=counts.__getitem__)
    return (
        f"One method is the best on {alone} of {counted(len(tasks), 'task')} ({confidence}); {most} may be "
        f"the best on most of them, {counts[most]}."
    )


def same_answer(
    tasks: Sequence[tuple[str, Sequence[tuple[str, str]], tuple[Floats, Floats, Floats], Sequence[str]]],
    *,
    margin: float,
    level: float,
    measure: str,
) -> Answer:
    """Which methods are as good as each other on each task?

    tasks: (name, pairs of methods, (differences, lower, upper), verdicts of the first), the intervals being
    those of two one-sided tests, adjusted for the pairs of the task."""
    rows: list[tuple[object, ...]] = []
    verdicts: list[str] = []
    for name, pairs, (difference, lower, upper), said in tasks:
        same = (lower > -margin) & (upper < margin)
        own = ["as good as b" if one else word for one, word in zip(same, said, strict=True)]
        numbers = (values.tolist() for values in (difference, lower, upper))
        rows += zip([name] * len(pairs), *zip(*pairs, strict=True), *numbers, own, strict=True)
        verdicts += own
    equal, total = verdicts.count("as good as b"), len(verdicts)
    neither = verdicts.count("not significant") + verdicts.count("not tested")
    sentence = (
        f"On {counted(len(tasks), 'task')}, of {counted(total, 'comparison')} of two methods {equal} find "
        f"them as "
        f"good as each other within {margin:g}, {total - equal - neither} find a difference, {neither} "
        "find neither."
    )
    if len(tasks) == 1:
        sentence = sentence.replace("On 1 task", f"On {tasks[0][0]}", 1)
    about: tuple[tuple[str, str, Kind], ...] = (
        ("task", "task", "name"),
        ("a", "a", "name"),
        ("b", "b", "name"),
        ("difference", "difference", "number"),
        ("lower", "from", "number"),
        ("upper", "to", "number"),
        ("verdict", "a is", "name"),
    )
    notes = (
        f"As good as: two one-sided tests find the difference of expected {measure}es (a less b) above "
        f"-{margin:g} and below {margin:g}, at {1 - level:.2g}. Bonferroni's inequality adjusts p for the "
        "pairs of a task; the interval lies inside of the margins then. Better, worse: by the task's own "
        "test, adjusted for all pairs. That no difference was found does not make methods as good as each "
        "other.",
    )
    axis = "difference (first less second)"
    figure = IntervalFields(("a", "b"), "difference", "lower", "upper", axis, (-margin, margin))
    return Answer("same", sentence, fields_of(rows, about), notes, figure)
