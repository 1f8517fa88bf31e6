"""Problems: what is wrong with these files?"""

import streamlit as st

from dashboard import data, page, selection, words

COLUMNS = {
    "kind": st.column_config.TextColumn("Kind"),
    "file": st.column_config.TextColumn("File", width=260),
    "line": st.column_config.NumberColumn("Line", width="small", format="%d"),
    "expected": st.column_config.TextColumn("Expected", width="medium"),
    "found": st.column_config.TextColumn("Found", width="medium"),
    "remedy": st.column_config.TextColumn("What to do", width="medium"),
}

view = page.begin("What is wrong with these files?")
table = data.problem_table(view.state)
if table.empty:
    page.answer("**Nothing**: every file of the archive could be read.", view)
    st.stop()

kinds = table["kind"].value_counts()
by_kind = words.and_list([f"{number} in {kind}" for kind, number in kinds.items()])
page.answer(f"**{words.count(len(table), 'problem')}**: {by_kind}. Each costs its own file only.", view)
chosen = selection.local(
    st.segmented_control,
    "Kind",
    "kind",
    ["all", *kinds.index],
    required=True,
    format_func=lambda kind: f"{kind} ({len(table) if kind == 'all' else kinds[kind]})",
)
shown = table if chosen == "all" else table[table["kind"] == chosen]
page.table_block(shown, name="problems", alt="Problems found in the archive's files", column_config=COLUMNS)
st.caption("The same on the command line:")
st.code("delve check", language=None)
