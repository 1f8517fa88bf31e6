"""Contents of the Leaderboard: the table of methods, their costs, and the contents of the archive."""

from dataclasses import replace

import streamlit as st

from dashboard.leaderboard import data
from dashboard.leaderboard.table import leaders_html
from dashboard.server import checks as check_data
from dashboard.server.pages import streamlit_page
from dashboard.ui import blocks, findings, selection
from dashboard.ui.archive_facts import titles_of
from dashboard.ui.blocks import dot_list, show_answer
from dashboard.ui.commands import scored_command
from dashboard.ui.controls import part_control
from dashboard.ui.glossary import help_for
from dashboard.ui.page import method_address
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer
from delvecore.answers.leaderboard import Costs, beats_note
from delvecore.answers.wins_and_losses import is_thin, kinds_table, measure_words
from delvecore.archive import Archive
from delvecore.library import contents
from delvecore.locations import is_part_of_whole
from delvecore.model import TaskId
from delvecore.render.numbers import parameter, percent, seconds_text
from delvecore.render.provenance import option_words
from delvecore.render.spans import markdown, plain
from delvecore.report import words
from delvecore.report.ranking.sentences import run_sentences

MOST_METHODS = 60
"""Largest number of methods up to which all are drawn."""
MOST_PLACES = 12
"""Largest number of paths in a command."""
OWN_WITHOUT_TIMES = "Your scores have no times. "
GAPS = {
    "method": st.column_config.TextColumn("Method", pinned=True),
    "prototask": st.column_config.TextColumn("Prototask"),
    "tasks": st.column_config.NumberColumn("Tasks", help="Number of tasks on which any method has results"),
    "missing": st.column_config.NumberColumn("Without results"),
    "reason": st.column_config.TextColumn("Why", help="The reason that the method states for these tasks"),
}


def show_leaders(request: Request, aspect: str | None, measure: str) -> None:
    """Show one row per method: its places, and numbers over all tasks or on kinds of tasks."""
    board, kinds = data.known_board(request), data.kinds(request)[aspect] if aspect else ()
    part = part_control(len(board.whole.order), "Methods shown", "rows-shown", whole=MOST_METHODS)
    some = part_control(len(kinds), "Kinds shown", "kinds-shown", whole=MOST_METHODS)
    table = data.shown_table(request, aspect, measure, some)
    mine = selection.mine()
    titles, addresses = titles_of(request.archive), {name: method_address(name) for name in table["method"]}
    answer = data.leaders(request)
    level = percent(request.setting.level)
    caption = f"Dot: place by mean rank; bar: its {level} confidence set." if board.places else ""
    caption = caption or "Dot: place by mean rank."
    if aspect:
        caption += f" {measure_words(measure, kinds[0])} on each kind of task."
        caption += " Kinds of one or two tasks are uncertain." if any(map(is_thin, kinds)) else ""
    name = f"by-{aspect}".replace(" ", "-") if aspect else "leaderboard"
    numbers = kinds_table(kinds).frame() if aspect else answer.table.frame()
    blocks.figure_block(
        data.places_figure(request, part.start, part.stop),
        numbers.assign(title=[titles.get(one, one) for one in numbers["method"]]),
        name=name,
        key="leaders",
        alt=data.places(request, part.start, part.stop).alt,
        command=command_of(request, "leaderboard"),
        note=" ".join(
            [
                *run_sentences(board.analysis.given.runs, warns=False),
                beats_note(board.analysis, board.verdicts),
            ]
        ),
        html=leaders_html(
            table, data.looks(request), addresses, titles=titles, mine=mine, caption=caption, part=part
        ),
    )


def show_costs(request: Request, answer: Answer | None) -> None:
    """Plot the mean score of each method against its cost, and name the methods on the cost frontier."""
    st.subheader("What does it cost?", anchor=False, help=help_for("computing cost"))
    mine = selection.mine()
    if answer is None:
        own = OWN_WITHOUT_TIMES if mine in data.known_board(request).whole.methods else ""
        st.caption(f"{own}Costs are shown if the times of at least two methods on two datasets are known.")
        return
    costs: Costs = answer.figure.data
    seconds = dict(zip(costs.methods, costs.front.cost.tolist(), strict=True))
    st.markdown(markdown(f"{OWN_WITHOUT_TIMES if mine in costs.without else ''}{answer.headline}"))
    marks = f"Filled marks are on the cost frontier{'; bars are intervals' * costs.has_intervals}."
    about = (
        f"Mean {words.short_line(costs.quality)} (dot) and computing time of each method in "
        "seconds, cheapest first."
    )
    looks, means = data.styles(request), dict(zip(costs.methods, costs.means[0].tolist(), strict=True))
    dots = [
        (
            name,
            means[name],
            f"{words.number(means[name], digits=2, zeros=True)}, {seconds_text(seconds[name])} s",
            looks[name].color,
        )
        for name in answer.table["method"]
    ]
    show_answer(
        replace(answer, notes=(marks, *answer.notes), command=command_of(request, "front") or ""),
        data.costs_figure(request),
        name="costs",
        key="costs",
        alt=f"Each method at its cost and {costs.quality}. {plain(answer.headline)}",
        listed=dot_list(about, dots),
    )


def command_of(request: Request, question: str) -> str | None:
    """Return the command that answers a question on the same tasks; None if there are too many paths."""
    places = [] if request.tasks is None else fewest_places(request.archive, request.tasks, request.loss)
    if len(places) > MOST_PLACES:
        return None
    options = ["--unit", request.unit] if request.unit else []
    options += ["--level", parameter(request.setting.level), "--show", question]
    return scored_command("rank", *places, *option_words("--loss", request.loss), *options)


def fewest_places(archive: Archive, tasks: tuple[str, ...], loss: str) -> list[str]:
    """Return the shortest list of paths that contain exactly these tasks among those with results."""
    done = [task for task, on in archive.index.methods_on.items() if loss in on]
    chosen = {task.path for task in done if task.path in set(tasks)}
    places: dict[str, None] = {}
    for task in (TaskId.parse(path) for path in tasks if path in chosen):
        names = task.path.split("/")
        widths = ["/".join(names[:length]) for length in (2, 3, 4)]
        whole = (
            one for one in widths if all(t.path in chosen for t in done if f"{t.path}/".startswith(f"{one}/"))
        )
        places[next(whole)] = None
    return list(places)


def show_problems(archive: Archive) -> None:
    table = findings.joined(archive, findings.known_findings(archive))
    problems, notices = findings.counted(table)
    if problems:
        so_far = "" if check_data.is_checked(archive) else " so far"
        st.warning(f"{words.count(problems, 'problem')} found in the files{so_far}; the rest is shown.")
    if problems or notices:
        count = words.count(notices, "notice")
        label = "What is wrong, and what to do" if problems else f"{count} about how the files were read"
        st.page_link(streamlit_page("file_check"), label=label, icon=":material/report:")


def show_contents(archive: Archive) -> None:
    sentences = (contents.content_sentence(archive), data.coverage_sentence(archive))
    st.markdown(markdown(" ".join(filter(None, sentences))))
    if is_part_of_whole(archive.paths):
        st.caption(
            "The results on kin, pumadyn and bank come with the package of the archive; in a checkout:"
        )
        st.code("pip install ./data", language=None)
    if len(data.gaps(archive)):
        with st.expander(
            "Why are results missing?", icon=":material/grid_off:", key="gaps", on_change="rerun"
        ) as box:
            if box.open:
                table = data.gaps_with_reasons(archive).frame()
                alt = "Prototasks on which methods lack results, and why"
                blocks.table_block(table, name="gaps", alt=alt, column_config=GAPS)
    with st.expander("Publish these results", icon=":material/public:", key="publish"):
        st.markdown("To write a static site for the supplement of a paper or the web page of a group:")
        st.code(scored_command("publish DIRECTORY"), language=None, wrap_lines=True)
