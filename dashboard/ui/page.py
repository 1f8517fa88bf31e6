"""The frame of every page: controls, the main result as heading, its basis, and notices.

`app.py` passes the prepared view to a page. The page starts with `view = page.begin(prepared, "ranking")` and
continues with `page.answer("gp-1 ranks first of 12.", view, basis="29 datasets, squared error.")`.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.server import archive as opened
from dashboard.server import uploads
from dashboard.server.jobs import Job
from dashboard.server.pages import BY_NAME
from dashboard.ui import archive_status, selection
from dashboard.ui.choices import Choices, choices
from dashboard.ui.commands import command_text, reproducing_command
from dashboard.ui.controls import setting_control
from dashboard.ui.glossary import GLOSSARY, terms_with
from dashboard.ui.selection import Selection
from delvecore.archive import Archive
from delvecore.archive.metrics import MeasuredLoss
from delvecore.errors import DelveError
from delvecore.losses.published import PUBLISHED_SIGN, PublishedResult, origins_of
from delvecore.render.spans import markdown, strong_paths
from delvecore.report import words
from delvecore.report.information import contributor_texts
from delvecore.report.verdict_words import shared_case_notes

FRAME = "frame"
"""Key of a session's view."""
ADDRESS_HELP = "Link to exactly this view"


@dataclass(frozen=True)
class View:
    """The archive of a session or the reason why there is none, the visitor's choices, and the options.

    unknown: requested names that resemble nothing in the archive, by field; head: container of the heading,
    basis and notices, above the controls that determine them; page: name of the current page."""

    shown: opened.Opened
    selection: Selection
    choices: Choices
    notices: tuple[str, ...]
    unknown: Mapping[str, str] = field(default_factory=dict)
    head: DeltaGenerator | None = field(default=None, compare=False)
    page: str = ""

    @property
    def archive(self) -> Archive:
        """The archive. Raises ValueError if none could be read: `begin` stops the page in that case."""
        if self.shown.archive is None:
            raise ValueError("expected an archive that was read, found none")
        return self.shown.archive


def prepare() -> View:
    """Open the archive and read the address, once per run, before the code of a page.

    A session keeps its first archive. Reloading the page shows a changed archive."""
    shown = uploads.with_own(opened.with_answers(archive_status.served()))
    names = choices(shown.archive) if shown.archive else Choices()
    chosen, notices, unknown = selection.current(names)
    return View(shown, chosen, names, tuple(notices), unknown)


def begin(
    view: View,
    name: str,
    *,
    tests: bool = False,
    adjusts: bool = True,
    by_loss: bool = False,
    shows_task: bool = False,
) -> View:
    """Start a page with its name, settings and link; return its View. Stop if no archive can be read.

    name: folder of the page; tests: does the page test differences, so that it shows their settings? adjusts:
    does the adjustment of p affect it? by_loss: does it show losses, and so also a requested metric?
    shows_task: does it show only one task?"""
    shown = view.shown
    waits_for: Job[Any] | None = shown.opening
    if shown.archive is not None and (tests or by_loss):
        view, waits_for = _with_metric(view, of_all=not shows_task)
    view = st.session_state[FRAME] = replace(view, page=name)
    tests = tests and shown.question is None
    tests = tests and (shown.archive is None or view.archive.results.num_rows > 0)
    _show_bar(BY_NAME[name].title, view.selection, tests=tests, adjusts=adjusts)
    view = replace(view, head=st.container(key="page-head"))
    if waits_for is not None or shown.archive is None or not shown.archive.sources:
        answer(BY_NAME[name].title, view)
    if waits_for is not None:
        archive_status.wait_for(waits_for)
        st.stop()
    archive_status.tell_change()
    _show_own_alone()
    _show_readings(shown)
    if shown.archive is None:
        st.stop()
    if not view.archive.sources:
        how = "Start with a delve directory or a table of scores:"
        empty_state("There is no archive here.", how, "delve dashboard PATH")
        st.stop()
    return view


def _show_bar(title: str, chosen: Selection, *, tests: bool, adjusts: bool) -> None:
    """Show the page's name, the settings of the tests, and the address of the view."""
    with st.container(horizontal=True, vertical_alignment="center", key="page-bar"):
        st.caption(title)
        if tests:
            setting_control(selection.wanted_setting(chosen), chosen.unit, adjusts=adjusts)
        with st.popover("Copy link", icon=":material/link:", key="copy-link", help=ADDRESS_HELP):
            with st.container(key="copied"):
                st.text("Copied")
            others = {
                name: st.query_params.get_all(name)
                for name in st.query_params
                if name not in selection.FIELDS
            }
            address = selection.link(chosen, address=st.context.url or "", others=others)
            st.code(address, language=None)
            if uploads.own().is_shown:
                st.caption("Others do not have your files. To see this view, they need the files and")
                st.code(reproducing_command(chosen.mine), language=None)


def _show_own_alone() -> None:
    """Report that a visitor's own table replaces the archive, and offer a way back."""
    mine = uploads.own()
    if mine.table_alone:
        with st.container(horizontal=True, vertical_alignment="center", key="own-alone"):
            name = words.escape(mine.table_alone.name)
            st.info(f"All pages show your table **{name}** instead of the archive.", width=620)
            st.button("Back to the archive", key="back-to-archive", on_click=mine.show_alone, args=(None,))


def _with_metric(view: View, *, of_all: bool) -> tuple[View, Job[MeasuredLoss] | None]:
    """Return (view, job): the view with the requested metric, and the job that still computes it, or None.

    If the metric has no value, the view has a notice. of_all: add notices about results without a value."""
    loss = view.selection.loss
    if loss is None or loss in view.archive.index.losses:
        return view, None
    job = opened.with_metric(view.archive, loss)
    if not job.is_done(opened.PATIENCE):
        return view, job
    try:
        measured = job.result()
    except DelveError as error:
        chosen = replace(view.selection, loss=None)
        notices = (*view.notices, words.escape(str(error)))
        return replace(view, selection=chosen, notices=notices), None
    chosen = replace(view.selection, loss=measured.loss)
    metric_notes = measured.notes[:2] if of_all else ()
    notices = (*view.notices, *(words.escape(f"{note}.") for note in metric_notes))
    shown = opened.Opened(measured.archive, None)
    return replace(view, shown=shown, selection=chosen, notices=notices), None


def _show_readings(shown: opened.Opened) -> None:
    """Show how the scores were read, or the questions to answer first."""
    if shown.question is not None:
        archive_status.show_question(shown.question, opened.answer, key="question")
    elif shown.archive is None:
        st.error("The archive cannot be read.")
        st.text(shown.error)
    else:
        is_own = uploads.own().is_shown or not opened.score_paths()
        forget = None if opened.answered() is None else opened.forget_answers
        change = None if is_own else opened.answer
        archive_status.show_readings(shown.archive.readings, change=change, forget=forget)
        return
    if opened.answered() is not None:
        archive_status.show_forget(opened.forget_answers)


def answer(heading: str, view: View, *, basis: str = "", mine: str = "", notices: Sequence[str] = ()) -> None:
    """Write the main result of a page as its heading, with the basis below and notices above.

    heading: at most 15 words; basis: one line with datasets, loss and test; mine: result of the visitor's own
    method, by default its number of tasks; notices: requests that were replaced. Names are marked
    (`render.spans`), or escaped in Markdown."""
    archive = view.shown.archive
    own = mine or (line_of_mine(archive) if archive is not None else "")
    with view.head or st.container():
        show_notices((*view.notices, *notices))
        st.title(markdown(strong_paths(heading.removesuffix("."))), anchor=False)
        if line := f"{basis} {own}".strip():
            st.markdown(markdown(line))
        if archive is not None and archive.notice:
            st.warning(words.escape(archive.notice))


def method_address(name: str) -> str:
    """Return the address of a method's page, with all current choices."""
    chosen = replace(selection.stored(), method=name)
    return selection.link(chosen, address="methods", others=selection.filters())


def line_of_mine(archive: Archive) -> str:
    """Return a sentence on the visitor's own method if the page does not compare it; otherwise empty."""
    name = selection.mine()
    if name is None:
        return ""
    done = len(archive.index.tasks_done.get(name, ()))
    return f"Yours is **{words.escape(name)}**, with results on {words.count(done, 'task')}."


@st.fragment
def show_glossary() -> None:
    """Show a button with the meaning of every term; the list is built when it is opened."""
    menu = st.popover("Glossary", icon=":material/help:", key="all-terms", on_change="rerun")
    if menu.open:
        with menu:
            text = st.text_input("What does it mean?", key="term", placeholder="a word, such as prior")
            terms = terms_with(text)
            st.markdown("\n".join(f"- **{term}**: {GLOSSARY[term]}" for term in terms) or "No such term.")


def show_commands(*commands: str) -> None:
    """Show the commands that print the same results, for copying."""
    programs = [re.match(r"(delve )?\S+", command) for command in commands]
    named = words.and_list([f"`{match.group()}`" for match in programs if match])
    tests_pairs = any(one.startswith("mstats ") and " -c " in one for one in commands)
    single = "; its p-values are not adjusted for the number of pairs" if tests_pairs else ""
    st.caption(f"The same on the command line, by {named}{single}:")
    st.code("; ".join(commands), language=None, wrap_lines=True)


def empty_state(what: str, how: str, command: str | None = None) -> None:
    """Explain why the page is empty and how to fill it."""
    with st.container(border=True):
        st.markdown(markdown(f"**{what}** {how}"))
        if command:
            st.code(command, language=None)


def no_methods(chosen: Selection) -> None:
    """Report that no chosen method has results, and how to choose one."""
    what = "None of the chosen methods has results here." if chosen.methods else "No method is chosen."
    empty_state(what, "Choose methods in the list, or press All.")


def shared_cases(archive: Archive, tasks: Collection[str]) -> str:
    """Return a note such as ` /demo/age/std.21: training sets overlap ...` for a caption; empty in most
    cases."""
    notes = shared_case_notes(archive.results, tasks)
    return "".join(f" {words.escape(note)}" for note in notes)


def published_note(values: Sequence[PublishedResult]) -> str:
    """Explain the hollow marks and the source of their values, for the end of a caption."""
    if not values:
        return ""
    origins = words.escape("; ".join(origins_of(values)))
    return (
        f" Hollow marks ({PUBLISHED_SIGN}) are results that were published elsewhere and are never "
        f"tested. Their bars are one standard deviation over runs. {origins}."
    )


def contributors(view: View, part: str, name: str) -> None:
    """Show the contributors of a dataset (part `data`) or method (`methods`), if the documentation names
    them."""
    texts = contributor_texts(view.archive.hierarchy, part, name)
    if texts:
        st.caption(f"Contributed by {'; '.join(map(words.escape, texts))}.")


def no_results(view: View, heading: str, what: str) -> None:
    answer(heading, view)
    command = command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
    empty_state(what, "Run two methods on a task:", command)


def show_notices(notices: Iterable[str]) -> None:
    for notice in notices:
        st.info(markdown(notice), icon=":material/info:")
