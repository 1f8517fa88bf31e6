"""Effects of factors, and slopes of learning curves."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from delvecore.answers.answer import Answer
from delvecore.answers.question import question
from delvecore.measures import Measure
from delvecore.render.numbers import counted, decimals_for, p_text, percent, rounded
from delvecore.stats.choose import Setting, adjustment_words

if TYPE_CHECKING:
    import pyarrow as pa

    from delvecore.answers.task_array import ArrayFacts

ONE_DATASET = "Each member of the array is one dataset: another one made in the same way may differ by more."
KINDS = {"linear": ", log2", "level": ", level"}


@question(
    "effects",
    order=50,
    meaning="effects of factors, training size and interactions",
    needs=("setting", "order", "scale"),
)
def effects(facts: "ArrayFacts") -> Answer:
    """What drives the values of each method? Raises ValueError for an unavailable scale."""
    from delvecore.answers import task_array
    from delvecore.report.paper.source import measure_caption
    from delvecore.stats.arrays.factorial_effects import array_effects
    from delvecore.tables import rows_of

    measure = facts.measure
    table = array_effects(facts.data, order=facts.order, scale=facts.scale, setting=facts.setting)
    scale, factor = _scale(table, measure)
    names = ("method", "term", "kind", "contrast", "share", "p_adjusted")
    shown = [
        (
            method,
            f"{term}{KINDS.get(kind, '')}",
            contrast or "",
            *interval,
            "" if share is None else rounded(100 * share, 1),
            p_text(p),
        )
        for (method, term, kind, contrast, share, p), interval in zip(
            rows_of(table, names), _intervals(table, "effect", factor), strict=True
        )
    ]
    titles = ("effect", "from", "to", *factor, "share", "p")
    columns = [*task_array.titles("name", "method", "what", "contrast"), *task_array.titles("count", *titles)]
    notes = [
        "An effect is the average at the last level minus that at the first. The effect of an interaction is "
        "half the difference of one factor's effects between the ends of the other.",
        *(f"{name}: exp(effect), which multiplies the {measure.noun}." for name in factor),
        "share: of the variation between the tasks. A row 'log2' is the part that follows the logarithm of "
        "the training size; the share in the row above includes it.",
        _about_intervals(facts.setting, "effects"),
        ONE_DATASET,
        *_effect_notes(table),
    ]
    caption = f"effects on the {scale}, with confidence intervals. {measure_caption(measure)}"
    return task_array.array_answer(facts, "effects", caption, notes, table, columns, shown)


@question("slopes", order=60, meaning="slopes of learning curves", needs=("setting", "scale"))
def slopes(facts: "ArrayFacts") -> Answer:
    """How do values change with each doubling of the training set? Raises ValueError as `effects` does."""
    from delvecore.answers import task_array
    from delvecore.report.paper.source import measure_caption
    from delvecore.stats.arrays.factorial_effects import learning_slopes
    from delvecore.tables import rows_of

    measure = facts.measure
    table = learning_slopes(facts.data, scale=facts.scale, setting=facts.setting)
    scale, factor = _scale(table, measure)
    titles = ("slope", "from", "to", *factor, "p")
    columns = task_array.titles("name", *(one.name for one in facts.array.factors), "method")
    columns += [*task_array.titles("count", *titles), ("note", "name")]
    shown = [
        (*task_array.labels(facts, levels), method, *interval, p_text(p), note or "")
        for (levels, method, p, note), interval in zip(
            rows_of(table, ("levels", "method", "p_adjusted", "note")),
            _intervals(table, "slope", factor),
            strict=True,
        )
    ]
    caption = f"change of the {scale} with each doubling of the training set. {measure_caption(measure)}"
    notes = [f"{name}: each doubling multiplies the {measure.noun} by this." for name in factor]
    notes += ["p: for the hypothesis of no change.", ONE_DATASET, _about_intervals(facts.setting, "slopes")]
    answer = task_array.array_answer(facts, "slopes", caption, notes, table, columns, shown)
    return replace(answer, repeated=len(facts.array.factors) + 1)


def _scale(table: "pa.Table", measure: Measure) -> tuple[str, list[str]]:
    """Return the name of the analyzed quantity and the titles of factor columns: one for a logarithm."""
    from delvecore.report import words
    from delvecore.stats.arrays.factorial_effects import LOG
    from delvecore.tables import values_of

    if LOG in values_of(table, "scale"):
        return f"logarithm of the {words.unit_words(measure)}", ["factor"]
    return words.unit_words(measure), []


def _intervals(table: "pa.Table", name: str, factor: Sequence[str]) -> Iterator[list[str]]:
    """Yield each value with the ends of its interval, and the multiplicative factor that it represents."""
    from delvecore.tables import rows_of

    for error, ratio, *numbers in rows_of(table, ("standard_error", "ratio", name, "lower", "upper")):
        decimals = decimals_for(error)
        yield [*(rounded(one, decimals) for one in numbers), *(rounded(ratio, 3) for _ in factor)]


def _about_intervals(setting: Setting, what: str) -> str:
    adjusted = adjustment_words(setting.adjust, what=f"{what} of a method")
    return (
        f"{percent(setting.level)} intervals use Student's t with Satterthwaite's degrees of freedom. Errors "
        "are propagated from the task instances, and allow for all training sizes being tested on the same "
        f"cases. p is {adjusted}, and so are the intervals."
    )


def _effect_notes(table: "pa.Table") -> list[str]:
    """Note effects that hold for some terms only, and missing tasks. A note on many methods appears once."""
    import pyarrow.compute as pc

    from delvecore.stats.arrays.factorial_effects import EVERY
    from delvecore.tables import rows_of, values_in

    methods_of: dict[str, list[str]] = {}
    for method in values_in(table, "method"):
        terms: dict[str, dict[str, None]] = {}
        group = table.filter(pc.equal(table["method"], method))
        for term, notes in rows_of(group, ("term", "note")):
            for note in filter(None, (notes or "").split("; ")):
                terms.setdefault(note, {})[term] = None
        texts = [note if note.startswith(EVERY) else f"{', '.join(of)}: {note}" for note, of in terms.items()]
        left = group["left_out"][0].as_py()
        for text in [*texts, *([f"without {counted(len(left), 'task')} of the array"] if left else [])]:
            methods_of.setdefault(text, []).append(method)
    return [f"{', '.join(methods)}: {text}." for text, methods in methods_of.items()]
