"""`delve import`: make a dataset from a file of cases."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from delvecore.cli.subcommands.import_cases import SHOWN
from delvecore.cli.support.context import print_lines
from delvecore.cli.support.places import data_target
from delvecore.errors import DelveError
from delvecore.importers.attributes import attribute_names
from delvecore.importers.case_files import open_source
from delvecore.importers.dataset_writer import write_import
from delvecore.importers.import_messages import column_rows, notices, order_lines, rare_line, target_line
from delvecore.importers.leaks import signs_of_leaks
from delvecore.importers.plan import ImportOptions, ImportPlan, parse_sizes, plan_import
from delvecore.importers.source import MISSING, Source
from delvecore.names import one_line
from delvecore.render.numbers import counted
from delvecore.score_tables.names import SERIES, folded
from delvecore.score_tables.table_kind import table_kind


def import_cases(options: Namespace) -> int:
    source = opened_source(options)
    chosen = import_options(
        options,
        source,
        seed=options.seed,
        name=options.name,
        origin=options.origin,
        title=options.title,
        guess_target=options.dry_run,
        order=options.order,
        sizes=parse_sizes(options.sizes),
    )
    plan = plan_import(source, chosen)
    _tell(plan, all_columns=options.all)
    if options.dry_run:
        return 0
    into = data_target(options.into)
    prototasks = write_import(plan, into)
    print_lines(f"/{plan.name}: {counted(plan.cases, 'case')} in {os.path.join(into, 'data', plan.name)}")
    for one in prototasks:
        sizes = " ".join(map(str, one.training_set_sizes))
        test = f"{counted(one.test_set_size, 'test case')} ({one.test_set_selection})"
        print_lines(f"{one.path}: training sets of {sizes}, {test}")
    return 0


def opened_source(options: Namespace) -> Source:
    """Open the file of cases of a command with the options of `add_csv_options`. Raises DelveError."""
    header = None if options.header is None else options.header == "yes"
    return open_source(options.file, delimiter=options.delimiter, encoding=options.encoding, header=header)


def import_options(options: Namespace, source: Source, **more: Any) -> ImportOptions:
    """Return the options of an import: those that `delve import` and `delve like` share, and `more`."""
    missing = MISSING if options.missing is None else options.missing
    about = {"targets": options.target or (), "missing": missing, "group": options.group}
    return ImportOptions(types=_column_types(options.type or (), source), **about, **more)


def _column_types(words: Iterable[str], source: Source) -> dict[str, str]:
    """Parse words `COLUMN=TYPE` into {column: type}. A column's name may contain `=`."""
    columns = [column.name for column in source.columns]
    known = {*columns, *attribute_names(columns)}
    types = {}
    for word in words:
        cuts = [place for place, letter in enumerate(word) if letter == "="]
        cut = next((place for place in cuts if word[:place] in known), cuts[0] if cuts else None)
        if cut is None:
            raise DelveError(f"--type: expected COLUMN=TYPE, found {word!r}")
        types[word[:cut]] = word[cut + 1 :]
    return types


def _tell(plan: ImportPlan, *, all_columns: bool) -> None:
    """Print the type of each column, and the option that changes it."""
    rows = list(column_rows(plan))
    shown = rows if all_columns else rows[:SHOWN]
    widths = [max(len(row[place]) for row in shown) for place in range(2)]
    for name, becomes, why, change in shown:
        print_lines(f"{name:{widths[0]}}  {becomes:{widths[1]}}  {why}" + f"  ({change})" * bool(change))
    if len(rows) > len(shown):
        print_lines(f"... and {counted(len(rows) - len(shown), 'more column')} (--all)")
    print_lines(target_line(plan))
    for notice, change in order_lines(plan):
        print_lines(notice + f"  ({change})" * bool(change))
    if rare := rare_line(plan):
        print_lines(f"{rare}  (--sizes gives larger ones)")
    if line := _kind_line(plan):
        print_lines(line)
    for notice in (*notices(plan), *_leaks(plan)):
        print(f"delve import: notice: {notice}", file=sys.stderr)


def _leaks(plan: ImportPlan) -> Iterator[str]:
    """Yield a line for each strong sign that cases are not independent, with its remedy."""
    remedies = {
        "groups": "--group {} keeps cases with the same value together",
        "copies": "copies of one case may be in both a training and a test set",
        "time": "--order retain keeps the order of the file, for test windows",
    }
    for sign in signs_of_leaks(plan):
        if sign.is_serious and not (sign.kind == "time" and plan.is_retained):
            yield f"{one_line(sign.text)}; {remedies[sign.kind].format(one_line(sign.column))}"


def _kind_line(plan: ImportPlan) -> str:
    """Report that a file contains scores, or may contain them if no target was chosen."""
    names, first = [column.name for column in plan.source.columns], next(iter(plan.source.batches()))
    frame = pd.DataFrame({name: one.to_pandas() for name, one in zip(names, first, strict=True)})
    kind, why = table_kind(frame)
    if kind == "cases" or (kind == "unclear" and plan.options.targets):
        return ""
    lead = "its lines look like scores" if kind == "scores" else "its lines may be scores or cases"
    series = next((f" --dataset {name}" for name in names if folded(name) in SERIES), "")
    return f"{lead}: {why}  (delve rank {plan.source.place}{series} ranks scores)"
