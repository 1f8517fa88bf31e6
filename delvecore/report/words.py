"""Names, measures and settings in words, as the pages show them.

`escape` must be applied to every name or text that comes from a file before it reaches Markdown."""

from delvecore.losses.spec import loss_preference as loss_preference
from delvecore.losses.standard_losses import LOSS_SPECS, Loss
from delvecore.measures import Measure
from delvecore.metrics.registry import spec_named
from delvecore.model import LEVELS
from delvecore.render.numbers import NO_VALUE as NO_VALUE
from delvecore.render.numbers import counted, integer, p_words
from delvecore.render.numbers import decimals_for as decimals_for
from delvecore.render.numbers import level as level
from delvecore.render.numbers import number as number
from delvecore.render.numbers import share as share
from delvecore.render.numbers import with_error as with_error
from delvecore.render.spans import escape as escape
from delvecore.render.spans import short_line as short_line
from delvecore.render.text import and_list as and_list
from delvecore.stats.choose import ADJUSTMENTS, Setting

p_value, count = p_words, counted
LEVEL_NAMES = dict(zip(LEVELS, ("none", "low", "medium", "high"), strict=True))
LOWER = " Lower is better."


def about_measure(measure: Measure) -> str:
    """Describe a measure in a sentence or two, with its direction."""
    if isinstance(measure, Loss):
        return measure.explanation + LOWER
    spec = spec_named(measure.title.partition(":")[0])
    about = f"{spec.title.capitalize()}: {spec.formula}." if spec else "As in the source of the scores."
    return f"{about} {measure.direction.capitalize()}."


def measure_name(measure: Measure) -> str:
    """`Squared error (S)`, `0-1 loss, 0.2 for no guess (Z0.2N)`, `accuracy`. Not escaped: it may come from a
    file."""
    return f"{measure.title} ({measure.key})" if measure.is_loss else measure.title


def measure_option(measure: Measure) -> str:
    """Return a measure to choose: `Squared error (S)`, `Metric: accuracy (acc, higher is better)`."""
    if measure.is_loss:
        return measure_name(measure)
    spec = spec_named(measure.title.partition(":")[0])
    if spec is None:
        return directed_name(measure)
    return f"Metric: {spec.title} ({measure.title}, {measure.direction})"


def measure_markdown(measure: Measure) -> str:
    """Return the name of a measure for Markdown, as in sentences and on buttons."""
    return measure_name(measure) if measure.key in LOSS_SPECS else escape(measure_name(measure))


def measure_within(measure: Measure) -> str:
    """Return a measure within a sentence: `squared error (S)`, `accuracy (higher is better)`. Markdown."""
    if not measure.is_loss:
        return escape(directed_name(measure))
    name = measure_markdown(measure)
    return f"{name[0].lower()}{name[1:]}"


def directed_name(measure: Measure) -> str:
    """`accuracy (higher is better)`: the measure of scores, as their file names it."""
    return f"{short_line(measure.title, longest=40)} ({measure.direction})"


def unit_words(measure: Measure, *, plural: bool = False) -> str:
    """Return the name of the values, in the unit for comparisons of tasks: `standardized
    loss`, `accuracy`.
    """
    if not measure.is_loss:
        return measure.title
    return f"standardized loss{'es' * plural}"


def some_of(shown: int, of: int, noun: str) -> str:
    """`all 12 methods`, `3 of 12 methods` or `no methods`: a number and the total."""
    if not of:
        return count(of, noun)
    return f"all {count(of, noun)}" if shown == of > 1 else f"{integer(shown)} of {count(of, noun)}"


def best_end(measure: Measure) -> str:
    """Return `lowest` or `highest`, the extreme with the best value."""
    return "highest" if measure.higher_is_better else "lowest"


def measure_quantity(measure: Measure) -> str:
    """Return the ranked measure: `standardized squared error (S)`, `accuracy (higher is better)`."""
    if not measure.is_loss:
        return directed_name(measure)
    name = measure_name(measure)
    return f"standardized {name[0].lower()}{name[1:]}"


def measure_axis(measure: Measure, *, standardized: bool = False, difference: bool = False) -> str:
    """Return the title of an axis of values; unless they are differences, an arrow shows the better side."""
    name = axis_name(measure, standardized=standardized)
    if difference and measure.is_loss:
        return f"difference in {name[0].lower()}{name[1:]}".removesuffix(f" ({measure.key})")
    return f"difference in {name}" if difference else better_side(name, higher=measure.higher_is_better)


def axis_name(measure: Measure, *, standardized: bool = False) -> str:
    """Return the title of an axis of values.

    Specialized losses have short names, because their full names do not fit on small figures. A metric is
    never standardized.
    """
    if not measure.is_loss:
        return measure.title
    name = measure_name(measure) if measure.key in LOSS_SPECS else f"Loss {measure.key}"
    return f"standardized {name[0].lower()}{name[1:]}" if standardized else name


def vertical_axis(measure: Measure) -> str:
    """Return the text above a vertical axis: the measure, `standardized`, and an arrow to the better side."""
    arrow = "↑" if measure.higher_is_better else "↓"
    return f"{arrow} better   {plot_text(axis_name(measure, standardized=True))}"


def better_side(text: str, *, higher: bool = False) -> str:
    """Return the title of an axis with an arrow to the better side."""
    return f"{text}   better →" if higher else f"← better   {text}"


def plot_text(text: object, *, longest: int = 60) -> str:
    """Escape a text from a file for Plotly, which interprets some HTML."""
    line = short_line(text, longest=longest)
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")


def lines(text: str, *, longest: int) -> str:
    """Return a short text as lines for a figure, broken at blanks after about this number of characters."""
    rows = [""]
    for word in plot_text(text).split():
        is_full = rows[-1] and len(rows[-1]) + len(word) >= longest
        rows = [*rows, word] if is_full else [*rows[:-1], f"{rows[-1]} {word}".strip()]
    return "<br>".join(rows)


def setting(chosen: Setting) -> str:
    """`95 %, Holm`: the rule for significant differences, in a few words."""
    return f"{level(chosen.level)}, {adjustment(chosen.adjust)}"


def adjustment(adjust: str) -> str:
    """`Holm`: the adjustment of p for the number of pairs."""
    return "no adjustment" if adjust == "none" else ADJUSTMENTS[adjust]


def prior_levels(letters: str) -> str:
    """Spell the levels of a prior: `medium (M)`, `none to high (NLMH)`, `none or high (NH)`."""
    kept = "".join(letter for letter in LEVELS if letter in letters.upper())
    names = [LEVEL_NAMES[letter] for letter in kept]
    levels_text = f"{names[0]} to {names[-1]}" if len(kept) > 2 and kept in LEVELS else " or ".join(names)
    return f"{levels_text} ({letters})"


def task_path(dataset: str, prototask: str, task: str | None = None) -> str:
    """`/demo/age/std.128`: shown once, in monospace."""
    return "/" + "/".join(part for part in (dataset, prototask, task) if part)
