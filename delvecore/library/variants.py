"""The variants of a method in an archive, and which of their settings mattered."""

import math
from typing import NamedTuple

import delvecore
from delvecore.answers.answer import Answer, Column, IntervalFields, Kind, Table, table_of
from delvecore.archive.score_tables import score_table
from delvecore.measures import Measure
from delvecore.readers.source_files import SETTINGS, family_of, parse_settings
from delvecore.render.numbers import percent
from delvecore.render.spans import as_name, strong
from delvecore.report import words
from delvecore.stats.choose import DEFAULT_LEVEL, is_significant, significance
from delvecore.stats.ranking.main_effects import MainEffects, Mean, main_effects
from delvecore.stats.ranking.score_table import complete_table
from delvecore.tables import rows_of

NUMBERS = ("mean_rank", "lower", "upper")


class Variants(NamedTuple):
    """Variants of a method and the effects of their settings.

    Attributes
    ----------
    settings : dict[str, dict of str to str]
        Settings of each variant, by name.
    effects : MainEffects or None
        Effects of the settings, None if fewer than two variants have results on a common task.
    left_out : tuple of str
        Variants without a result under the loss.
    dropped : int
        Number of tasks that some variants have not done.
    """

    family: str
    settings: dict[str, dict[str, str]]
    effects: MainEffects | None
    left_out: tuple[str, ...] = ()
    dropped: int = 0


def has_settings(archive: delvecore.Archive, method: str) -> bool:
    """Does a method record the settings of its runs?"""
    return method in _with_settings(archive)


def _with_settings(archive: delvecore.Archive) -> list[str]:
    """Return the methods that have a file of settings."""
    rows = rows_of(archive.methods, ("method", "documents"))
    return [method for method, documents in rows if SETTINGS in (documents or ())]


def variants_of(
    archive: delvecore.Archive, method: str, *, loss: str = "S", level: float = DEFAULT_LEVEL
) -> Variants:
    """Return the variants of a method, or of its family if it is a variant, with main effects of settings.

    loss: standardized loss that ranks them; level: confidence level of intervals."""
    family = family_of(method) or method
    with_settings = _with_settings(archive)
    names = sorted((name for name in with_settings if family_of(name) == family), key=_number) or [method]
    settings = {
        name: parse_settings(archive.read_document("methods", name, "Source", SETTINGS))
        for name in names
        if name in with_settings
    }
    measure = archive.measures.get(loss)
    table = score_table(archive, measure, methods=names, keep=names) if measure else None
    ranked = [name for name in settings if table is not None and name in table.methods]
    left_out = tuple(name for name in settings if name not in ranked)
    if table is None or len(ranked) < 2:
        return Variants(family, settings, None, left_out)
    own = table.select(methods=ranked)
    is_done = ~(own.values != own.values).all(axis=1)
    own = own.select(tasks=[task for task, done in zip(own.tasks, is_done, strict=True) if done])
    complete = complete_table(own)
    dropped = len(own.tasks) - len(complete.tasks)
    if not complete.tasks:
        return Variants(family, settings, None, left_out, dropped)
    effects = main_effects(complete, settings, level=level)
    return Variants(family, settings, effects, left_out, dropped)


def _number(method: str) -> int:
    return int(method.rpartition(".v")[2])


def label(setting: str) -> str:
    """Return a short name of a setting: `C` for `learner.C`, `impute by` for `pre.impute.by`."""
    part, _, own = setting.partition(".")
    return setting.replace(".", " ") if part == "window" else own.replace(".", " ") or part


def settings_answer(variants: Variants, measure: Measure) -> Answer:
    """Return the effects of settings: for each value its mean rank, its mean, and the p of its setting."""
    effects = _known(variants)
    rows = [
        (label(setting), mean.name, mean.variants, *_numbers(mean), effects.p[setting])
        for setting, values in effects.settings.items()
        for mean in values
    ]
    about: list[tuple[str, str, Kind]] = [
        (key, key, "name") for key in ("setting", "value", "variants", *NUMBERS, mean_column(measure), "p")
    ]
    sentence, count = f"{_sentence(effects)} {_best_sentence(variants, effects)}", len(effects.variants)
    axis, labels = (
        f"← better   mean rank among {count} variants",
        (f"{row[0]} = {row[1] or 'none'}" for row in rows),
    )
    figure = IntervalFields(("setting",), *NUMBERS, axis, ((count + 1) / 2,), labels=(*labels,))
    alt = f"Mean ranks of the values of each setting. {sentence}"
    return Answer("settings", sentence, table_of(rows, about), (), figure, alt=alt)


def variants_answer(variants: Variants, measure: Measure) -> Answer:
    """Rank the variants: one row per variant, best mean rank first, with the settings that differ."""
    effects = _known(variants)
    order = sorted(effects.variants, key=lambda mean: mean.rank)
    fields = [Column("variant", "variant", "name", [mean.name for mean in order])]
    for key in effects.settings:
        values = [variants.settings[mean.name].get(key, "") for mean in order]
        fields.append(Column(label(key), label(key), "name", values))
    keys, numbers = (*NUMBERS, mean_column(measure)), zip(*map(_numbers, order), strict=True)
    fields += [Column(key, key, "number", list(values)) for key, values in zip(keys, numbers, strict=True)]
    known = [field for field in fields if any(value == value and value is not None for value in field.values)]
    sentence = f"Variants of {variants.family}, best mean rank first"
    return Answer("variants", sentence, Table(tuple(known)), (_note(variants, effects),))


def _known(variants: Variants) -> MainEffects:
    if variants.effects is None:
        raise ValueError("expected two variants with results on a task, found fewer")
    return variants.effects


def _sentence(effects: MainEffects) -> str:
    """Return a sentence on the setting that mattered most, and on the other settings."""
    p, count = effects.p, len(effects.variants)
    scale = f"ranks from 1 to {count}, {words.count(effects.units, effects.unit)}"
    if not effects.settings:
        return f"These {count} variants have the same settings ({scale})."
    first, *others = effects.settings
    alpha = significance(effects.level)
    matters = [one for one in others if is_significant(p[one], alpha)]
    rest = [one for one in others if one not in matters]
    values = effects.settings[first]
    best, worst = (choose(values, key=lambda mean: mean.rank) for choose in (min, max))
    name = as_name(label(first))
    if is_significant(p[first], alpha):
        start = f"{strong(name)} matters most"
    elif math.isnan(p[first]):
        start = (
            f"{strong(name)} makes the largest difference, which cannot be tested on a single {effects.unit}"
        )
    else:
        start = f"No setting has a significant effect; {strong(name)} makes the largest difference"
    extremes = [f"with {strong(as_name(one.name or 'none'))} mean rank {_rank(one)}" for one in (best, worst)]
    sentence = f"{start}: {', '.join(extremes)}"
    sentence += f" ({scale}{'' if math.isnan(p[first]) else f'; {words.p_value(p[first])}'})."
    if matters:
        sentence += f" {_names(matters)} matter{'s' * (len(matters) == 1)}, too."
    if rest and is_significant(p[first], alpha):
        sentence += f" The effect of {_names(rest)} is not significant."
    return sentence


def _best_sentence(variants: Variants, effects: MainEffects) -> str:
    """Return a text such as this:

    `**svm.v3** (C = 1, gamma = 0.5) ranks best of the variants, mean rank 1.6 [1.14, 2.06].`"""
    best = min(effects.variants, key=lambda mean: mean.rank)
    values = [
        f"{label(setting)} = {variants.settings[best.name].get(setting, 'none')}"
        for setting in effects.settings
    ]
    has = f" ({as_name(', '.join(values))})" if values else ""
    return f"{strong(as_name(best.name))}{has} ranks best of the variants, mean rank {_rank(best)}."


def _rank(mean: Mean) -> str:
    middle = words.number(mean.rank, digits=3)
    if math.isnan(mean.lower):
        return middle
    return f"{middle} [{words.number(mean.lower, digits=3)}, {words.number(mean.upper, digits=3)}]"


def _names(settings: list[str]) -> str:
    return words.and_list([as_name(label(setting)) for setting in settings])


def _numbers(mean: Mean) -> tuple[float, float, float, float]:
    return mean.rank, mean.lower, mean.upper, mean.value


def mean_column(measure: Measure) -> str:
    """Return the name of the column of mean values."""
    return "loss" if measure.is_loss else "mean"


def _note(variants: Variants, effects: MainEffects) -> str:
    note = f"Ranks are among these variants, on {words.count(effects.tasks, 'task')} with results of all"
    note += "; a value's rank is the mean of the variants with it."
    if effects.units > 1:
        note += (
            f" Intervals have a confidence level of {percent(effects.level)}; ranks that do not "
            "vary have none."
        )
    if effects.unit == "task" and effects.units > 1:
        note += (
            " Each task counts once. If all are of one dataset, results hold only for tasks of this dataset."
        )
    if variants.dropped:
        note += f" Left out: {words.count(variants.dropped, 'task')} without results of all variants."
    if variants.left_out:
        names = ", ".join(map(words.escape, variants.left_out))
        note += f" Variants without results under this loss: {names}."
    return note
