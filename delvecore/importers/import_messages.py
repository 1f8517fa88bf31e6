"""Messages of an import, and documents of the dataset.

The messages explain why each column has its type, and how to change it."""

import hashlib
import os
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from delvecore.importers.attributes import ColumnPlan, Reason, Role
from delvecore.importers.plan import ImportPlan, rare_classes
from delvecore.model import CATEGORICAL_TYPES, Prototask
from delvecore.names import lines_shown, one_line

FEW = 6
"""Largest number of values of a category to show."""
WHY = {
    Reason.ASKED: "as requested",
    Reason.DECLARED: "as its source states",
    Reason.TWO_VALUES: "two different values",
    Reason.WHOLE: "whole numbers",
    Reason.FRACTIONS: "numbers",
    Reason.CLASSES: "few whole numbers, treated as classes",
    Reason.CATEGORIES: "few different words",
    Reason.EMPTY: "no known values",
    Reason.COUNTER: "it counts the cases",
    Reason.DATES: "dates, which have no type",
    Reason.TEXT: "text, or too many different words for categories",
    Reason.STRAYS: "mostly numbers, but not all",
    Reason.OTHER: "nested or binary values",
    Reason.GROUP: "cases with the same value are kept together",
    Reason.TIME: "the order of the cases in time",
}
OTHERS = {
    Reason.TWO_VALUES: "integer",
    Reason.WHOLE: "nominal",
    Reason.CLASSES: "integer",
    Reason.CATEGORIES: "ordinal:low,high",
    Reason.COUNTER: "integer",
    Reason.TEXT: "nominal",
    Reason.GROUP: "nominal",
    Reason.TIME: "real",
}
"""Other possible types of a column, for `--type COLUMN=`; otherwise `ignore`."""


def column_rows(plan: ImportPlan) -> Iterator[tuple[str, str, str, str]]:
    """Yield (column, planned use, reason, the option that changes it) of every column."""
    for column in plan.columns:
        becomes = Role.LEFT_OUT if column.role is Role.LEFT_OUT else f"{column.type} {column.role}"
        yield one_line(column.source) or "(no name)", becomes, _why(column), _change(column)


def _why(column: ColumnPlan) -> str:
    profile, parts = column.profile, [WHY[column.reason]]
    if column.type in CATEGORICAL_TYPES:
        values = list(column.words) or column.range.split()
        more = f" and {len(values) - FEW} more" if len(values) > FEW else ""
        parts.append(f"{' '.join(values[:FEW])}{more}")
    elif profile.is_numeric:
        parts.append(f"{profile.low:g} to {profile.high:g}")
    if column.strays:
        parts.append(f"such as {', '.join(map(repr, column.strays))}")
    if profile.missing:
        parts.append(f"{profile.missing:,} missing")
    if column.is_constant and column.reason is not Reason.EMPTY:
        parts.append("constant")
    return one_line("; ".join(parts))


def _change(column: ColumnPlan) -> str:
    if column.reason is Reason.STRAYS:
        return " ".join(f"--missing {word!r}" for word in column.strays[:1])
    if column.reason in (Reason.ASKED, Reason.EMPTY, Reason.DATES, Reason.OTHER):
        return ""
    return f"--type {column.name}={OTHERS.get(column.reason, 'ignore')}"


def target_line(plan: ImportPlan) -> str:
    """Return a line with the prediction target, and the option that changes it."""
    groups = "; ".join(", ".join(group) for group in plan.targets)
    source = "" if plan.options.targets else " (as its source states: --target)"
    note = " (guessed: --target)" if plan.is_guessed else source
    kinds = {column.type for column in plan.kept if column.role is Role.TARGET}
    task = "classification" if kinds <= set(CATEGORICAL_TYPES) else "regression"
    return f"target {groups}: {'mixed' if len(kinds) > 1 else task}{note}"


def order_lines(plan: ImportPlan) -> Iterator[tuple[str, str]]:
    """Yield lines on the order of the cases and on groups, each with the option that changes it."""
    if plan.is_retained:
        yield "order of the file retained, as requested", ""
        yield (
            "standard tasks test on the first cases and train on later ones; windows train on earlier ones",
            "delve instances --growing lists them",
        )
    else:
        note, change = (
            (", as requested", "")
            if plan.options.order
            else ("", "--order retain keeps the order of the file")
        )
        yield f"random order, seed {plan.options.seed}{note}", change
    if plan.group:
        yield f"cases with the same {one_line(plan.group.source)} stay together", ""


def rare_line(plan: ImportPlan) -> str:
    """Return a line on the rare classes of the targets; empty if there are none."""
    rare = [
        f"{value!r} of {target.source} up to size {size:,} ({cases:,} of {target.profile.known:,} cases)"
        for target, value, cases, size in rare_classes(plan)
    ]
    return f"rare classes, fewer than two cases a training set on average: {_some(rare)}" if rare else ""


def notices(plan: ImportPlan) -> Iterator[str]:
    """Yield further information for the user, one sentence each."""
    yield from plan.source.notices
    renamed = [f"{one.source!r} is {one.name}" for one in plan.kept if one.source != one.name]
    if renamed:
        yield f"columns renamed: {_some(renamed)}"
    changed = [
        f"{value!r} is {word}" for one in plan.kept for value, word in one.words.items() if value != word
    ]
    if changed:
        yield f"values renamed: {_some(changed)}"
    endless = [f"{one.profile.infinite} of {one.name}" for one in plan.kept if one.profile.infinite]
    if endless:
        yield f"infinite numbers count as missing: {_some(endless)}"
    for one in plan.kept:
        if one.role is Role.TARGET and one.profile.missing:
            where = "in the dataset, but in no task that predicts it"
            yield f"{one.profile.missing:,} cases without {one.name} are {where}"


def _some(items: Sequence[str]) -> str:
    return one_line(", ".join(items[:FEW]) + (f" and {len(items) - FEW} more" if len(items) > FEW else ""))


def summary_text(plan: ImportPlan) -> str:
    """Return the `Summary` of a dataset: that of its source, or a description."""
    title = plan.dataset.title or f"The dataset {plan.name}"
    kept = plan.kept
    inputs = sum(column.role is Role.INPUT for column in kept)
    summary = (
        f"{plan.cases:,} cases with {inputs} inputs, imported from {_place(plan)}. To be predicted: "
        f"{'; '.join(' and '.join(group) for group in plan.targets)}."
    )
    return "\n".join([*textwrap.wrap(one_line(title), 72), "", *textwrap.wrap(summary, 72)]) + "\n"


def notes_text(plan: ImportPlan, prototasks: Iterable[Prototask]) -> str:
    """Return `Source/Notes`: the origin of the cases, and every decision of the import."""
    lines = [f"THE DATASET {plan.name}", "", f"Origin. {_place(plan)}"]
    if os.path.isfile(plan.source.place):
        with open(plan.source.place, "rb") as file:
            checksum = hashlib.file_digest(file, "sha256").hexdigest()
        lines.append(f"{os.path.getsize(plan.source.place):,} bytes, SHA-256 {checksum}")
    lines += ["", f"{plan.cases:,} cases, in the order of the source.", "", "Use of each column.", ""]
    for name, becomes, why, _ in column_rows(plan):
        lines += textwrap.wrap(
            f"{name}: {becomes} ({why})", 76, initial_indent="  ", subsequent_indent="    "
        )
    lines += [
        "",
        "Missing values are the words",
        f"  {' '.join(word or '(empty)' for word in plan.options.missing)}",
    ]
    for note in filter(None, (*notices(plan), rare_line(plan))):
        lines += ["", *textwrap.wrap(note, 76)]
    for one in prototasks:
        sizes = " ".join(map(str, one.training_set_sizes))
        lines += [
            "",
            *textwrap.wrap(f"Prototask {one.name}. {_order_sentence(plan)}", 76),
            f"{one.test_set_size} cases are for testing ({one.test_set_selection});",
            f"training sets of {sizes} cases.",
        ]
    if plan.source.text:
        lines += ["", "Description from the source.", "", lines_shown(plan.source.text).rstrip()]
    return "\n".join(lines) + "\n"


def _order_sentence(plan: ImportPlan) -> str:
    groups = f" Cases with the same {one_line(plan.group.source)} stay together." if plan.group else ""
    if not plan.is_retained:
        return f"Random order with seed {plan.options.seed}.{groups}"
    line, _ = next(order_lines(plan))
    return f"{line[0].upper()}{line[1:]}.{groups}"


def _place(plan: ImportPlan) -> str:
    return one_line(os.path.basename(os.path.normpath(plan.source.place)))
