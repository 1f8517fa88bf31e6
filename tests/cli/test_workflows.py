"""`delve run --workflow`."""

import re
from pathlib import Path

import pytest

from delvecore.cli import delve, minfo
from delvecore.workflows.workflow_spec import POST, PRE, parse_workflow
from tests.runner.archive import data_archive, names

AGE = "/demo/age/std.8"
TREE = '[learner]\nobject = "sklearn.tree:DecisionTreeRegressor"\n[learner.parameters]\nmax_depth = {}\n'
CLASSIFIER = '[learner]\nobject = "sklearn.tree:DecisionTreeClassifier"\n'


@pytest.fixture
def own(tmp_path, monkeypatch):
    archive = data_archive(tmp_path)
    monkeypatch.setenv("DELVE_PATH", str(archive))
    monkeypatch.chdir(tmp_path)
    return archive


def test_all_variants_are_run_and_described_beside_their_results(run_command, own):
    Path("tree.toml").write_text(TREE.format("[1, 3]"))
    outcome = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    assert (outcome.code, outcome.err) == (0, "")
    heads = [line.split(":")[0] for line in outcome.out.splitlines()]
    assert heads == ["tree.v1", "tree.v1", "tree.v2", "tree.v2"]
    source = own / "methods/tree.v2/Source"
    assert names(source) == ["Documentation", "Settings", "tree.toml"]
    settings = "workflow: tree\nlearner: sklearn.tree:DecisionTreeRegressor\nlearner.max_depth: 3\n"
    assert (source / "Settings").read_text() == settings
    summary = "Workflow: sklearn.tree:DecisionTreeRegressor(max_depth = 3).\n"
    assert (own / "methods/tree.v2/Summary").read_text() == summary


def test_it_goes_on_and_refuses_results_of_other_settings(run_command, own):
    Path("tree.toml").write_text(TREE.format(1))
    run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    again = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    assert again.out.startswith("tree: 0 instances run, 2 complete before")
    Path("tree.toml").write_text(TREE.format(2))
    other = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    place = own / "methods/tree"
    assert other.err == (
        f"delve run: {place}: expected no results of other settings than learner.max_depth: 2, found "
        "learner.max_depth: 1; give the workflow another name with --name, or remove that directory\n"
    )
    named = run_command(delve.main, "run", "--workflow", "tree.toml", "--name", "deeper", AGE, "-q")
    assert named.out.startswith("deeper: 2 instances run")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TREE.format(1).replace("max_depth", "depth"),
            "tree.toml:4: sklearn.tree:DecisionTreeRegressor: expected an object that can be imported and made",
        ),
        ('[learner]\nobject = "math:pi"\n', "tree.toml:2: math:pi: expected something with fit and predict"),
    ],
)
def test_what_cannot_be_made_is_told_with_its_line(run_command, own, text, message):
    Path("tree.toml").write_text(text)
    outcome = run_command(delve.main, "run", "--workflow", "tree.toml", "--trust", AGE)
    assert outcome.code == 1
    assert outcome.err.startswith(f"delve run: {message}")
    assert outcome.err.count("\n") == 1
    assert not (own / "methods/tree").exists()


FOREIGN = (
    "import pathlib\npathlib.Path('ran').touch()\nfrom sklearn.tree import DecisionTreeRegressor as Tree\n"
)
BESIDE = '[learner]\nobject = "beside:Tree"\n'


def test_a_workflow_file_runs_no_program_unless_it_is_trusted(run_command, own):
    Path("beside.py").write_text(FOREIGN)
    Path("tree.toml").write_text(BESIDE)
    refused = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    assert refused.err == (
        "delve run: tree.toml:2: expected a class with fit of sklearn or imblearn, found beside:Tree; read what it "
        "does, and add --trust to run it\n"
    )
    assert (refused.code, Path("ran").exists()) == (1, False)


def test_a_trusted_object_is_named_before_it_runs(run_command, own, caplog):
    Path("beside.py").write_text(FOREIGN)
    Path("tree.toml").write_text(BESIDE)
    outcome = run_command(delve.main, "run", "--workflow", "tree.toml", "--trust", AGE, "-q")
    assert (outcome.code, Path("ran").exists()) == (0, True)
    assert caplog.messages == ["tree.toml:2: runs beside:Tree, which --trust allows"]


@pytest.mark.parametrize("part", ["pre", "post"])
def test_steps_of_a_workflow_are_held_to_the_same_rule(run_command, own, part):
    Path("tree.toml").write_text(f'{CLASSIFIER}[{part}.mine]\nobject = "os:system"\n')
    outcome = run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    assert outcome.err.startswith(
        "delve run: tree.toml:4: expected a class with fit of sklearn or imblearn, found os"
    )


def test_minfo_shows_the_settings(run_command, own):
    Path("tree.toml").write_text(TREE.format(1))
    run_command(delve.main, "run", "--workflow", "tree.toml", AGE, "-q")
    outcome = run_command(minfo.main, "/tree")
    settings = "workflow: tree\n\tlearner: sklearn.tree:DecisionTreeRegressor\n\tlearner.max_depth: 1\n"
    assert f"\n\t{settings}" in outcome.out


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
