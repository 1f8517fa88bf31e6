"""`delve run` with programs, objects and plug-ins."""

import re
import sys
from pathlib import Path

import pytest

from delvecore.cli import delve, minfo
from delvecore.cli.subcommands import run as delve_run
from delvecore.workflows.workflow_spec import POST, PRE, parse_workflow
from tests.cli.conftest import active
from tests.runner.archive import data_archive, names
from tests.runner.programs import MEAN

TASK = "/demo/age/std.8"
OBJECT = (
    "class Mean:\n    def fit(self, x, y): self.mean = y.mean()\n    def predict(self, x): "
    "return [self.mean] * len(x)\n"
)


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A directory with a program and a module of one's own, and an archive of data that is active."""
    archive = data_archive(tmp_path)
    (tmp_path / "my-mean.py").write_text(MEAN)
    (tmp_path / "my_learners.py").write_text(OBJECT)
    monkeypatch.setenv("DELVE_PATH", str(archive))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return archive


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--command", f"{sys.executable} my-mean.py", "--name", "mean-1"), "mean-1"),
        (("--object", "my_learners:Mean"), "Mean"),
    ],
)
def test_a_method_of_ones_own_is_run_under_its_name_and_goes_on(run_command, own, options, name):
    outcome = run_command(delve.main, "run", *options, TASK, "-q")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"{name}: 2 instances run, 0 complete before, 0 failed;")
    assert (own / "methods" / name / "demo/age/std.8/loss.S.1").is_file()
    again = run_command(delve.main, "run", *options, TASK, "-q")
    assert again.out.startswith(f"{name}: 0 instances run, 2 complete before, 0 failed;")


def test_a_file_that_python_is_given_names_the_method(run_command, own, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    command = f"{Path(sys.executable).name} my-mean.py"
    outcome = run_command(delve.main, "run", "--command", command, TASK, "-q")
    assert outcome.out.startswith("my-mean: 2 instances run")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--command", "./nothing"), "./nothing: expected a program that can be run, found none"),
        (
            ("--object", "my_learners:Mean", "--name", "../x"),
            "expected a name of letters, digits and . _ + - for the method, found '../x'",
        ),
    ],
)
def test_what_is_no_method_is_refused_in_one_line(run_command, own, options, message):
    outcome = run_command(delve.main, "run", TASK, *options)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"delve run: {message}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--command", "a", "--object", "b:c"], "expected only one of --command, --object and --workflow"),
        (["base-1", "--time-limit", "3"], "--time-limit: expected --command, found none"),
    ],
)
def test_options_that_do_not_go_together_are_refused(capsys, options, message):
    with pytest.raises(SystemExit, match="2"):
        delve_run.main(options)
    assert message in capsys.readouterr().err


def test_the_list_shows_plug_ins_with_their_distribution(run_command, monkeypatch, tmp_path):
    directory = tmp_path / "site" / "brought-1.2.dist-info"
    directory.mkdir(parents=True)
    (directory / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.2\n")
    (directory / "entry_points.txt").write_text("[delvecore.methods]\nlin-1 = a:b\nmean-1 = a:b\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(directory.parent)])
    outcome = run_command(delve.main, "run", "--list")
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].split(maxsplit=1) == ["mean-1", "from brought 1.2"]
    expected = "brought 1.2: lin-1: expected a name that no method of DELVE has"
    assert outcome.err == f"delve run: {expected}\n"


AGE = "/demo/age/std.8"
TREE = '[learner]\nobject = "sklearn.tree:DecisionTreeRegressor"\n[learner.parameters]\nmax_depth = {}\n'
CLASSIFIER = '[learner]\nobject = "sklearn.tree:DecisionTreeClassifier"\n'


@pytest.fixture
def archive(tmp_path, monkeypatch):
    return active(data_archive(tmp_path), monkeypatch)


def test_all_variants_are_run_and_described_beside_their_results(run_command, archive):
    Path("tree.toml").write_text(TREE.format("[1, 3]"))
    outcome = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    assert (outcome.code, outcome.err) == (0, "")
    heads = [line.split(":")[0] for line in outcome.out.splitlines()]
    assert heads == ["tree.v1", "tree.v1", "tree.v2", "tree.v2"]
    source = archive / "methods/tree.v2/Source"
    assert names(source) == ["Documentation", "Settings", "tree.toml"]
    settings = "workflow: tree\nlearner: sklearn.tree:DecisionTreeRegressor\nlearner.max_depth: 3\n"
    assert (source / "Settings").read_text() == settings
    summary = "Workflow: sklearn.tree:DecisionTreeRegressor(max_depth = 3).\n"
    assert (archive / "methods/tree.v2/Summary").read_text() == summary
    shown = run_command(minfo.main, "/tree.v2").out
    assert [line for line in settings.splitlines() if f"\t{line}\n" not in shown] == []


def test_it_goes_on_and_refuses_results_of_other_settings(run_command, archive):
    Path("tree.toml").write_text(TREE.format(1))
    run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    again = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    assert again.out.startswith("tree: 0 instances run, 2 complete before")
    Path("tree.toml").write_text(TREE.format(2))
    other = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    place = archive / "methods/tree"
    assert other.err == (
        f"delve run: {place}: expected no results of settings other than learner.max_depth: 2, found "
        "learner.max_depth: 1; give the workflow another name with --name, or remove that directory\n"
    )
    named = run_command(delve.main, "run", "--workflow", "tree.toml", "--name", "deeper", AGE, "-q")
    assert named.out.startswith("deeper: 2 instances run")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TREE.format(1).replace("max_depth", "depth"),
            "tree.toml:4: sklearn.tree:DecisionTreeRegressor: expected an object that can be "
            "imported and made",
        ),
        ('[learner]\nobject = "math:pi"\n', "tree.toml:2: math:pi: expected something with fit and predict"),
    ],
)
def test_what_cannot_be_made_is_told_with_its_line(run_command, archive, text, message):
    Path("tree.toml").write_text(text)
    outcome = run_command(delve.main, "run", "--workflow", "tree.toml", "--trust", AGE)
    assert outcome.code == 1
    assert outcome.err.startswith(f"delve run: {message}")
    assert outcome.err.count("\n") == 1
    assert not (archive / "methods/tree").exists()


FOREIGN = (
    "import pathlib\npathlib.Path('ran').touch()\nfrom sklearn.tree import DecisionTreeRegressor as Tree\n"
)
BESIDE = '[learner]\nobject = "beside:Tree"\n'


def test_a_workflow_file_runs_no_program_unless_it_is_trusted_and_then_names_it(run_command, archive, caplog):
    Path("beside.py").write_text(FOREIGN)
    Path("tree.toml").write_text(BESIDE)
    refused = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    assert refused.err == (
        "delve run: tree.toml:2: expected a class with fit from sklearn or imblearn, found "
        "beside:Tree; read what it "
        "does, and add --trust to run it\n"
    )
    assert (refused.code, Path("ran").exists()) == (1, False)
    outcome = run_command(delve.main, "run", "--workflow", "tree.toml", "--trust", AGE, "-q")
    assert (outcome.code, Path("ran").exists()) == (0, True)
    assert caplog.messages == ["tree.toml:2: runs beside:Tree, which --trust allows"]


@pytest.mark.parametrize("part", ["pre", "post"])
def test_steps_of_a_workflow_are_held_to_the_same_rule(run_command, archive, part):
    Path("tree.toml").write_text(f'{CLASSIFIER}[{part}.mine]\nobject = "os:system"\n')
    outcome = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    assert outcome.err.startswith(
        "delve run: tree.toml:4: expected a class with fit from sklearn or imblearn, found os"
    )


def test_the_example_of_the_documentation_is_read_and_its_table_tells_every_step_and_option():
    text = (Path(__file__).parents[2] / "docs/running.md").read_text()
    text = text[text.index("## Workflows") :]
    example = re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1]
    assert [one.name for one in parse_workflow(example, "svm.toml")] == [
        "svm.v1",
        "svm.v2",
        "svm.v3",
        "svm.v4",
    ]
    for part, known in (("pre", PRE), ("post", POST)):
        for kind, options in known.items():
            (row,) = [line for line in text.splitlines() if line.startswith(f"| `{part}.{kind}` |")]
            assert [name for name in options if f"`{name}`" not in row] == []
