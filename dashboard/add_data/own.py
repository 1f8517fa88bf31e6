"""The pieces of the page Add data: taking files, and a card for each method or dataset that was added."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.frame import page, selection, words
from dashboard.frame.page import View
from dashboard.server import archive as opened
from dashboard.server import uploads
from dashboard.server.uploads import Added, Own
from delvecore.errors import Problem

__all__ = ["show_added", "show_refused", "take_files"]

COLUMNS = {
    "kind": st.column_config.TextColumn("Kind"),
    "file": st.column_config.TextColumn("File", width=200),
    "line": st.column_config.NumberColumn("Line", width="small", format="%d"),
    "expected": st.column_config.TextColumn("Expected", width=260),
    "found": st.column_config.TextColumn("Found", width=140),
    "remedy": st.column_config.TextColumn("What to do", width="medium"),
}
ICONS = {"method": ":material/model_training:", "dataset": ":material/dataset:"}


def take_files(mine: Own) -> None:
    """Show the place to drop files; what was dropped is added and the page run anew."""
    files = st.file_uploader(
        "Archive files (.tar.gz) of methods or datasets",
        type=["gz", "tgz"],
        accept_multiple_files=True,
        max_upload_size=uploads.MOST_BYTES >> 20,
        key=f"upload-{mine.round}",
        help="As `delve pack` makes them: METHOD-all.tar.gz, METHOD-DATASET.tar.gz, METHOD-Source.tar.gz, "
        "DATASET.tar.gz.",
    )
    st.caption(
        f"Up to {uploads.MOST_FILES} files of {uploads.MOST_BYTES >> 20} MB, which unpack to "
        f"{uploads.LIMITS.total_bytes >> 20} MB together. Only you see them, until you close or reload this "
        "tab."
    )
    if files:
        bar = st.progress(0.0, "Checking and unpacking …")

        def notify(_name: str, share: float) -> None:
            bar.progress(min(1.0, share))

        mine.take(files, _server_paths(), notify=notify)
        st.rerun()


def _server_paths() -> Sequence[str]:
    archive = opened.open_archive().archive
    return archive.paths if archive else ()


def show_refused(mine: Own) -> None:
    """Say what was wrong with the files sent last."""
    for message in mine.refused:
        st.error(words.escape(message), icon=":material/block:")


def show_added(view: View, mine: Own, added: Added) -> None:
    """A card: what it is, what is wrong with it, and what can be done with it."""
    name = words.escape(added.name)
    with st.container(border=True, key=f"own-{added.part}-{added.name}"):
        st.subheader(f"{ICONS[added.kind]} {name}", anchor=False)
        st.caption(words.escape(_facts(view, added)))
        with st.spinner("Checking …"):
            problems = uploads.problems_of(view.state, added.part, added.name)
        _show_problems(view, added, problems)
        with st.container(horizontal=True):
            _show_ways(view, mine, added)


def _facts(view: View, added: Added) -> str:
    uploads_named = words.and_list([words.plain(upload, longest=60) for upload in added.uploads])
    said = [f"A {added.kind}: {words.count(added.files, 'file')} from {uploads_named}"]
    if added.present:
        said.append(f"{words.count(added.present, 'file')} there already, the same")
    if added.hidden:
        said.append(f"{words.count(added.hidden, 'file')} left out, whose names start with a dot")
    if added.kind == "method":
        done = len(opened.tasks_done(view.state).get(added.name, ()))
        said.append(f"results on {words.count(done, 'task')}")
    return "; ".join(said) + "."


def _show_problems(view: View, added: Added, problems: Sequence[Problem]) -> None:
    if not problems:
        st.success("Checked: nothing is wrong with it.", icon=":material/check:")
        return
    command = "dcheck" if added.part == "data" else "mcheck"
    st.warning(f"Checked: {words.count(len(problems), 'problem')}, as {command} finds them.")
    table = pd.DataFrame([problem._asdict() for problem in problems]).astype({"line": "Int64"})
    table.insert(1, "file", [_short(path, view, added) for path in table.pop("source")])
    page.table_block(
        table,
        name=f"problems-{added.part}-{added.name}",
        alt=f"Problems of {added.name}",
        column_config=COLUMNS,
    )


def _short(path: str, view: View, added: Added) -> str:
    """Return a path from the method's or dataset's name on, where it is one below it."""
    short = opened.path_inside(path, view.archive.paths if view.archive else ())
    start = f"{uploads.NAME}/{added.part}/"
    return short.removeprefix(start) if short.startswith(start + added.name) else short


def _show_ways(view: View, mine: Own, added: Added) -> None:
    """Buttons: to its page, to a comparison, into the archive for everybody, away."""
    key = f"{added.part}-{added.name}"
    known = view.choices.methods if added.kind == "method" else view.choices.datasets
    if added.name in known and st.button("Open", icon=":material/open_in_new:", key=f"open-{key}"):
        selection.choose(**{added.kind: added.name})
        st.switch_page(page.file_of(f"{added.kind}s"))
    tasks = opened.tasks_done(view.state).get(added.name, ()) if added.kind == "method" else ()
    if tasks and st.button("Compare", icon=":material/balance:", key=f"compare-{key}"):
        selection.choose(task=min(tasks), reference=added.name, methods=())
        st.switch_page(page.file_of("compare"))
    if opened.install_directory():
        st.button(
            "Install for everybody",
            icon=":material/group_add:",
            key=f"install-{key}",
            help="Put it into the archive of this server",
            on_click=_install,
            args=(mine, added),
        )
    st.button("Remove", icon=":material/delete:", key=f"remove-{key}", on_click=mine.remove, args=(added,))


def _install(mine: Own, added: Added) -> None:
    """Put it into the server's archive, and look at that again."""
    if directory := opened.install_directory():
        mine.install(added, directory, _server_paths())
        opened.open_archive(check=True)
