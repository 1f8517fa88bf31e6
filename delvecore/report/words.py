"""Words before letters: names, sentences and numbers as the pages write them.

`escape` must be applied to every name or text that comes from a file before it reaches Markdown."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from delvecore.losses.metrics import Metric
from delvecore.losses.spec import loss_preference as loss_preference
from delvecore.losses.spec import metric_of, parse_loss
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.metrics.registry import spec_named
from delvecore.model import LEVELS
from delvecore.report.ranking.sentences import Wording
from delvecore.report.rounding import decimals_for as decimals_for
from delvecore.report.rounding import p_words
from delvecore.report.writers.text import and_list as and_list
from delvecore.report.writers.text import plain as plain
from delvecore.stats.choose import ADJUSTMENTS, Setting, percent
from delvecore.stats.verdicts import NEXT_TO_ZERO

p_value = p_words
NO_VALUE = "–"
LEVEL_NAMES = dict(zip(LEVELS, ("none", "low", "medium", "high"), strict=True))
LOWER = " Lower is better."
BEST_CONSTANT = "the best constant guess"
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Streamlit turns these into pictures, typographic signs or links even where their characters are escaped.
_PICTURES = re.compile(
    r":(?=[\w+\-/]*:|//)|<(?=-)|-(?=[>-])|[<>~](?==)|www(?=\.)|@(?=[-\w]+\.)", re.IGNORECASE
)


@dataclass(frozen=True)
class LossWords:
    """letter: of the loss, or its whole name; name: in words; baseline: what a standardized loss of
    `baseline_value` stands for, None for a metric, whose losses stay as they are."""

    letter: str
    name: str
    explanation: str
    baseline: str
    baseline_value: float | None

    @property
    def title(self) -> str:
        return self.name if self.baseline_value is None else f"{self.name} ({self.letter})"


LOSSES: Mapping[str, LossWords] = {
    letter: LossWords(letter, spec.page_name, spec.explanation + LOWER, spec.baseline, spec.baseline_value)
    for letter, spec in sorted(LOSS_SPECS.items())
}


def loss_words(loss: str) -> LossWords | None:
    """Return what is said of a loss: one of the five, a specialized one, or that of a metric."""
    if loss in LOSSES:
        return LOSSES[loss]
    if metric := metric_of(loss):
        spec = spec_named(metric.name.partition(":")[0])
        about = f"{spec.title.capitalize()}: {spec.formula}." if spec else "As the scores have it."
        return LossWords(loss, metric.name, f"{about} {metric.direction.capitalize()}.", "", None)
    found = parse_loss(loss)
    if found is None:
        return None
    if found.matrix is not None:
        explanation = f"What a guess costs for each true value is in the prototask's file {found.matrix}."
        return LossWords(loss, f"Loss matrix {found.matrix}", explanation + LOWER, BEST_CONSTANT, 1.0)
    penalty, plain_loss = loss[1:-1], LOSSES[loss[0]]
    name = f"{plain_loss.name}, {penalty} for no guess"
    explanation = f"{plain_loss.explanation.removesuffix(LOWER)} Making no guess costs {penalty}."
    return LossWords(loss, name, explanation + LOWER, f"{BEST_CONSTANT}, or none", 1.0)


def loss_name(loss: str) -> str:
    """`Squared error (S)` for S, `0-1 loss, 0.2 for no guess (Z0.2N)`. Not escaped: it may name a file."""
    known = loss_words(loss)
    return known.title if known else loss


def loss_option(loss: str) -> str:
    """Return a loss to choose: `Squared error (S)`, `Metric: accuracy (acc, higher is better)`."""
    metric = metric_of(loss)
    spec = spec_named(metric.name.partition(":")[0]) if metric else None
    if metric is None:
        return loss_name(loss)
    return f"Metric: {spec.title} ({metric.name}, {metric.direction})" if spec else metric_words(metric)


def loss_markdown(loss: str) -> str:
    """Return the name of a loss for Markdown, as in sentences and on buttons."""
    return loss_name(loss) if loss in LOSSES else escape(loss_name(loss))


def loss_within(loss: str) -> str:
    """Return the name of a loss as it stands within a sentence: `squared error (S)`. Markdown."""
    if metric := metric_of(loss):
        return escape(metric_words(metric))
    name = loss_markdown(loss)
    return f"{name[0].lower()}{name[1:]}"


def metric_words(metric: Metric) -> str:
    """`accuracy (higher is better)`: what scores measure, as their file calls it."""
    return f"{plain(metric.name, longest=40)} ({metric.direction})"


def some_of(shown: int, of: int, noun: str) -> str:
    """`all 12 methods`, `3 of 12 methods`: how many of how many."""
    return f"all {count(of, noun)}" if shown == of > 1 else f"{shown:,} of {count(of, noun)}"


class Baseline(NamedTuple):
    """Where a figure of standardized losses has its line, and what stands there."""

    value: float
    text: str


def loss_baseline(loss: str) -> Baseline | None:
    """Return the baseline of a standardized loss; None for a metric, which has none."""
    known = loss_words(loss)
    if known is None or known.baseline_value is None:
        return None
    return Baseline(known.baseline_value, known.baseline)


def loss_quantity(loss: str) -> str:
    """Return what is ranked: `standardized squared error (S)`, `accuracy (higher is better)`."""
    if metric := metric_of(loss):
        return metric_words(metric)
    name = loss_name(loss)
    return f"standardized {name[0].lower()}{name[1:]}"


def loss_axis(loss: str, *, standardized: bool = False, difference: bool = False) -> str:
    """Return the title of a loss axis; unless it is of differences, its arrow says which direction is better.

    Specialized losses are shown by their short names, as their full ones do not fit below half a page; a
    metric has no other unit."""
    if metric := metric_of(loss):
        return f"difference in {metric.title}" if difference else f"← better   {metric.title}"
    name = loss_name(loss) if loss in LOSSES else f"Loss {loss}"
    name = f"standardized {name[0].lower()}{name[1:]}" if standardized else name
    if difference:
        return f"difference in {name[0].lower()}{name[1:]}".removesuffix(f" ({loss})")
    return f"← better   {name}"


def better_side(text: str, *, higher: bool = False) -> str:
    """Return the title of an axis with an arrow to the side that is better."""
    return f"{text}   better →" if higher else f"← better   {text}"


def value_axis(loss: str, *, standardized: bool = False, difference: bool = False) -> str:
    """Return the title of an axis as `loss_axis` does, but of a metric's values, which have a direction."""
    metric = metric_of(loss)
    if metric is None:
        return loss_axis(loss, standardized=standardized, difference=difference)
    if difference:
        return f"difference in {metric.name}"
    return better_side(metric.name, higher=metric.higher_is_better)


def escape(text: object) -> str:
    """Return a text from a file so that Markdown shows exactly its characters.

    Nothing in it can become a picture, a link, a formula, an emoji or a heading."""
    line = _PICTURES.sub(lambda match: match.group() + "\u200c", plain(text))
    return _PUNCTUATION.sub(r"\\\1", line)


MARKDOWN = Wording(escape, "**{}**".format)
"""How sentences are written on a page."""


def spoken(text: str) -> str:
    """Return one of our sentences in Markdown as it is said aloud: without its marks."""
    return re.sub(r"\\([!-/:-@\[-`{-~])|\*\*|`|\u200c", r"\1", text)


def plot_text(text: object, *, longest: int = 60) -> str:
    """Return a text from a file so that Plotly, which reads some HTML, shows exactly its characters."""
    line = plain(text, longest=longest)
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")


def lines(text: str, *, longest: int) -> str:
    """Return a short text as lines for a figure, broken at blanks where a line has about so many letters."""
    found = [""]
    for word in plot_text(text).split():
        is_full = found[-1] and len(found[-1]) + len(word) >= longest
        found = [*found, word] if is_full else [*found[:-1], f"{found[-1]} {word}".strip()]
    return "<br>".join(found)


def count(number_of: int, noun: str, plural: str | None = None) -> str:
    """`1 task`, `2 tasks`, `no tasks`, `8,192 cases`."""
    if number_of == 0:
        return f"no {plural or noun + 's'}"
    return f"{number_of:,} {noun if number_of == 1 else plural or noun + 's'}"


def number(value: float | None, *, digits: int = 4, zeros: bool = False) -> str:
    """Return a number to so many significant digits, seldom with exponent. zeros: keep those at the end."""
    if value is None or math.isnan(value):
        return NO_VALUE
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) <= NEXT_TO_ZERO:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if not -5 <= exponent < 9:
        return _minus(f"{value:.{digits - 1}e}")
    decimals = max(digits - 1 - exponent, 0)
    text = f"{value:,.{decimals}f}"
    return _minus(text if zeros or "." not in text else text.rstrip("0").rstrip("."))


def with_error(value: float | None, error: float | None) -> str:
    """`0.412 ± 0.013`: both with the digits of two significant digits of the error."""
    if value is None or error is None or not math.isfinite(value) or not math.isfinite(error):
        return number(value)
    decimals = decimals_for(error)
    return _minus(f"{value:,.{decimals}f} ± {error:,.{decimals}f}")


def level(confidence: float) -> str:
    """`95 %`"""
    return percent(confidence).replace(" ", "\N{NO-BREAK SPACE}")


def setting(chosen: Setting) -> str:
    """`95 %, Holm`: by which rule differences are significant, in a few words."""
    return f"{level(chosen.level)}, {adjustment(chosen.adjust)}"


def adjustment(adjust: str) -> str:
    """`Holm`: by which rule p allows for the number of pairs."""
    return "no adjustment" if adjust == "none" else ADJUSTMENTS[adjust]


def share(part: float, whole: float) -> str:
    """`12 %`; never `0 %` for something and never `100 %` for not everything."""
    if whole == 0:
        return NO_VALUE
    hundredths = 100 * part / whole
    if 0 < hundredths < 1:
        return "< 1 %"
    return "> 99 %" if 99 < hundredths < 100 else f"{hundredths:.0f} %"


def prior_levels(letters: str) -> str:
    """Spell levels that a prior allows: `medium (M)`, `none to high (NLMH)`, `none or high (NH)`."""
    kept = "".join(letter for letter in LEVELS if letter in letters.upper())
    names = [LEVEL_NAMES[letter] for letter in kept]
    said = f"{names[0]} to {names[-1]}" if len(kept) > 2 and kept in LEVELS else " or ".join(names)
    return f"{said} ({letters})"


def task_path(dataset: str, prototask: str, task: str | None = None) -> str:
    """`/demo/age/std.128`: shown once, in monospace."""
    return "/" + "/".join(part for part in (dataset, prototask, task) if part)


def _minus(text: str) -> str:
    return text.replace("-", "−") if "e" not in text else text
