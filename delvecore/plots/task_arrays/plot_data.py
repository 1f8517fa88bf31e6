"""What figures of a task-array draw, and what it says in sentences: Markdown with escaped names."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2, nan
from typing import Any, TypeVar

from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.plots import theme
from delvecore.plots.task_arrays.curves import CrossingDot, Curve, CurvePoint, CurvesFigure
from delvecore.plots.task_arrays.panels import MOST_COLUMNS, Look, PanelGrid, panel_grid
from delvecore.render.spans import as_name, strong
from delvecore.report import words
from delvecore.report.ranking.sentences import counts_words
from delvecore.report.verdict_words import NO_DIFFERENCE, PHRASES, THAN
from delvecore.stats.arrays.estimates import Crossing
from delvecore.stats.arrays.results import LEFT_OUT
from delvecore.stats.choose import Setting, Verdict, is_significant
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.ranks import DATASET, TASK, on_most_tasks

Row = Mapping[str, Any]
"""A row of a table of a task-array, by column."""
HIGHER, LOWER = "▲", "▼"
DASHES = ("6px,2px", "3px,2px", "8px,2px,2px,2px")


def level_words(array: TaskArray, factor: int, level: str) -> str:
    """Return a level in words: its label, or `noise: low` where the array gives it none. Not escaped."""
    label = array.factors[factor].label(level)
    return label if label != level else f"{array.factors[factor].name}: {level}"


def member_words(array: TaskArray, levels: Sequence[str]) -> str:
    """`8 inputs, fairly linear, medium noise`. Not escaped."""
    return ", ".join(level_words(array, number, level) for number, level in enumerate(levels))


def cell_words(array: TaskArray, row: Row) -> str:
    """`8 inputs, fairly linear, medium noise, 256 training cases`. Not escaped."""
    return f"{member_words(array, row['levels'])}, {words.count(row['training_size'], 'training case')}"


def place_words(array: TaskArray, row: Row) -> str:
    """Return the words of a row's cell as Plotly shows them."""
    return words.plot_text(cell_words(array, row), longest=160)


def task_of(row: Row) -> str | None:
    """Return the full path of a row's task, None for a hole."""
    return words.task_path(row["dataset"], row["prototask"], row["task"]) if row["task"] else None


def grid_of(array: TaskArray, most_columns: int = MOST_COLUMNS) -> PanelGrid:
    """Return the panels of an array, at most so many beside each other where it has two factors or more."""
    factors = [
        [(level.name, level_words(array, number, level.name)) for level in factor.levels]
        for number, factor in enumerate(array.shown)
    ]
    return panel_grid(factors, frozenset(member.levels for member in array.members), most_columns)


def looks_of(methods: Sequence[str], *, known: Iterable[str], coloured: Collection[str]) -> dict[str, Look]:
    """Return how methods look beside all that are known; those that are not coloured are grey."""
    styles, found = theme.method_styles(known), {}
    for name in methods:
        colour, symbol = styles[name].colour, styles[name].symbol
        # Lines of methods that share a colour differ: the markers tell which of them came first.
        turn = (theme.SYMBOLS.index(symbol) - theme.COLOURS.index(colour)) % len(theme.SYMBOLS)
        dash = DASHES[turn % len(DASHES)] if turn else "solid"
        found[name] = Look(colour, symbol, dash, name not in coloured)
    return found


def value_title(measure: Measure, *, longest: int = 60) -> str:
    """Return what values are, as Plotly shows it: `standardized squared error (S)`, `accuracy`."""
    return words.plot_text(words.axis_name(measure, standardized=True), longest=longest)


def verdict_signs(measure: Measure) -> dict[str | None, str]:
    """Return the sign of each verdict: ▲ for a value that is significantly higher, ▼ for a lower one."""
    better, worse = (HIGHER, LOWER) if measure.higher_is_better else (LOWER, HIGHER)
    return {Verdict.BETTER: better, Verdict.WORSE: worse}


def number(value: float | None) -> float:
    """Return a value of a table, not a number where there is none."""
    return nan if value is None else value


def html_p(p: float | None) -> str:
    """Return a p-value in words for a hover text."""
    return words.p_value(p).replace("<", "&lt;")


def against_words(row: Row) -> str:
    """`0.12 ± 0.01 less than lin-1, p = 0.003`."""
    if row["method"] == row["reference"]:
        return "the reference"
    if row["difference"] is None:
        return f"not comparable with {words.plot_text(row['reference'])}"
    direction = "less" if row["difference"] < 0 else "more"
    size = words.with_error(abs(row["difference"]), row["difference_error"])
    return f"{size} {direction} than {words.plot_text(row['reference'])}, {html_p(row['p_adjusted'])}"


def _curve_hover(array: TaskArray, row: Row) -> str:
    where, name = place_words(array, row), words.plot_text(row["method"])
    if row["standardized_mean"] is None:
        return f"<b>{name}</b>: {row['missing']}<br>{where}"
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    instances = words.count(row["instances"], "training set")
    return f"<b>{name}</b> {shown}, {instances}<br>{against_words(row)}<br>{where}"


def _published_point(array: TaskArray, grid: PanelGrid, row: Row, value: PublishedValue) -> CurvePoint:
    name, spread = words.plot_text(f"{value.method}{PUBLISHED_SIGN}"), value.deviation
    shown = words.number(value.mean) + (f" (SD {words.number(spread)})" if spread else "")
    origin = words.lines(f"published, not tested: {value.origin}", longest=60)
    hover = f"<b>{name}</b> {shown}<br>{origin}<br>{place_words(array, row)}"
    panel, size = grid.place(row["levels"]), row["training_size"]
    return CurvePoint(panel, size, value.mean, number(spread), hover=hover, task=task_of(row))


def curves_of(
    array: TaskArray,
    estimates: Iterable[Row],
    looks: Mapping[str, Look],
    *,
    measure: Measure,
    is_log: bool = False,
    hint: str = "",
    published: Sequence[tuple[Row, PublishedValue]] = (),
    crossings: Sequence[Crossing] = (),
    most_columns: int = MOST_COLUMNS,
) -> CurvesFigure:
    """Return the curves of the methods with a look on every task of the array.

    estimates: rows of `ARRAY_ESTIMATES`, against a reference; hint: said last where the mouse is; published:
    elsewhere, on the cell of a row, in the unit of the estimates; crossings: that get a dot; most_columns: of
    panels."""
    grid = grid_of(array, most_columns)
    points: dict[str, list[CurvePoint]] = {name: [] for name in looks}
    for row in estimates:
        if row["method"] in points and row["missing"] not in LEFT_OUT:
            value, error = number(row["standardized_mean"]), number(row["standardized_error"])
            panel, task, hover = grid.place(row["levels"]), task_of(row), _curve_hover(array, row) + hint
            point = CurvePoint(panel, row["training_size"], value, error, hover=hover, task=task)
            points[row["method"]].append(point)
    return CurvesFigure(
        curves=tuple(Curve(name, look, tuple(points[name])) for name, look in looks.items()),
        published=tuple(_published_point(array, grid, *one) for one in published),
        grid=grid,
        sizes=tuple(sorted({point.size for found in points.values() for point in found})),
        is_log=is_log,
        title=words.vertical_axis(measure),
        baseline=measure.baseline,
        crossings=tuple(_crossing_dot(grid, one) for one in crossings),
    )


def _crossing_dot(grid: PanelGrid, one: Crossing) -> CrossingDot:
    ends = one.before.training_size, one.after.training_size
    low, high = (log2(max(size, 1)) for size in ends)
    name, other = words.plot_text(one.ahead), words.plot_text(one.behind)
    hover = f"<b>{name}</b> overtakes {other}<br>between {ends[0]:,} and {ends[1]:,} training cases"
    return CrossingDot(grid.place(one.before.levels), 2 ** (low + one.share * (high - low)), one.value, hover)


BEST = "significantly best"
UNBROKEN = "\N{NO-BREAK SPACE}"
NAMED = 2
"""How many exceptions are told."""
Key = TypeVar("Key")


@dataclass(frozen=True)
class Record:
    """On how many of what counts has a method the best value, and on how many is it significantly better
    than every other one? tasks: those with results of it."""

    method: str
    first: int
    best: int
    tasks: int


def records(rows: Iterable[Row], methods: Sequence[str], *, unit: str = TASK) -> list[Record]:
    """Return how each method does, by how often it is significantly best. rows: of `ARRAY_WINNERS`."""
    known, found = [row for row in rows if row["best"] is not None], []
    units = _units(known, unit)
    for method in methods:
        won = [row["best"] == method for row in known]
        alone = [one and _is_alone(row) for one, row in zip(won, known, strict=True)]
        tasks = sum(method not in row["without_results"] for row in known)
        found.append(Record(method, on_most_tasks(units, won), on_most_tasks(units, alone), tasks))
    return sorted(found, key=lambda record: (-record.best, -record.first))


def _units(rows: Sequence[Row], unit: str) -> list[str]:
    """Return what each row counts for."""
    return [row["dataset"] if unit == DATASET else str(number) for number, row in enumerate(rows)]


def _is_alone(row: Row) -> bool:
    """Is the best of a task significantly better than every other method?"""
    return bool(row["worse"]) and not row["not_worse"] and not row["untested"]


def _pattern(array: TaskArray, rows: Sequence[Row], winner: str) -> str:
    """Say who has the best value where, by the factor that tells most, else in which members others have."""
    by_factor: dict[int, dict[str, list[str]]] = {}
    for row in rows:
        for factor, level in enumerate((*row["levels"], str(row["training_size"]))):
            by_factor.setdefault(factor, {}).setdefault(level, []).append(row["best"])
    told = {factor: _most_often(levels) for factor, levels in by_factor.items()}
    different = {
        factor: found for factor, found in told.items() if len({one[0] for one in found.values()}) > 1
    }
    if not different:
        return _exceptions(array, rows, winner)
    factor = max(different, key=lambda name: sum(count for _, count, _ in different[name].values()))
    parts = []
    for level, (method, count, tasks) in different[factor].items():
        is_size = factor == len(array.factors)
        name = words.count(int(level), "training case") if is_size else level_words(array, factor, level)
        parts.append(f"{as_name(name)}: {as_name(method)} on {count} of {tasks}")
    return f" ({'; '.join(parts)})"


def _exceptions(array: TaskArray, rows: Sequence[Row], winner: str) -> str:
    """Say in which members of the array another method than the winner has the best value most often."""
    by_member: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        by_member.setdefault(tuple(row["levels"]), []).append(row["best"])
    found = {levels: one for levels, one in _most_often(by_member).items() if one[0] != winner}
    if not found:
        return ", in every member of the array more often than any other"
    parts = [
        f"{as_name(member_words(array, levels))}: {as_name(method)} on {count} of {tasks}"
        for levels, (method, count, tasks) in sorted(found.items(), key=lambda item: -item[1][1])
    ]
    more = f"; and {len(parts) - NAMED} more" if len(parts) > NAMED else ""
    return f" (but {'; '.join(parts[:NAMED])}{more})"


def _most_often(names: Mapping[Key, Sequence[str]]) -> dict[Key, tuple[str, int, int]]:
    """Return the name that stands most often under each key, how often, and of how many. Of several that do,
    `a and b each`."""
    found = {}
    for key, own in names.items():
        counts = Counter(own)
        most = max(counts.values())
        leaders = sorted(name for name, count in counts.items() if count == most)
        found[key] = (words.and_list(leaders) + " each" * (len(leaders) > 1), most, len(own))
    return found


def subject(array: TaskArray, measure: Measure, shown: int, *, of: int) -> str:
    """`On the array bank, under squared error (S), all 12 methods`: what a page is about. Markdown."""
    methods = words.some_of(shown, of, "method")
    return f"On the array {strong(as_name(array.name))}, under {words.measure_within(measure)}, {methods}"


def best_words(measure: Measure) -> str:
    """`lowest loss`, `highest accuracy`: what the best method has. Markdown."""
    return f"{words.best_end(measure)} {as_name(measure.noun)}"


def array_sentence(
    array: TaskArray,
    rows: Sequence[Row],
    methods: Sequence[str],
    tallies: Sequence[Row],
    *,
    measure: Measure,
    unit: str,
) -> str:
    """Which method is best on how many tasks, or datasets, where does it change, and on how many is it
    significantly better?

    rows: of `ARRAY_WINNERS`; methods: best mean place first; tallies: of `ARRAY_TALLIES`, by the same unit:
    see `array_unit`."""
    known = [row for row in rows if row["best"] is not None]
    if not known:
        return strong("None of these methods has results on a task of this array.")
    if len(methods) == 1:
        return f"{strong('One method only')}: {as_name(methods[0])}. Choose another to compare it with."
    first, most = records(rows, methods, unit=unit)[0], "most tasks of " if unit == DATASET else ""
    of_all = words.count(len(set(_units(known, unit))), unit)
    lead = f"{as_name(first.method)} has the {best_words(measure)}"
    said = strong(f"{lead} on {most}{first.first} of {of_all}")
    said += f"{_pattern(array, known, first.method)}; it is "
    said += f"{THAN[Verdict.BETTER]} every other method on {most}{first.best}."
    rival = next(name for name in methods if name != first.method)
    for row in tallies:
        if (row["method"], row["other"]) == (first.method, rival):
            counts = f"{PHRASES[Verdict.BETTER]} on {most}{row['better']}, worse on {row['worse']}, "
            counts += f"{NO_DIFFERENCE} on {row['not_significant']}"
            counts += f", {PHRASES[Verdict.NOT_TESTED]} on {row['not_tested']}" * (row["not_tested"] > 0)
            said += f" Against the best of the others, {as_name(rival)}: {counts}."
    weak = sum(row["tested_pairs"] > 0 and not row["significant_pairs"] for row in known)
    said += f" On {words.count(weak, 'task')} no pair of methods differs significantly." if weak else ""
    return said + _basis(known, unit)


def crossing_sentence(array: TaskArray, one: Crossing) -> str:
    """`rf-1 overtakes lasso-cv-1 between 128 and 256 training cases: 32 inputs, non-linear.` Markdown."""
    sizes = f"{one.before.training_size:,} and {one.after.training_size:,} training cases"
    sure = ", significantly at both" if one.is_significant else ""
    where = as_name(member_words(array, one.before.levels))
    return f"{strong(as_name(one.ahead))} overtakes {as_name(one.behind)} between {sizes}{sure}: {where}."


def own_sentence(
    rows: Sequence[Row], methods: Sequence[str], mine: str | None, *, measure: Measure, unit: str
) -> str:
    """On how many tasks, or datasets, is the visitor's own method the best? Empty where it is not shown."""
    found = records(rows, methods, unit=unit)
    place = next((place for place, one in enumerate(found, start=1) if one.method == mine), None)
    if place is None:
        return ""
    own, of = found[place - 1], len({*_units([row for row in rows if row["best"] is not None], unit)})
    lead = f"Yours is {strong(as_name(own.method))}, {strong(f'place {place} of {len(found)}')} by that"
    return (
        f"{lead}: {words.best_end(measure)} on {own.first} of {words.count(of, unit)}, {BEST} on {own.best}."
    )


def _basis(rows: Sequence[Row], unit: str) -> str:
    """Say what is counted, where datasets have several tasks."""
    datasets = len({row["dataset"] for row in rows})
    return f" Counted: {counts_words(len(rows), datasets, unit=unit)}." if datasets < len(rows) else ""


def failure_sentence(
    array: TaskArray, rows: Sequence[Row], method: str, *, measure: Measure, setting: Setting
) -> str | None:
    """Where does the best method fall behind another most? None where it is never significantly worse, also
    when allowed for that the largest of many differences was chosen.

    rows: of `ARRAY_DIFFERENCES` with this method as the reference."""
    tested = [row for row in rows if row["p"] is not None]
    chosen = {id(row): min(1.0, row["p"] * len(tested)) for row in tested}
    better = [row for row in tested if row["verdict"] == Verdict.BETTER]
    better = [row for row in better if is_significant(chosen[id(row)], setting.alpha)]
    if not better:
        return None
    worst = min(better, key=lambda row: oriented(float(row["difference"]), measure))
    size = words.with_error(abs(worst["difference"]), worst["difference_error"])
    than = f"it loses {size} more than {as_name(worst['method'])}"
    if not measure.is_loss:
        side = "below" if measure.higher_is_better else "above"
        than = f"its {as_name(measure.noun)} is {size} {side} that of {as_name(worst['method'])}"
    where, p = as_name(cell_words(array, worst)), words.p_value(chosen[id(worst)])
    return (
        f"{as_name(method)} falls behind most with {where}: {than} "
        f"({p.replace(' ', UNBROKEN)}, as the largest of {len(tested)} "
        "differences)."
    )


@dataclass(frozen=True)
class Coverage:
    """How much of an array is there. cells: of the grid; tasks: cells with a task; done: tasks with a value
    of any method; complete: methods with a value on every task; partial: {method: tasks without a value}."""

    cells: int
    tasks: int
    done: int
    complete: tuple[str, ...]
    partial: dict[str, int]


def gaps_sentence(found: Coverage) -> str | None:
    """Say what is not there: tasks of a complete array, tasks with results, results of some methods."""
    parts = []
    tasks = words.count(found.tasks, "task")
    if found.cells > found.tasks:
        parts.append(f"The array has {tasks} of {found.cells} that a complete one has.")
    if found.done < found.tasks:
        parts.append(f"There are results on {found.done} of {tasks}.")
    common = found.tasks - found.done
    more = {name: left - common for name, left in found.partial.items() if left > common}
    if more:
        listed = [f"{as_name(name)} on {count}" for name, count in more.items()]
        parts.append(f"Without results{' besides' if common else ''}: {words.and_list(listed)}.")
    return " ".join(parts) or None
