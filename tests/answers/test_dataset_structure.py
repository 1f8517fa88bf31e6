"""Attributes and inputs of datasets by kind, as in tables 1 and 2 of the PROBEN1 report."""

import json

import pytest

from delvecore.answers.dataset_structure import structure_answer
from delvecore.cli import delve
from delvecore.importers.proben1 import example_files, problem_of
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.proben1_report import found_networks, problem_structure
from tests.archives import feature_archive
from tests.cli.demo_archive import demo_archive
from tests.importers.proben1_files import PUMP


def rows(root, *datasets):
    table = structure_answer(Hierarchy([str(root)]), datasets).table
    return [dict(zip(table.keys, row, strict=True)) for row in table.rows]


def test_inputs_are_counted_by_kind_as_attributes_and_as_numbers(tmp_path):
    # /demo/sex: AGE real, SIBLINGS integer, HOUR angular (two numbers), COLOUR of five values; 13 of 24 male.
    age, sex = rows(demo_archive(tmp_path), "demo")
    assert age | sex == sex
    told = {"binary": 0, "continuous": 3, "nominal": 1, "attributes": 4, "controlled": 1, "uncontrolled": 3}
    told |= {"binary_inputs": 5, "continuous_inputs": 4, "missing_inputs": 0, "inputs": 9}
    assert {key: sex[key] for key in told} == told
    assert (sex["outputs"], sex["examples"]) == (2, 24)
    assert sex["entropy"] == pytest.approx(0.994985, abs=1e-6)  # -13/24 log2(13/24) - 11/24 log2(11/24)
    # /demo/age: SEX is binary, one number; the target is a number, without entropy.
    assert (age["binary"], age["binary_inputs"], age["outputs"]) == (1, 6, 1)
    assert age["entropy"] is None


def test_each_attribute_with_missing_values_has_an_input_that_marks_them(tmp_path):
    root = demo_archive(tmp_path)
    data, specification = root / "data/demo/Dataset.data", root / "data/demo/Dataset.spec"
    specification.write_text(specification.read_text().replace("0..Inf", "0..Inf ?"))
    lines = data.read_text().splitlines()
    lines[3] = " ".join([*lines[3].split()[:2], "?", *lines[3].split()[3:]])
    data.write_text("\n".join(lines) + "\n")
    assert [(row["missing_inputs"], row["inputs"]) for row in rows(root, "demo")] == [(1, 10), (1, 10)]


def test_what_cannot_be_read_is_a_note_and_the_rest_is_told(tmp_path):
    root = demo_archive(tmp_path)
    (root / "data/demo/age/Prototask.spec").write_text("Cases: all\n")
    (root / "data/demo/Dataset.data").unlink()
    answer = structure_answer(Hierarchy([str(root)]), ["demo"])
    assert answer.table["prototask"] == ["/demo/sex"]
    assert (answer.table["examples"], answer.table["inputs"]) == ([None], [9])
    assert any("age/Prototask.spec" in note for note in answer.notes)
    assert any("Dataset.data" in note for note in answer.notes)


def test_figures_of_the_report_are_below_their_problem(tmp_path):
    root = demo_archive(tmp_path)
    (root / "data/demo").rename(root / "data/proben1-heart")
    *_, report = rows(root, "proben1-heart")
    # Table 1: heart has 1, 6 and 6 attributes, 18 + 6 + 11 = 35 inputs, 2 classes, 920 examples, 0.99 bits.
    told = ("/proben1-heart\u2020", 1, 6, 6, 13, None, None, 18, 6, 11, 35, 2, 920, 0.99)
    assert tuple(report.values()) == told


def test_tables_of_the_report_add_up():
    for name, row in problem_structure().items():
        numbers = {key: int(value) for key, value in row.items() if value.isdigit()}
        if name != "thyroid":  # of which table 1 prints 9, 6, 0 and 21, its number of inputs
            assert numbers["binary"] + numbers["continuous"] + numbers["nominal"] == numbers["attributes"]
        parts = (numbers[f"{kind}_inputs"] for kind in ("binary", "continuous", "missing"))
        assert sum(parts) == numbers["inputs"]
    assert len(problem_structure()) == 15
    assert len(found_networks()) == 42
    for row in found_networks().values():
        assert int(row["within_5"]) <= int(row["within_10"]) <= 35


def test_the_command_prints_all_datasets_or_some(tmp_path, run_command, monkeypatch):
    root = feature_archive(tmp_path)
    outcome = run_command(delve.main, "structure", "--format", "json", path=root)
    assert outcome.code == 0, outcome.err
    prototasks = [row["prototask"] for row in json.loads(outcome.out)["rows"]]
    assert prototasks == sorted(prototasks)
    assert len({name.split("/")[1] for name in prototasks}) > 1
    outcome = run_command(
        delve.main, "structure", prototasks[0].rpartition("/")[0], "--format", "csv", path=root
    )
    assert outcome.out.splitlines()[1].startswith(prototasks[0])
    outcome = run_command(delve.main, "structure", prototasks[0], path=root)
    assert (outcome.code, outcome.err.count("\n")) == (1, 1)


def test_a_problem_of_proben1_is_counted_as_its_file_has_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert delve.main(["import", "proben1", str(PUMP / "pump1.dt"), "--into", "delve-p"]) == 0
    (files,) = example_files([str(PUMP / "pump1.dt")]).values()
    problem = problem_of(files)
    (row,) = rows(tmp_path / "delve-p", "proben1-pump")
    assert (row["binary_inputs"], row["continuous_inputs"], row["inputs"]) == (
        problem.binary,
        problem.continuous,
        9,
    )
    assert (row["outputs"], row["examples"], row["entropy"]) == (
        problem.classes,
        len(problem.first.rows),
        pytest.approx(problem.entropy),
    )
