"""A card for each method and dataset that was added: what is wrong with it, and what can be done with it."""

import functools
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.server import archive as opened
from dashboard.server import uploads
from dashboard.server.uploads import Added, Own
from dashboard.ui import archive_status, blocks, selection
from dashboard.ui.findings import FINDING_COLUMNS
from dashboard.ui.page import View
from delvecore.errors import Problem
from delvecore.report import words

ICONS = {"method": ":material/model_training:", "dataset": ":material/dataset:"}


def show_added(view: View, mine: Own, added: Added) -> None:
    """A card: what it is, what is wrong with it, and what can be done with it."""
    name = words.escape(added.name)
    with st.container(border=True, key=f"own-{added.part}-{added.name}"):
        st.subheader(f"{ICONS[added.kind]} {name}", anchor=False)
        st.caption(words.escape(facts(view, added)))
        with st.spinner("Checking …"):
            problems = uploads.problems_of(view.archive, added.part, added.name)
        show_problems(view, added, problems)
        with st.container(horizontal=True):
            show_ways(view, mine, added)


def facts(view: View, added: Added) -> str:
    uploads_named = words.and_list([words.plain(upload, longest=60) for upload in added.uploads])
    said = [f"A {added.kind}: {words.count(added.files, 'file')} from {uploads_named}"]
    if not added.uploads:
        said = [f"A {added.kind}, made of your cases"]
    if present := sum(one.present for one in added.installed):
        said.append(f"{words.count(present, 'file')} there already, the same")
    if hidden := sum(one.hidden for one in added.installed):
        said.append(f"{words.count(hidden, 'file')} left out, whose names start with a dot")
    if added.kind == "method":
        done = len(view.archive.index.tasks_done.get(added.name, ()))
        said.append(f"results on {words.count(done, 'task')}")
    return "; ".join(said) + "."


def show_problems(view: View, added: Added, problems: Sequence[Problem]) -> None:
    if not problems:
        st.success("Checked: nothing is wrong with it.", icon=":material/check:")
        return
    command = "dcheck" if added.part == "data" else "mcheck"
    st.warning(f"Checked: {words.count(len(problems), 'problem')}, as {command} finds them.")
    table = pd.DataFrame([problem._asdict() for problem in problems]).astype({"line": "Int64"})
    table.insert(1, "file", [short_path(path, view, added) for path in table.pop("source")])
    name, alt = f"problems-{added.part}-{added.name}", f"Problems of {added.name}"
    blocks.table_block(table, name=name, alt=alt, column_config=FINDING_COLUMNS)


def short_path(path: str, view: View, added: Added) -> str:
    """Return a path from the method's or dataset's name on, where it is one below it."""
    short = opened.path_inside(path, view.archive.paths if view.archive else ())
    start = f"{uploads.NAME}/{added.part}/"
    return short.removeprefix(start) if short.startswith(start + added.name) else short


def show_ways(view: View, mine: Own, added: Added) -> None:
    """Buttons: to its page, to a comparison, into the archive for everybody, away."""
    key = f"{added.part}-{added.name}"
    known = view.choices.methods if added.kind == "method" else view.choices.datasets
    if added.name in known and st.button("Open", icon=":material/open_in_new:", key=f"open-{key}"):
        selection.open_page(f"{added.kind}s", others=None, **{added.kind: added.name})
    tasks = view.archive.index.tasks_done.get(added.name, ()) if added.kind == "method" else ()
    if tasks and st.button("Compare", icon=":material/balance:", key=f"compare-{key}"):
        selection.open_page("compare", task=min(tasks), reference=added.name, methods=())
    if not added.uploads:
        make = functools.partial(mine.packed, added.name)
        blocks.download("Download", make, f"{added.name}.tar.gz", key=f"packed-{key}")
    elif opened.install_directory():
        st.button(
            "Install for everybody",
            icon=":material/group_add:",
            key=f"install-{key}",
            help="Put it into the archive of this server",
            on_click=install,
            args=(mine, added),
        )
    st.button("Remove", icon=":material/delete:", key=f"remove-{key}", on_click=mine.remove, args=(added,))


def install(mine: Own, added: Added) -> None:
    """Put it into the server's archive, and look at that again."""
    if directory := opened.install_directory():
        mine.install(added, directory, server_paths())
        opened.look()
        archive_status.move_over()


def server_paths() -> Sequence[str]:
    archive = archive_status.served().archive
    return archive.paths if archive else ()
