"""The parts of the Compare page: estimates, differences, tables, pairs, training sets, test cases."""

import pandas as pd
import streamlit as st

from dashboard import compare_data, compare_exports, compare_tables, data, page, selection, verdict, words
from dashboard.compare_choice import Choice
from dashboard.deciding_cases import case_numbers, deciding_table
from dashboard.figures.case_histogram import case_histogram_figure
from dashboard.figures.differences import differences_figure
from dashboard.figures.error_bars import error_bars_figure
from dashboard.figures.estimates import estimates_figure
from dashboard.figures.instances import instances_figure
from dashboard.figures.pair_matrix import pair_matrix_figure
from dashboard.glossary import help_for
from dashboard.page import View
from delvecore.report.rounding import column_decimals

__all__ = [
    "show_cases",
    "show_estimates",
    "show_matrix",
    "show_pairs_table",
    "show_statistics",
    "show_training_sets",
]

LOOKS = ["colour", "symbol"]
DECIDING = 20
ESTIMATE_TITLES = {
    "mean": ("Loss", "Estimated expected loss"),
    "standard_error": ("SE", "Standard error for estimate"),
    "sd_training": ("SD train", "Standard deviation from training sets and stochastic training"),
    "sd_cases": ("SD cases", "Standard deviation from test cases"),
    "sd_residual": ("SD rest", "Standard deviation from interactions and stochastic predictions"),
}
HIERARCHICAL_REST = "Standard deviation from test cases, stochastic predictions and interactions"


def _name(choice: Choice, what: str) -> str:
    return f"{choice.loss}-{'-'.join(choice.task.place)}-{what}"


def _without_looks(table):
    return table.drop(columns=LOOKS)


def show_estimates(view: View, choice: Choice, unit: str) -> None:
    """Show the expected losses, and beside them the differences to the reference."""
    key = (view.state, choice.task.path, choice.loss, choice.methods)
    left, right = st.columns(2, gap="medium")
    command = compare_exports.mstats_command(choice)
    with left:
        st.subheader("How large are the losses?", anchor=False, help=help_for("expected loss"))
        table = compare_tables.estimate_table(*key, unit)
        st.caption("Mean loss; bars reach one standard error to either side.")
        page.figure_block(
            data.figure(estimates_figure, compare_tables.estimate_table, *key, unit),
            _without_looks(table),
            name=_name(choice, "estimates"),
            alt=f"{unit} loss with standard errors: "
            + "; ".join(f"{line.method} {line.text}" for line in table.itertuples()),
            command=command,
        )
    with right:
        st.subheader("Is the difference sure?", anchor=False, help=help_for("p-value"))
        if len(choice.methods) < 2:
            page.empty_state("One method only.", "Choose a second one above to compare it with.")
            return
        _differences(key, choice, unit, command)


def _differences(key, choice, unit, command):
    arguments = (*key, choice.reference, choice.level, unit)
    table = compare_tables.difference_table(*arguments)
    percent = f"{100 * choice.level:g}"
    st.caption(
        f"Each method less **{words.escape(choice.reference)}**, with {percent} % intervals; "
        "open marks are not settled."
    )
    page.figure_block(
        data.figure(differences_figure, compare_tables.difference_table, *arguments),
        _without_looks(table),
        name=_name(choice, "differences"),
        alt=f"Differences to {choice.reference}: "
        + "; ".join(f"{line.method} {line.text}" for line in table.itertuples()),
        command=command,
    )


def show_statistics(view: View, choice: Choice) -> None:
    """Show what `mstats` prints of each method, raw and standardized."""
    st.subheader("What makes the losses vary?", anchor=False)
    st.caption(
        "Lowest loss first; the standardized columns are in units of the baseline. Hover over a heading."
    )
    found = {row["method"]: row for row in compare_data.estimates(view.state, choice.task.path, choice.loss)}
    rows = [found[name] for name in choice.methods]
    verdicts = _against_best(view, choice, rows)
    table, config = _statistics_table(rows, verdicts)
    st.dataframe(
        table,
        hide_index=True,
        column_config=config,
        placeholder=words.NO_VALUE,
        alt="Estimated expected losses, raw and standardized, with standard errors and standard deviations",
        key=f"table-{_name(choice, 'statistics')}",
    )
    _downloads(
        _name(choice, "estimates-table"),
        lambda: compare_exports.estimates_csv(rows),
        lambda: compare_exports.estimates_latex(rows, choice),
    )


def _against_best(view, choice, rows):
    """Return a few words on each method against the one with the lowest loss."""
    best = choice.methods[0]
    found = compare_data.pairs(view.state, choice.task.path, choice.loss, choice.level)
    pairs = {row["method_a"]: row for row in compare_data.pairs_against(found, best, choice.methods)}
    said = {
        name: f"{verdict.pair_verdict(row, choice.level)}, {verdict.probability(row)}"
        if row["p"] is not None
        else verdict.pair_verdict(row, choice.level)
        for name, row in pairs.items()
    }
    return [said.get(row["method"], "lowest" if row["mean"] is not None else "no mean") for row in rows]


def _statistics_table(rows, verdicts):
    """Return the table and its column configuration; columns of one kind have the same decimals."""
    with_cases = any(row["sd_cases"] is not None for row in rows)
    columns = {"Method": [row["method"] for row in rows], "Against the lowest": verdicts}
    config = {"Method": st.column_config.TextColumn(pinned=True)}
    for prefix, group in (("", "raw"), ("standardized_", "std.")):
        error = f"{prefix}error" if prefix else "standard_error"
        decimals = column_decimals(row[error] for row in rows)
        for name, (title, about) in ESTIMATE_TITLES.items():
            if name == "sd_cases" and not with_cases:
                continue
            key = error if name == "standard_error" else f"{prefix}{name}"
            title = f"{title}, {group}"
            columns[title] = pd.array([row[key] for row in rows], dtype="Float64")
            about = HIERARCHICAL_REST if name == "sd_residual" and not with_cases else about
            config[title] = st.column_config.NumberColumn(format=f"%.{decimals}f", help=f"{about}, {group}")
    columns["Training sets"] = [row["instances"] for row in rows]
    columns["Test cases"] = [row["test_cases"] for row in rows]
    return pd.DataFrame(columns), config


def _downloads(name, make_csv, make_latex):
    with st.container(horizontal=True, key=f"files-{name}"):
        for kind, make, mime in (("CSV", make_csv, "text/csv"), ("LaTeX", make_latex, "text/x-tex")):
            st.download_button(
                kind,
                data=make,
                file_name=f"{name}.{'csv' if kind == 'CSV' else 'tex'}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"{kind}-{name}",
            )


def show_matrix(view: View, choice: Choice, unit: str) -> None:
    """Show all pairs as a matrix; with two methods the sentence says it all."""
    if len(choice.methods) < 3:
        return
    st.subheader("Who is better than whom?", anchor=False)
    st.caption(
        "The row's method less the column's. Shaded cells are settled; p-values are those of single tests, "
        "not adjusted for their number."
    )
    arguments = (view.state, choice.task.path, choice.loss, choice.methods, choice.level, unit)
    page.figure_block(
        data.figure(pair_matrix_figure, compare_tables.pair_matrix_table, *arguments),
        compare_tables.pair_matrix_table(*arguments),
        name=_name(choice, "matrix"),
        alt="Matrix of all pairs of methods: difference, p-value and whether it is settled",
        command=compare_exports.mstats_command(choice),
    )


def show_pairs_table(view: View, choice: Choice) -> None:
    """Show what `mstats -c` prints of each pair, raw and standardized."""
    found = compare_data.pairs(view.state, choice.task.path, choice.loss, choice.level)
    rows = [pair for name in choice.methods for pair in _pairs_below(found, name, choice.methods)]
    st.subheader("Every pair in numbers", anchor=False)
    table, config = _pairs_frame(rows, choice)
    st.dataframe(
        table,
        hide_index=True,
        column_config=config,
        placeholder=words.NO_VALUE,
        alt="Differences of all pairs of methods with standard errors, intervals and p-values",
        key=f"table-{_name(choice, 'pairs')}",
    )
    _downloads(
        _name(choice, "pairs-table"),
        lambda: compare_exports.pairs_csv(rows),
        lambda: compare_exports.pairs_latex(rows, choice),
    )
    st.caption("The same numbers on the command line, the reference first:")
    st.code(compare_exports.mstats_command(choice), language=None)


def _pairs_below(found, method, methods):
    """Return the pairs of a method with those after it, it being method_b: positive where it is better."""
    later = methods[methods.index(method) + 1 :]
    return compare_data.pairs_against(found, method, later)


def _pairs_frame(rows, choice):
    percent = f"{100 * choice.level:g} %"
    columns = {
        "Method a": [row["method_a"] for row in rows],
        "Method b": [row["method_b"] for row in rows],
        "a is": [verdict.pair_verdict(row, choice.level) for row in rows],
        "p": [verdict.probability(row).removeprefix("p ").removeprefix("= ") for row in rows],
    }
    config = {name: st.column_config.TextColumn(pinned=True) for name in ("Method a", "Method b")}
    for prefix, group in (("", "raw"), ("standardized_", "std.")):
        error = f"{prefix}error" if prefix else "standard_error"
        decimals = column_decimals(row[error] for row in rows)
        titles = {
            f"{prefix}difference": f"a − b, {group}",
            error: f"SE, {group}",
            f"{prefix}lower": f"{percent} from, {group}",
            f"{prefix}upper": f"to, {group}",
            f"{prefix}sd_training": f"SD train, {group}",
            f"{prefix}sd_cases": f"SD cases, {group}",
            f"{prefix}sd_residual": f"SD rest, {group}",
        }
        for name, title in titles.items():
            if name.endswith("sd_cases") and all(row[name] is None for row in rows):
                continue
            columns[title] = pd.array([row[name] for row in rows], dtype="Float64")
            config[title] = st.column_config.NumberColumn(format=f"%.{decimals}f")
    columns["Test"] = [_test(row) for row in rows]
    columns["Training sets"] = pd.array([row["instances"] for row in rows], dtype="Int64")
    columns["Note"] = [row["note"] for row in rows]
    return pd.DataFrame(columns), config


def _test(row):
    """`t = -10.67, 7 df`, `F = 4.07, 1.02 and 39.1 df`."""
    if row["test"] is None:
        return None
    degrees = words.number(row["df1"], digits=3)
    if row["df2"] is not None:
        degrees += f" and {words.number(row['df2'], digits=3)}"
    return f"{row['test']} = {words.number(row['statistic'])}, {degrees} df"


def show_training_sets(view: View, choice: Choice, unit: str) -> None:
    """Show the losses by training set, and what makes the differences unsure."""
    left, right = st.columns(2, gap="medium")
    key = (view.state, choice.task.path, choice.loss, choice.methods)
    with left:
        st.subheader("Is it so on every training set?", anchor=False, help=help_for("task instance"))
        st.caption("A mark a training set; a line joins the same training set.")
        page.figure_block(
            data.figure(instances_figure, compare_tables.instance_table, *key, unit),
            _without_looks(compare_tables.instance_table(*key, unit)),
            name=_name(choice, "training-sets"),
            alt="Mean loss of each method on each training set, joined by training set",
        )
    with right:
        st.subheader("Where does the doubt come from?", anchor=False, help=help_for("standard error"))
        reference = words.escape(choice.reference)
        st.caption(f"Shares in the squared standard error of the difference to **{reference}**.")
        arguments = (*key, choice.reference, choice.level)
        page.figure_block(
            data.figure(error_bars_figure, compare_tables.error_source_table, *arguments),
            compare_tables.error_source_table(*arguments),
            name=_name(choice, "error-sources"),
            alt=f"Shares of the squared standard error of each difference to {choice.reference}",
        )


def show_cases(view: View, choice: Choice, unit: str) -> None:
    """Show how the difference of one pair is spread over test cases, and the cases that decide it."""
    st.subheader("Which cases decide it?", anchor=False)
    others = [name for name in choice.methods if name != choice.reference]
    method = others[0]
    if len(others) > 1:
        label = f"Look closer at one method against {words.escape(choice.reference)}"
        method = selection.local(st.selectbox, label, "closer", others, width=420)
    differences, instances = compare_data.pair_differences(
        view.state, choice.task.path, choice.loss, method, choice.reference
    )
    if differences is None:
        st.info("These two methods have no test cases in common.")
        return
    st.markdown(_case_sentence(differences, method, choice))
    left, right = st.columns(2, gap="medium")
    with left:
        arguments = (view.state, choice.task.path, choice.loss, method, choice.reference, unit)
        page.figure_block(
            data.figure(case_histogram_figure, compare_tables.case_histogram, *arguments),
            compare_tables.case_histogram(*arguments),
            name=_name(choice, "cases"),
            alt=f"Test cases by the difference between {method} and {choice.reference}",
        )
    with right:
        _deciding(view, choice, method, differences, instances)


def _case_sentence(differences, method, choice):
    values = differences.difference
    total = len(values)
    less, more = int((values < 0).sum()), int((values > 0).sum())
    kind = "test case" if choice.task.design == "common" else "tested case"
    less_on, more_on = (words.share(count, total) for count in (less, more))
    sides = f"{words.escape(method)} loses less on {less_on} of {words.count(total, kind)}, more on {more_on}"
    few = max(total // 100, 1)
    share = differences.share_of_largest(few)
    if share is None:
        differ = words.count(differences.different, kind)
        return f"{sides}; they differ on {differ}, none of which stands out."
    carry = "case with the largest difference carries"
    carry = carry if few == 1 else f"{few} cases with the largest differences carry"
    return f"{sides}; the {carry} {words.share(round(1000 * share), 1000)} of all differences in size."


def _deciding(view, choice, method, differences, instances):
    task = choice.task
    prototask = next(
        row
        for row in data.rows(view.state, "prototasks")
        if (row["dataset"], row["prototask"]) == (task.dataset, task.prototask)
    )
    table = deciding_table(
        view.archive,
        differences,
        names=(method, choice.reference),
        instances=instances,
        numbers=case_numbers(view.state, task.dataset, task.prototask, task.training_size),
        dataset=task.dataset,
        attributes=(*prototask["targets"], *prototask["inputs"]),
        count=DECIDING,
    )
    st.caption(f"The {len(table)} cases with the largest differences, raw losses; targets, then inputs:")
    config = {
        name: st.column_config.NumberColumn(format="%.4g")
        for name in table.columns
        if name.startswith("Loss of ")
    }
    config["Difference"] = st.column_config.NumberColumn(format="%.4g")
    if "Case" in table:
        config["Case"] = st.column_config.NumberColumn(pinned=True, format="%d")
    page.table_block(
        table,
        name=_name(choice, "deciding-cases"),
        alt=f"Test cases with the largest differences between {method} and {choice.reference}",
        column_config=config,
        height=300,
    )
