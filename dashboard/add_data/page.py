"""Page "Add data": compare one's own results with those of the archive, task by task."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import streamlit as st

from dashboard.add_data.cards import server_paths, show_added, show_cases, show_scores, show_unclear
from dashboard.server import archive as opened
from dashboard.server import uploads
from dashboard.server.cache import cached
from dashboard.server.uploads import Own
from dashboard.ui import archive_status, blocks, page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.page import View
from dashboard.ui.request import Request
from dashboard.ui.selection import wanted_loss, wanted_setting
from delvecore.answers.wins_and_losses import where_of, where_sentence
from delvecore.archive import Archive
from delvecore.archive.score_tables import score_table
from delvecore.archive.scores.baseline_units import match_of
from delvecore.losses.spec import loss_order, measure_named
from delvecore.losses.standard_losses import PREFERRED
from delvecore.render.csv import template_text
from delvecore.render.spans import as_name, markdown
from delvecore.report import words
from delvecore.report.ranking.sentences import (
    against_words,
    best_ranked,
    places_words,
    standing_of,
    unit_count,
    untestable_words,
)
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.ranks import choose_unit, methods_of_most_results
from delvecore.stats.verdicts import DEFAULT_TEST, pair_verdicts
from delvecore.tables import rows_of


@cached
def answer_on(
    archive: Archive, method: str | None, added: frozenset[str], setting: Setting
) -> tuple[Request, str, str] | None:
    """Prepare the comparison of a method with others under its most frequent loss; None if it has no results.

    Return (request, heading, basis) for the method's tasks, and the methods with results on all of them. Both
    texts are empty if there are too few tasks or methods to rank.

    added: the added methods, whose tasks are used if `method` is None."""
    names = added if method is None else {method}
    losses = [loss for on in archive.index.methods_on.values() for loss in on if names & {*on[loss]}]
    if not losses:
        return None
    counts = Counter(losses)
    loss = min(counts, key=lambda name: (-counts[name], loss_order(name)))
    measure = archive.measures[loss]
    table = score_table(archive, measure, keep=sorted(names))
    if measure.is_loss:
        table = replace(table, quantity=words.measure_quantity(measure))
    has = ~np.isnan(table.values)
    done = [names & {*np.array(table.methods)[row]} for row in has]
    usual = methods_of_most_results(sorted(names & {*table.methods}), [*filter(None, done)])
    if not usual:
        return None
    own = np.array([on >= {*usual} for on in done])
    tasks = [table.tasks[place] for place in np.flatnonzero(own)]
    methods = [table.methods[place] for place in np.flatnonzero(has[own].all(axis=0))]
    request = Request(archive, loss, setting, tasks=tuple(tasks), methods=tuple(methods))
    try:
        analysis = analyze(
            table.select(tasks=tasks, methods=methods), alpha=setting.alpha, adjustment=setting.adjust
        )
    except ValueError:
        return request, "", ""
    verdicts = pair_verdicts(analysis, DEFAULT_TEST)
    first = best_ranked(analysis)
    standing = standing_of(analysis, verdicts, method or first[0])
    if standing is None:
        return request, "", ""
    heading = f"{as_name(standing.method)} ranks {standing.place} of {standing.of}"
    against = against_words(standing)
    basis = f"By {words.measure_quantity(measure)} on {unit_count(analysis)}"
    if verdicts.is_testable:
        if len(set(standing.places)) > 1:
            heading += f" (places {places_words(standing.places)})"
        basis += f", it is {against}" if against else ""
    else:
        basis += f": {untestable_words(analysis, verdicts)}"
    basis += "."
    if method is not None:
        where = where_of(analysis.table, {}, method, unit=choose_unit(analysis.table), level=setting.level)
        basis += f" {where_sentence(where)}"
    elif len(first) > 1:
        basis += f" {words.and_list([as_name(name) for name in first])} share the first rank."
    return request, heading, basis


def take_files(mine: Own) -> None:
    """Show the upload field. Dropped files are added, and the page runs again."""
    files = st.file_uploader(
        "Tables of scores, files of cases, or archive files (.tar.gz) of methods or datasets",
        accept_multiple_files=True,
        max_upload_size=uploads.MOST_BYTES >> 20,
        key=f"upload-{mine.round}",
        help="Scores as CSV, Excel, Parquet, JSON ...: one line for each method and dataset, or a "
        "table of datasets and methods. Archive files that `delve pack` makes: METHOD-all.tar.gz, "
        "DATASET.tar.gz.",
    )
    st.caption(
        f"Up to {uploads.MOST_FILES} files of {uploads.MOST_BYTES >> 20} MB, and "
        f"{uploads.LIMITS.total_bytes >> 20} MB together after unpacking. Only this browser sees them; "
        "they are removed an hour after you leave."
    )
    if files:
        bar = st.progress(0.0, "Checking and unpacking …")

        def notify(name: str, share: float) -> None:
            bar.progress(share, f"Checking and unpacking {words.escape(name)} …")

        before, tables = mine.methods, set(mine.scores)
        mine.take(files, server_paths(), notify=notify)
        show_unknown_alone(mine, set(mine.scores) - tables)
        alone = mine.methods - before
        if selection.mine() is None and len(alone) == 1:
            selection.choose(mine=min(alone))
        st.rerun()


def show_unknown_alone(mine: Own, tables: Collection[int]) -> None:
    """Show a new table instead of the archive, if it is the only one and has none of the archive's tasks."""
    archive = archive_status.served().archive
    for number in tables if len(mine.scores) == 1 and not mine.added else ():
        file = mine.scores[number].file
        if archive and file and match_of(file, archive.constants) is None:
            mine.show_alone(number)


def show_template(view: View) -> None:
    """Offer the archive's tasks as a table to fill in."""
    if not view.choices.tasks:
        return
    known = view.choices.losses or PREFERRED
    usual, notices = min(known, key=words.loss_preference), list[str]()
    measures = view.archive.measures
    loss = wanted_loss(known, usual, view.selection, notices, where="here", measures=measures)
    measure, tasks = measure_named(loss, measures), tasks_with(view.archive, loss)
    asked = words.measure_within(measure) if measure.is_loss else words.escape(measure.title)
    units = ", in units of the targets," * measure.is_loss
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Did you run your method elsewhere? This table has a line for each of "
            f"{words.count(tasks.num_rows, 'task')}. Fill in the mean {asked}{units} and "
            f"drop it here. {' '.join(notices)}",
            width="content",
        )
        blocks.file_button("CSV", lambda: template_text(tasks, loss), f"template-{words.short_line(loss)}")


def tasks_with(archive: Archive, loss: str) -> pa.Table:
    """Return the tasks of an archive that have results under a loss, or all tasks if none has."""
    known = {place for place, losses in archive.index.methods_on.items() if loss in losses}
    has = [place in known for place in rows_of(archive.tasks, ("dataset", "prototask", "task"))]
    return archive.tasks.filter(pa.array(has)) if any(has) else archive.tasks


def sentence(mine: Own) -> str:
    names = [f"the {added.kind} **{words.escape(added.name)}**" for added in mine.added.values()]
    names += [f"the table **{words.escape(own.name)}**" for own in mine.scores.values() if own.group]
    if not names:
        hold = "holds" if len(mine.cases) == 1 else "hold"
        for tables, advice in (
            (mine.cases, f"{hold} cases: check the planned dataset below, then make it."),
            (mine.unclear, "may contain scores or cases: please choose below."),
            (mine.scores, "cannot be shown yet: see the question below."),
        ):
            if tables:
                return (
                    f"{words.and_list([f'**{words.escape(one.name)}**' for one in tables.values()])} {advice}"
                )
        if mine.refused and mine.refused != [uploads.REMOVED]:
            return "None of your files could be read; the reasons are below."
        return (
            "Drop a table of scores, a file of cases, or the archive file of a method or a dataset. "
            "It is checked and shown next to this archive, only to you."
        )
    if mine.table_alone:
        table = f"the table **{words.escape(mine.table_alone.name)}**"
        names.remove(table)
        shown = f"{_subject([table])} shown on all pages instead of this archive, only to you."
        return f"{shown} {_subject(names)} hidden until you go back to the archive." if names else shown
    return f"{_subject(names)} shown next to this archive on all pages, only to you."


def _subject(names: Sequence[str]) -> str:
    """Return names and their verb for the beginning of a sentence."""
    text = f"{words.and_list(names)} {'is' if len(names) == 1 else 'are'}"
    return text[0].upper() + text[1:]


def show_links(view: View, request: Request) -> None:
    with st.container(horizontal=True):
        if st.button("Ranking", icon=":material/leaderboard:", key="own-ranking"):
            selection.open_page("ranking", loss=request.loss, methods=request.methods)
        if st.button("Compare", icon=":material/balance:", key="own-compare"):
            task, reference = next(iter(request.tasks or ())), view.selection.mine
            selection.open_page("compare", loss=request.loss, task=task, reference=reference, methods=None)


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "add_data")
    mine = uploads.own()
    answer = answer_on(view.archive, view.selection.mine, mine.methods, wanted_setting(view.selection))
    request, heading, basis = answer or (None, "", "")
    if heading:
        page.answer(heading, view, basis=basis, mine=" ")
        if not mine.table_alone or mine.added or len(mine.scores) > 1:
            st.caption(markdown(sentence(mine)))
    else:
        page.answer("Add your own results", view, basis=sentence(mine))
    if request is not None and heading:
        show_links(view, request)
    for message in mine.refused:
        st.error(words.escape(message), icon=":material/block:")
    take_files(mine)
    if not mine.table_alone:
        show_template(view)
    served = opened.with_answers(archive_status.served()).archive
    for number, table in list(mine.unclear.items()):
        show_unclear(mine, number, table)
    for number, own in list(mine.scores.items()):
        match = match_of(own.file, served.constants) if served and own.file else None
        show_scores(mine, number, own, match)
    for number, cases in list(mine.cases.items()):
        if cases.plan is not None:
            show_cases(mine, number, cases, cases.plan, served)
    whole = mine.with_added(served) if served and mine.table_alone else view.archive
    for added in list(mine.added.values()):
        show_added(view, mine, added, whole)
    if not (mine.added or mine.scores or mine.cases or mine.unclear):
        how = "with its problems, if there are any. To make an archive file:"
        page.empty_state("What you add appears here,", how, command_text("delve", "pack", "METHOD"))
