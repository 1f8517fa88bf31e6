"""Recipes of CONTRIBUTING.md, carried out on a copy of the package: one function or class is enough."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.archives import small_archive, write_tree
from tests.dashboard.array_archive import array_archive

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
COMMAND = """
import contextlib, importlib, io, sys


def command(name, *arguments):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            code = importlib.import_module(f"delvecore.cli.{name}").main(list(arguments))
        except SystemExit as end:
            code = end.code or 0
    if code:
        sys.exit(f"{name} {arguments} ended with {code}: {printed.getvalue()}")
    return printed.getvalue()

"""
"""What scripts call: it runs a command of the copy, which must succeed, and returns what it prints."""


class Copy:
    """A copy of the package in a directory of its own, in which recipes are carried out."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        for package in ("delvecore", "dashboard"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, directory / package, ignore=ignored)

    def add(self, module: str, text: str, *, before: str) -> None:
        """Insert a text into a module, before the first line that starts so."""
        path = self.directory / module
        whole = path.read_text(encoding="utf-8")
        start = re.search(rf"^{re.escape(before)}", whole, re.MULTILINE).start()
        path.write_text(whole[:start] + text.lstrip("\n") + whole[start:], encoding="utf-8")

    def replace(self, module: str, old: str, new: str) -> None:
        """Replace a text that occurs once in a module."""
        path = self.directory / module
        whole = path.read_text(encoding="utf-8")
        assert whole.count(old) == 1, f"{old!r} occurs {whole.count(old)} times in {module}"
        path.write_text(whole.replace(old, new), encoding="utf-8")

    def run(self, script: str, directory: Path) -> list[str]:
        """Run a Python script with the copy in a directory; return the lines that it prints."""
        made = subprocess.run(
            [sys.executable, "-c", COMMAND + script],
            cwd=directory,
            env=os.environ | {"PYTHONPATH": str(self.directory), "DELVEPATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stderr
        return made.stdout.splitlines()


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """One copy, so that modules are compiled once; what one recipe adds is nothing to the others."""
    return Copy(tmp_path_factory.mktemp("copy"))


@pytest.fixture
def task(tmp_path):
    """The directory of a method's task, age/std.8: two instances of four test cases, guesses of 30."""
    root = small_archive(tmp_path)
    guesses = {f"methods/mine/demo/age/std.8/guess.{number}": "30\n" * 4 for number in range(2)}
    write_tree(root, {"methods/mine/Summary": "Mine.\n", **guesses})
    return root / "methods/mine/demo/age/std.8"


def recipe(what: str, start: str = "To add a") -> str:
    """The steps by which CONTRIBUTING.md says that something is added or changed."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.partition(f"## {start} {what}\n")[2].partition("\n## ")[0]


LOSS = """
        Loss(
            "H",
            "Half absolute error",
            name="Half absolute error",
            letter="H",
            explanation="Half of the distance between guess and target.",
            of="a number",
            baseline=Baseline(1.0, "predicting the median"),
            best=0.0,
            preference=6,
            point="median",
        ),
"""
LOSS_FUNCTION = '''
@standard_loss("H")
def half_absolute_error(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Half absolute error loss, H."""
    return absolute_error(guesses, targets) / 2


'''
USE_OF_THE_LOSS = """
import delvecore
from delvecore.losses.spec import known_loss
from delvecore.report.words import measure_option

print(", H" in command("mloss", "-h"))
command("mgendata", "-q")
print(*[line[0] for line in open("Test-set-stats")])
command("mloss", "-q")
print("Half absolute error" in command("mstats", "-l", "A H"), repr(command("mcheck")))
results = delvecore.open("../../../../..").results.to_pylist()
found = {row["loss"]: row["mean"] / row["standardizer"] for row in results if row["method"] == "mine"}
print(measure_option(known_loss("H")), round(found["A"] / found["H"], 6))
"""


def test_a_loss_is_a_function_with_its_record(copy, task):
    assert "`delvecore/losses/standard_losses.py`" in recipe("loss")
    copy.add("delvecore/losses/standard_losses.py", LOSS, before='        Loss(\n            "Q"')
    copy.add("delvecore/losses/functions.py", LOSS_FUNCTION, before="def density_loss")
    assert copy.run(USE_OF_THE_LOSS, task) == [
        "True",
        "L Q A Z S",  # the format of DELVE 1.1 stays as it is
        "True ''",
        # What standardizes it is half the absolute deviation of the targets: standardized means agree.
        "Half absolute error (H) 1.0",
    ]
    halves, wholes = (
        [float(line) for line in (task / f"loss.{letter}.1").read_text().split()] for letter in "HA"
    )
    assert halves == pytest.approx([whole / 2 for whole in wholes])


CODING = '''
@registered
class TenthsCode(NumberCode):
    """A tenth of a number."""

    name = "tenths"
    types = ("integer", "real")

    @classmethod
    def center_and_scale(cls, constants: Known) -> tuple[float, float] | None:
        return 0.0, 10.0

    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        self.check_numbers(column, case_numbers)
        return [format_numbers(column.numbers / 10)]

    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        return format_numbers(codes[:, 0] * 10)

    def center(self) -> list[str]:
        return ["0"]


'''
USE_OF_THE_CODING = """
import os

command("mgendata", "-q", "-c", "encoding")
command("mloss", "-q")
print(repr(command("mcheck")))
os.chdir("../../../../..")
command("delve", "run", "-q", "lin-1", "/demo/age")
os.chdir("methods/lin-1/demo/age/std.8")
print(repr(command("mcheck")))
"""


def test_a_coding_is_a_class_for_inputs_and_for_targets(copy, task):
    assert "`delvecore/encoding/codes.py`" in recipe("coding")
    copy.add("delvecore/encoding/codes.py", CODING, before="@registered\nclass AngleCode")
    # The input KIDS, 0 to 3, and the target AGE, guessed as 3 and 2.5 with densities of the coded target.
    (task / "encoding").write_text("KIDS tenths\nAGE tenths\n")
    for number in range(2):
        (task / f"guess.{number}").unlink()
        (task / f"cguess.{number}").write_text("3\n2.5\n3\n3\n")
        (task / f"cptarg.{number}").write_text("0.5\n" * 4)
    # Methods learn a target in this coding, too: here the prior itself asks for it.
    root = task.parents[4]
    prior = root / "data/demo/age/std.prior"
    prior.write_text(prior.read_text().replace("2 NLMH real", "2 NLMH real coding=tenths"))
    assert copy.run(USE_OF_THE_CODING, task) == ["''", "''"]
    assert "AGE tenths" in (task / "Coding-used").read_text()
    kids = {line.split()[1] for line in (task / "train.0").read_text().splitlines()}
    assert kids <= {"0.0", "0.1", "0.2", "0.3"}
    assert [float(word) for word in (task / "guess.0").read_text().split()] == [30, 25, 30, 30]
    assert [float(word) for word in (task / "ptarg.0").read_text().split()] == [0.05] * 4
    assert "AGE tenths" in (root / "methods/lin-1/demo/age/std.8/Coding-used").read_text()


METRIC = '''
@metric(_numbers("bias", "mean error", "Σ (p - t) / n", "guesses targets")._replace(higher_is_better=None))
def mean_error(judged: Judged, _options: Options) -> float:
    """Return the mean of the errors with their signs."""
    return float((judged.known("guesses") - judged.known("targets")).mean())


@metric(_numbers("q90", "nine-tenths error", "90 % quantile of |t - p|", "A"))
def large_error(judged: Judged, _options: Options) -> float:
    """Return the absolute error that nine of ten cases stay below."""
    return float(np.quantile(judged.losses["A"], 0.9))


'''
USE_OF_THE_METRICS = """
command("mgendata", "-q")
command("mloss", "-q")
listed = command("delve", "metrics", "mine", "/demo/age/std.8")
print("bias" in listed, "q90" in listed)
print("q90" in command("mstats", "-l", "q90"))
from delvecore.metrics.registry import computed_metrics
from delvecore.archive.metrics import ranked_measure
from delvecore.report.words import measure_option

print(computed_metrics()["q90"].spec.is_ranked, computed_metrics()["bias"].spec.is_ranked)
print(measure_option(ranked_measure(computed_metrics()["q90"])))
"""


def test_a_metric_is_a_function_with_its_record(copy, task):
    assert "`delvecore/metrics/classification.py`" in recipe("metric")
    copy.add("delvecore/metrics/regression.py", METRIC, before='@metric(_numbers("rmse"')
    assert copy.run(USE_OF_THE_METRICS, task) == [
        "True True",
        "True",
        "True False",  # only what has a direction can be ranked by
        "Metric: nine-tenths error (q90, lower is better)",
    ]


RANK_TEST = """
@_verdicts_of(RankTest.STUDENT)
def _paired_t(found: Analysis) -> PairVerdicts:
    tested, adjustment = found.t_tests, found.adjustment
    adjusted = adjust(tested.p, method=adjustment)
    at_once = interval_significance(adjusted, method=adjustment, alpha=found.alpha)
    return PairVerdicts(
        RankTest.STUDENT,
        adjustment,
        found.alpha,
        tested.p,
        adjusted,
        different=is_significant(adjusted, found.alpha),
        first_is_better=(found.scan.mean > 0) == found.table.higher_is_better,
        z=np.abs(np.nan_to_num(tested.statistic)),
        critical=-float(ndtri(at_once / 2)),
        smallest_p=0.0,
    )


"""
USE_OF_THE_RANK_TEST = """
import delvecore

scores = "scores.csv"
printed = command("delve", "rank", scores, "--higher-is-better", "--test", "student")
print("Student's t-test" in printed)
found = delvecore.rank(scores, higher_is_better=True, test="student")
print(found.test, "student" in command("delve", "rank", "-h"))
"""


def test_a_rank_test_is_a_member_and_a_function(copy, tmp_path):
    assert "`delvecore/stats/choose.py`" in recipe("rank test")
    line = '    STUDENT = "Student", "Student\'s t-test", "", "demsar2006"\n'
    copy.add("delvecore/stats/choose.py", line, before="    NEMENYI = ")
    copy.add("delvecore/stats/verdicts.py", RANK_TEST, before="@_verdicts_of(RankTest.NEMENYI)")
    shutil.copy(ROOT / "tests/data/golden/demsar_table6.csv", tmp_path / "scores.csv")
    assert copy.run(USE_OF_THE_RANK_TEST, tmp_path) == ["True", "Student True"]


QUESTION = '''
"""Spread of the values of each method."""

from delvecore.answers.answer import Answer, by_method, interval_columns, interval_figure
from delvecore.answers.question import QuestionRequest, question


@question("range", order=105, title="How far apart?", meaning="the least and the largest value of each method")
def value_range(request: QuestionRequest) -> Answer:
    """How far apart are the values of each method?"""
    import numpy as np

    table = request.analysis.table
    least, largest = table.values.min(axis=0), table.values.max(axis=0)
    middle = interval_columns("middle", "middle", "number", (least + largest) / 2, least, largest)
    widest = int(np.argmax(largest - least))
    rows = by_method(table.methods, *middle, order=range(len(table.methods)))
    sentence = f"Values of {table.methods[widest]} are farthest apart."
    return Answer("range", sentence, rows, (), interval_figure(middle, ("method",), "value"))
'''
USE_OF_THE_QUESTION = """
import json

scores = "scores.csv"
shown = ["delve", "rank", scores, "--higher-is-better", "--show", "range"]
print(json.loads(command(*shown, "--format", "json"))["answer"] in " ".join(command(*shown).split()))
print("range: the least" in " ".join(command("delve", "rank", "-h").split()))
from dashboard.ranking.screens import TITLES
from delvecore.answers.question import QuestionRequest
from delvecore.answers.questions import QUESTIONS, answer_question
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.plots.rows import intervals_figure
import delvecore

ranking = delvecore.rank(scores, higher_is_better=True)
answer = answer_question("range", QuestionRequest(LOSS_SPECS["S"], ranking=ranking.analysis))
drawn = intervals_figure(answer, {}).plotly()
print(TITLES["range"], len(answer.table) == len(ranking.methods), len(drawn.data) > 0)
print(*list(QUESTIONS)[list(QUESTIONS).index("regret"):][:3])
"""


def test_a_question_is_one_file(copy, tmp_path):
    assert "`delvecore/answers/ranking`" in recipe("question with a figure")
    module = copy.directory / "delvecore/answers/ranking/value_range.py"
    module.write_text(QUESTION.lstrip(), encoding="utf-8")
    shutil.copy(ROOT / "tests/data/golden/demsar_table6.csv", tmp_path / "scores.csv")
    shown = copy.run(USE_OF_THE_QUESTION, tmp_path)
    assert shown == ["True", "True", "How far apart? True True", "regret range strengths"]


ARRAY_QUESTION = '''
"""Number of tasks of an array."""

from typing import TYPE_CHECKING

from delvecore.answers.answer import Answer
from delvecore.answers.question import question
from delvecore.render.numbers import counted

if TYPE_CHECKING:
    from delvecore.answers.task_array import ArrayFacts


@question("size", order=85, meaning="number of tasks with each method")
def size(facts: "ArrayFacts") -> Answer:
    """How many tasks does the array have?"""
    from delvecore.answers import task_array
    from delvecore.stats.arrays.estimates import method_costs
    from delvecore.tables import rows_of

    table = method_costs(facts.data, facts.costs).select(["method", "tasks"])
    columns = [("method", "name"), ("tasks", "count")]
    rows, caption = list(rows_of(table, ("method", "tasks"))), counted(len(facts.data.cells), "task")
    return task_array.array_answer(facts, "size", caption, [], table, columns, rows)
'''
USE_OF_THE_ARRAY_QUESTION = """
print("size: number of tasks" in " ".join(command("delve", "array", "-h").split()))
print(command("delve", "array", "garden", "--table", "size", "--format", "csv").splitlines()[0])
"""


def test_a_question_about_a_task_array_is_one_file(copy, tmp_path):
    root = array_archive(tmp_path)
    module = copy.directory / "delvecore/answers/task_arrays/size.py"
    module.write_text(ARRAY_QUESTION.lstrip(), encoding="utf-8")
    assert copy.run(USE_OF_THE_ARRAY_QUESTION, root) == ["True", "method,tasks"]


WORST_SETS = """
    def worst_sets(self) -> Answer:
        \"\"\"How bad is each method on its worst training set?\"\"\"
        worst = {name: max(self.by_instance()[name].values()) for name in self.methods}
        fields = (
            Column("method", "method", "name", tuple(worst)),
            Column("worst", "loss of the worst training set", "number", tuple(worst.values())),
        )
        sentence = f"{as_name(min(worst, key=worst.__getitem__))} is best on its worst training set."
        return Answer("worst-sets", sentence, Table(fields), (), TaskFigure(self.looks or {}, "loss"))

"""
WORST_SETS_FIGURE = """
def worst_sets_figure(answer: Answer) -> Figure:
    \"\"\"Draw a mark for each method at the loss of its worst training set.\"\"\"
    figure = rows.rows_figure(answer.table["method"])
    for row, (name, loss) in enumerate(answer.table.rows):
        marker = answer.figure.looks[name].marker(MARK)
        figure.add_trace(theme.trace("markers", [loss], [row], hover=words.number(loss), marker=marker))
    rows.title_axis(figure, answer.figure.axis)
    return figure


"""
WORST_SETS_TAB = """
def _show_worst_sets(request: Request) -> None:
    _show(request, "worst_sets", figures.worst_sets_figure, "How bad is the worst training set?")


"""
USE_OF_THE_TAB = """
import json, os

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import dashboard
from dashboard.server import archive as opened

command("mgendata", "-q")
command("mloss", "-q")
opened.choose_paths(["../../../../.."])
app = AppTest.from_file(os.path.join(dashboard.__path__[0], "app.py"), default_timeout=60)
address = {"task": "/demo/age/std.8", "loss": "S", "methods": "mine", "compare-part": "Worst sets"}
for name, value in address.items():
    app.query_params[name] = value
app._page_hash = calc_hash("compare")
app.run()
print([error.message for error in app.exception], [tab.label for tab in app.tabs][-1])
print("How bad is the worst training set?" in [head.value for head in app.subheader])
drawn = json.loads(app.get("plotly_chart")[-1].proto.spec)
print(max(drawn["data"][0]["x"]))
"""


def test_a_plot_is_an_answer_and_a_function_and_a_tab_is_a_function_with_its_line(copy, task):
    assert "`delvecore/answers/compare_methods.py`" in recipe("figure")
    assert "`dashboard/compare/tabs.py`" in recipe("tab")
    copy.add("delvecore/answers/compare_methods.py", WORST_SETS, before="    def overview(self)")
    copy.add("delvecore/plots/comparison.py", WORST_SETS_FIGURE, before="def instances_figure(")
    copy.add("dashboard/compare/tabs.py", WORST_SETS_TAB, before="def _show_training_sets(")
    line = '    tabs["Worst sets"] = _show_worst_sets\n'
    copy.add("dashboard/compare/tabs.py", line, before="    controls.show_tabs(")
    *shown, largest = copy.run(USE_OF_THE_TAB, task)
    assert shown == ["[] Worst sets", "True"]
    sets = [[float(line) for line in (task / f"loss.S.{n}").read_text().split()] for n in range(2)]
    assert float(largest) == pytest.approx(max(sum(losses) / 4 for losses in sets))


@pytest.fixture
def changed(tmp_path_factory):
    """A copy of its own for a change of what all outputs share."""
    return Copy(tmp_path_factory.mktemp("changed"))


@pytest.fixture
def garden(tmp_path):
    """A delve directory with a task-array, and a file of scores in it."""
    root = array_archive(tmp_path)
    shutil.copy(ROOT / "tests/data/golden/demsar_table6.csv", root / "scores.csv")
    return root


OUTPUTS = """
import json, os, re

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import dashboard
import delvecore
from dashboard.server import archive as opened


def page(name, **address):
    opened.choose_paths(["."])
    app = AppTest.from_file(os.path.join(dashboard.__path__[0], "app.py"), default_timeout=60)
    for key, value in address.items():
        app.query_params[key] = value
    app._page_hash = calc_hash(name)
    app.run()
    assert not app.exception, [error.message for error in app.exception]
    figures = [chart.proto.spec for chart in app.get("plotly_chart")]
    return " ".join([one.value for one in (*app.title, *app.markdown, *app.caption)] + figures)


scores = ("rank", "scores.csv", "--higher-is-better")
pairs = {form: command("delve", *scores, "--show", "pairs", "--format", form) for form in ("text", "latex", "csv", "json")}
texts = [pairs["text"], pairs["latex"], command("delve", *scores), command("delve", *scores, "--format", "latex")]
for ending in ("txt", "html", "md", "tex"):
    command("delve", "report", *scores[1:], "-o", f"report.{ending}")
    texts.append(open(f"report.{ending}", encoding="utf-8").read())
texts += [
    command("delve", "array", "garden", "--table", "effects", "--format", form) for form in ("text", "latex")
]
losses = np.random.default_rng(7).normal(size=(2, 10, 30)).cumsum(axis=0)
found = delvecore.compare(*losses)
for ending in ("txt", "html", "md", "tex"):
    found.save(f"pairs.{ending}")
    texts.append(open(f"pairs.{ending}", encoding="utf-8").read())
texts += [page("compare", task="/plot-1s/yield/std.16"), page("ranking", tested="flips")]
"""
P_RULE = '    if p is not None and not math.isnan(p):\n        return f"q{p:.5f}"\n'
USE_OF_THE_P_RULE = (
    OUTPUTS
    + """
ALPHA = ("p < 0.05", "p = 0.05")
print([old for text in texts for old in re.findall("p (?:=|<|&lt;) [0-9.]*[0-9]", text) if old not in ALPHA])
print([place for place, text in enumerate(texts) if "q0." not in text])
numbers = [value for row in json.loads(pairs["json"])["rows"] for value in row.values() if isinstance(value, float)]
print(all(f"q{p:.5f}" in pairs[form] for p in numbers for form in ("text", "latex")))
print(len(numbers) > 9, all(repr(p) in pairs["csv"] for p in numbers), "q0" in pairs["csv"] + pairs["json"])
"""
)


def test_how_p_is_written_is_changed_at_one_place(changed, garden):
    words = " ".join(recipe("how a number is written", "To change").split())
    assert "`p_text` in `delvecore/render/numbers.py`" in words
    changed.add("delvecore/render/numbers.py", P_RULE, before="    if p is None or math.isnan(p):")
    assert changed.run(USE_OF_THE_P_RULE, garden) == ["[]", "[]", "True", "True True False"]


USE_OF_THE_WORD = (
    OUTPUTS
    + """
FORMS = {"txt": "text", "html": "html", "md": "markdown", "tex": "latex", "typ": "typst"}
for ending in ("txt", "html", "md", "tex", "typ"):
    command("delve", "table", "--format", FORMS[ending], "--output", f"table.{ending}")
    texts.append(open(f"table.{ending}", encoding="utf-8").read())
texts += [command("delve", "array", "garden", "--table", "winners"), page("tables"), page("task_arrays", array="garden")]
print([text for text in texts if re.search("[Ss]ignificantly|no significant difference", text)])
print(sum("clearly" in text for text in texts) > 6)
"""
)


def test_a_word_of_verdicts_is_changed_at_one_place(changed, garden):
    assert "`delvecore/render/verdicts.py`" in recipe("a word of the verdicts", "To change")
    changed.replace("delvecore/render/verdicts.py", 'SIGNIFICANT = "significant"', 'SIGNIFICANT = "clear"')
    assert changed.run(USE_OF_THE_WORD, garden) == ["[]", "True"]


MEDIAN_RANK = """        Column(
            "median_rank",
            "median rank",
            "number",
            np.median(board.analysis.ranks.ranks, axis=0),
            decimals=2,
            about="Median of the rank",
            is_shown=False,
        ),
"""
USE_OF_THE_COLUMN = (
    OUTPUTS.partition("scores = ")[0]
    + """
from dashboard.leaderboard import data, tabs
from delvecore.render.answers import answer_text
from delvecore.stats.choose import DEFAULT_SETTING

shown = ("rank", "--show", "leaderboard", "--format")
print(*("median rank" in command("delve", *shown, form) for form in ("text", "latex")))
(rows, csv) = (json.loads(command("delve", *shown, "json"))["rows"], command("delve", *shown, "csv"))
print([row["median_rank"] for row in rows], "median_rank" in csv.partition("\\n")[0])
archive = delvecore.open(".")
request = data.Request(archive, "S", DEFAULT_SETTING)
from delvecore.answers.leaderboard import leaderboard_answer
answer = leaderboard_answer(data.known_board(request))
print(*("median rank" in answer_text(answer, form) for form in ("markdown", "html")))
print("median_rank" in archive.leaderboard().columns, "median_rank" in data.leaders(request).table)
column = next(one for one in answer.table.columns if one.key == "median_rank")
print(column.title, column.decimals)
page("leaderboard")
"""
)


def test_a_column_of_the_leaderboard_is_one_entry(copy, garden):
    assert "`leader_columns` in `delvecore/answers/leaderboard.py`" in recipe("column to the leaderboard")
    before = '        Column(\n            "pairwise_wins"'
    copy.add("delvecore/answers/leaderboard.py", MEDIAN_RANK, before=before)
    assert copy.run(USE_OF_THE_COLUMN, garden) == [
        "True True",
        "[1.0, 2.0, 3.0] True",
        "True True",
        "True True",
        "median rank 2",
    ]


PAGE = '''"""Page of a test: how many tasks are there?"""

from dashboard.ui import page
from dashboard.ui.page import View


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "tallies")
    page.answer(f"{view.archive.tasks.num_rows} tasks.", view)
'''


def test_a_page_is_a_folder_and_a_line(copy, garden):
    assert "`PAGES` in `dashboard/server/pages.py`" in recipe("page")
    line = '    Page("Share", "tallies", "Tallies", ":material/tag:"),\n'
    copy.add("dashboard/server/pages.py", line, before='    Page("Share", "file_check"')
    write_tree(copy.directory / "dashboard/tallies", {"__init__.py": '"""Tallies."""\n', "page.py": PAGE})
    script = OUTPUTS.partition("scores = ")[0] + 'print("10 tasks" in page("tallies"))\n'
    assert copy.run(script, garden) == ["True"]
