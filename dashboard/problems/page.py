"""Problems: what is wrong with these files?"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.frame import page
from dashboard.frame.commands import command_text
from dashboard.frame.findings import check_methods, show_findings
from dashboard.frame.page import View
from dashboard.server import archive as opened
from dashboard.server import checks as check_data
from delvecore.errors import Problem
from delvecore.figures import words

CHECKED_AT_ONCE = 40
"""With more results than this, methods are checked when asked for: each takes some hundredths of a second."""
EVERYTHING = "methods"


def dataset_findings(view: View) -> list[Problem]:
    names = [row["dataset"] for row in opened.rows(view.state, "datasets")]
    return [finding for name in names for finding in check_data.dataset_findings(view.state, name)]


def is_cheap(view: View, steps: Sequence[check_data.Step]) -> bool:
    results = sum(len(tasks) for tasks in opened.tasks_done(view.state).values())
    return results <= CHECKED_AT_ONCE or check_data.all_checked(view.state, steps)


def offer_methods(view: View) -> bool:
    """Offer to check the methods; is it to be done?"""
    if st.query_params.get("checked") == EVERYTHING:
        return True
    methods = words.count(len(opened.rows(view.state, "methods")), "method")
    asked = st.button(
        f"Check {methods} too",
        icon=":material/rule:",
        help="Documentation, codings, predictions, and whether losses are those of the predictions",
    )
    if asked:
        st.query_params["checked"] = EVERYTHING
    return asked


def sentence(table: pd.DataFrame, checked: bool) -> str:
    rest = "" if checked else " What methods predicted has not been checked yet."
    if table.empty:
        what = "every file of the archive" if checked else "every file could be read, and every dataset"
        what = f"{what} is as it should be"
        return f"**Nothing**: {what}.{rest}"
    kinds = table["kind"].value_counts()
    by_kind = words.and_list([f"{number} in {words.escape(kind)}" for kind, number in kinds.items()])
    return f"**{words.count(len(table), 'problem')}**: {by_kind}. Each costs no more than its own file.{rest}"


view = page.begin("What is wrong with these files?")
head = st.container()
steps = check_data.method_steps(view.state)
is_checked = is_cheap(view, steps) or offer_methods(view)
found = dataset_findings(view) + (check_methods(view.state, steps) if is_checked else [])
table = check_data.joined(view.state, found)
with head:
    page.answer(sentence(table, is_checked), view)
if not table.empty:
    show_findings(table, name="problems", alt="Problems found in the archive's files")
st.caption("The same on the command line:")
commands = (("delve", "check"), ("dcheck", "/DATASET"), ("mcheck", "/"))
st.code("; ".join(command_text(*words) for words in commands), language=None)
