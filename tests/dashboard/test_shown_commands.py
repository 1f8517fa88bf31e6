"""Every command that a page shows runs, and prints what the page shows: p, verdicts, sentences and numbers."""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server.pages import PAGES
from delvecore.cli import delve
from delvecore.report import words
from delvecore.stats.p_adjustment import adjust
from tests.archives import feature_archive, write_tree
from tests.dashboard.array_archive import array_archive
from tests.dashboard.conftest import Pages, RunPage, run_whole
from tests.dashboard.reading import box, plain
from tests.scores_files import folds_csv

pytestmark = pytest.mark.slow

PROGRAM = re.compile(rf"({'|'.join(['delve', *delve.CLASSIC])}) ")
PLACEHOLDER = re.compile(r"(METHOD|DATASET|PROTOTASK|TASK|DIRECTORY|FILE\.csv)\b")
QUESTIONS = ("Question", "On which tasks?")
"""The lists whose choice decides which figures, and so which commands, there are."""
TABS = {
    "datasets": "part",
    "methods": "method-part",
    "compare": "compare-part",
    "ranking": "ranking-part",
    "task_arrays": "array-part",
}
"""The parameter that names the open tab of a page."""
COMMON = "/plot-common/yield/std.8"
INSTANCES, TEST_CASES = 2, 12
SUBJECTS = {
    "garden": {"dataset": "plot-common", "method": "apple", "task": COMMON},
    "features": {"dataset": "speech", "method": "bold"},
    "scores": {"dataset": "iris", "method": "svm"},
    "one_dataset": {"dataset": "iris", "method": "svm"},
}


def common_archive(parent: Path) -> Path:
    """The archive with an array, and a task with a common test set on which quasi-F and the safe test differ."""
    root = array_archive(parent)
    random = np.random.default_rng(7)
    specification = (root / "data/plot-1s/yield/Prototask.spec").read_text()
    specification = specification.replace("hierarchical", "common").replace("Size: 32", f"Size: {TEST_CASES}")
    place = "data/plot-common"
    files = {
        f"{place}/yield/Prototask.spec": specification.replace("Instances: 4", f"Instances: {INSTANCES}")
    }
    for name in ("Dataset.spec", "Dataset.data", "Summary", "yield/std.prior"):
        files[f"{place}/{name}"] = (root / "data/plot-1s" / name).read_text()
    cases = random.normal(0, 0.3, TEST_CASES)
    for number, method in enumerate(("apple", "pear", "quince")):
        task = f"methods/{method}{COMMON}"
        files[f"{task}/Test-set-stats"] = "L undefined\nQ undefined\nA undefined\nZ undefined\nS 10.0\n"
        for instance in range(INSTANCES):
            values = 3 + 0.5 * number + cases + random.normal(0, 0.3, TEST_CASES) + random.normal(0, 0.05)
            files[f"{task}/loss.S.{instance}"] = "".join(f"{value:.9g}\n" for value in values)
    return write_tree(root, files)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory, run_page: RunPage) -> Pages:
    return Pages(common_archive(tmp_path_factory.mktemp("garden")), run_page)


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory, run_page: RunPage) -> Pages:
    return Pages(feature_archive(tmp_path_factory.mktemp("features")), run_page)


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory, run_page: RunPage) -> Pages:
    return Pages(folds_csv(tmp_path_factory.mktemp("scores") / "scores.csv"), run_page)


@pytest.fixture(scope="module")
def one_dataset(tmp_path_factory: pytest.TempPathFactory, run_page: RunPage) -> Pages:
    path = tmp_path_factory.mktemp("one") / "scores.csv"
    return Pages(folds_csv(path, ("iris",), folds=10), run_page)


@pytest.fixture
def printed(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> Callable[..., str]:
    """Run one command on the archive of the pages, which may not fail, and return what it prints."""

    def run(pages: Pages, command: str, *more: str) -> str:
        program, *line = shlex.split(command)
        if pages.archive.is_dir():
            monkeypatch.setenv("DELVE_PATH", str(pages.archive))
        monkeypatch.chdir(tmp_path)
        code = import_module(f"delvecore.cli.{program}").main([*line, *more])
        captured = capfdbinary.readouterr()
        # Commands that check files end with 1 where they find problems, as they do in these archives.
        checks = program in ("dcheck", "mcheck") or line[:1] == ["check"]
        assert code == 0 or (checks and code == 1), f"{command}: {captured.err.decode()}"
        assert captured.out or captured.err
        return captured.out.decode()

    return run


def open_all(app: AppTest) -> AppTest:
    """Open every menu and list of a page, and those that appear then."""
    known: set[str] = set()
    while True:
        blocks = [block for kind in ("expander", "popover") for block in app.get(kind) if block.proto.id]
        keys = {re.sub(r"^\$\$ID-[0-9a-f]+-", "", block.proto.id) for block in blocks} - known
        if not keys:
            return app
        for key in keys:
            app.session_state[key] = True
        known |= keys
        run_whole(app)


def pages_of(pages: Pages, subjects: Mapping[str, str]) -> Iterator[AppTest]:
    """Yield every page with every tab and every question, all of it open. subjects: the dataset, the method."""
    for one in PAGES:
        chosen = [{one.subject: subjects[one.subject]}] if one.subject in subjects else []
        for parameters in [{}, *chosen]:
            app = pages.fresh(one.name, **parameters)
            assert not app.tabs or one.name in TABS
            for tab in [tab.label for tab in app.tabs] or [None]:
                asked = parameters if tab is None else {**parameters, TABS[one.name]: tab}
                app = open_all(pages.fresh(one.name, **asked))
                yield app
                for label in {one.label for one in app.selectbox} & {*QUESTIONS}:
                    for text in box(app, label).options[1:]:
                        box(app, label).set_value(text)
                        yield open_all(app)


def commands_of(app: AppTest) -> list[str]:
    """Return the commands in the code blocks of a page that name no place to fill in."""
    lines = [line for block in app.code for line in block.value.splitlines()]
    commands = [one for line in lines if PROGRAM.match(line) for one in line.split("; ")]
    return [one for one in dict.fromkeys(commands) if not PLACEHOLDER.search(one)]


def read(app: AppTest) -> str:
    """Return the text of a page as it is read, without marks."""
    return " ".join(plain(app).replace("*", "").replace("`", "").replace("\u200c", "").split())


@pytest.mark.parametrize("name", [*SUBJECTS])
def test_every_command_runs_and_says_what_its_page_says(name, request, printed):
    pages, subjects = request.getfixturevalue(name), SUBJECTS[name]
    outputs: dict[str, str] = {}
    for app in pages_of(pages, subjects):
        for command in commands_of(app):
            if command not in outputs:
                outputs[command] = printed(pages, command)
            if " --show " in command:
                sentence = " ".join(outputs[command].partition("\n\n")[0].split())
                # Pages name the loss, commands its letter.
                parts = re.split(r"(?:standardized )?loss \w", sentence)
                # A heading has no full stop.
                shown, parts = (" ".join(one.split(". ")) for one in (f"{read(app)} ", "\0".join(parts)))
                missing = [part for part in parts.split("\0") if part.removesuffix(".") not in shown]
                assert missing == [], command
    programs = {" ".join(command.split()[: 1 + command.startswith("delve")]) for command in outputs}
    of_files = {"mstats", "minfo", "mcheck", "dinfo"} if pages.archive.is_dir() else set()
    assert programs >= {"delve rank", "delve table", *of_files}


def safe_p(text: str) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the difference and the p of the safe test of each pair that `mstats` prints."""
    p_by_pair = {}
    for part in text.split("Raw value   Standardized")[1:]:
        first, second = re.findall(r"Estimated expected loss for /?(\w+):", part)
        difference = float(re.findall(r"Estimated expected difference: +(\S+)", part)[0])
        p_by_pair[first, second] = difference, float(re.findall(r"Safe test, p = (\S+),", part)[0])
    return p_by_pair


@pytest.mark.parametrize("task", [COMMON, "/plot-1s/yield/std.16"])
def test_compare_and_its_commands_have_the_same_p_and_verdicts(task, garden, printed):
    app = garden.fresh("compare", **{"task": task, "compare-part": "All pairs"})
    (shown,) = (one.value for one in app.dataframe if "p, single test" in one.value)
    commands = [one for one in commands_of(app) if one.startswith("mstats ")]
    tests: dict[tuple[str, str], tuple[float, float]] = {}
    for command in commands:
        tests |= safe_p(printed(garden, command))
    assert len(tests) == len(shown) == 3
    adjusted = dict(zip(tests, adjust(np.array([p for _, p in tests.values()])), strict=True))
    for _, row in shown.iterrows():
        pair = next(one for one in tests if set(one) == {row["Method a"], row["Method b"]})
        sign = 1 if pair[0] == row["Method a"] else -1
        for title, p in (("p, single test", tests[pair][1]), ("p, adjusted", adjusted[pair])):
            assert words.p_value(p) in (f"p {row[title]}", f"p = {row[title]}")
        verdict = "not significant" if adjusted[pair] >= 0.05 else "better"
        assert row["a is"] == ("worse" if verdict == "better" and sign * tests[pair][0] > 0 else verdict)


def test_a_common_test_set_is_compared_by_the_safe_test_whose_verdict_is_not_that_of_quasi_f(garden, printed):
    text = printed(garden, f"mstats --safe -l S -c pear /apple{COMMON}")
    assert "Significance of difference (F-test), p < 0.05" in text
    assert safe_p(text)["apple", "pear"][1] > 0.05


def test_ranking_and_its_command_have_the_same_p_and_verdicts(garden, printed):
    app = open_all(garden.fresh("ranking", test="Nemenyi"))
    (command,) = (one for one in commands_of(app) if "--show" not in one)
    assert "--adjust" not in command
    told = json.loads(printed(garden, command, "--format", "json"))
    (shown,) = (one.value for one in app.dataframe if {"row", "p_adjusted"} <= {*one.value})
    said = {(row["row"], row["column"]): row for row in shown.to_dict("records")}
    for row in told["verdicts"]:
        seen = said[row["method_a"], row["method_b"]]
        assert (seen["p"], seen["p_adjusted"]) == pytest.approx((row["p"], row["p_adjusted"]))
        assert seen["verdict"] == row["verdict"]
    assert {row["verdict"] for row in told["verdicts"]} == {"better", "not significant"}
    # Pages name the loss, commands its letter.
    page = read(app).replace("squared error (S)", "loss S").replace("’", "'")
    assert [part for part in told["answer"].split(". ") if part.rstrip(".") not in page] == []


def test_single_tasks_of_a_ranking_and_of_its_command_have_the_same_adjustment(garden, printed):
    app = open_all(garden.fresh("ranking", adjust="bonferroni", question="equivalence"))
    command, asked = (
        next(one for one in commands_of(app) if ("--show" in one) == is_asked) for is_asked in (0, 1)
    )
    assert "--adjust bonferroni" in command
    assert "--adjust bonferroni" in asked
    told = json.loads(printed(garden, command, "--format", "json"))["combined"]
    (shown,) = (one.value for one in app.dataframe if "next_lower" in one.value)
    said = {(row["method_a"], row["method_b"]): row for row in shown.to_dict("records")}
    assert len(told) == len(said) > 0
    for row in told:
        seen = said[row["method_a"], row["method_b"]]
        assert [seen[key] for key in ("wins", "ties", "losses")] == [
            row[key] for key in ("wins", "ties", "losses")
        ]
        assert words.p_value(row["p_adjusted"]) in (f"p {seen['p_adjusted']}", f"p = {seen['p_adjusted']}")
    equal = json.loads(printed(garden, asked, "--format", "json"))
    assert "Bonferroni" in str(equal)
