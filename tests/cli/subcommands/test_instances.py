"""`delve instances` on a small archive of 24 cases: files that the other commands take as they stand."""

import pytest

import delvecore
from delvecore.archive.task_details import stochastic_trainings
from delvecore.cli import dcheck, delve, dinfo, mstats
from delvecore.model import Scheme, TaskId
from delvecore.readers.instances import listed_facts, parse_instances


def listed(path):
    return parse_instances(path.read_text(), str(path))


def test_cross_validation_is_a_task_of_the_size_of_its_training_sets(archive, run_command):
    outcome = run_command(
        delve.main, "instances", "/demo/shade", "--cv", "3", "--repeats", "2", "--stratified"
    )
    path = archive / "data/demo/shade/std.16.instances"
    plan = "3-fold cross-validation, stratified, 2 times, seed 1"
    assert outcome.out == f"{path}: {plan}: 6 instances, 16 training and 8 test cases each\n"
    assert path.read_text().startswith(
        f"# {plan}\nScheme: cv folds=3 repeats=2 stratified=yes seed=1\nInstance: 0\n"
    )
    facts = listed_facts(listed(path), "hierarchical")
    assert facts.scheme == Scheme.REPEATED
    assert run_command(dinfo.main, "-tk", "task-instances", "/demo/shade/std.16").out == "non-standard\n"


def test_a_file_is_replaced_on_request_only(archive, run_command):
    assert run_command(delve.main, "instances", "/demo/age", "--cv", "4").code == 0
    again = run_command(delve.main, "instances", "/demo/age", "--cv", "4")
    assert (again.code, "expected no file yet, found one; --force replaces it" in again.err) == (1, True)
    assert run_command(delve.main, "instances", "/demo/age", "--cv", "4", "--seed", "2", "--force").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("/demo", "--cv", "3"), "/demo: expected the path of a prototask, found /demo"),
        (("/demo/age", "--cv", "3", "--prior", "x"), "--prior: expected one of std, vague, found 'x'"),
        (("/demo/age", "--holdout", "0.65"), "/demo/age/std.8: expected a task without standard instances"),
    ],
)
def test_requests_that_mean_nothing_are_one_line(archive, run_command, arguments, message):
    outcome = run_command(delve.main, "instances", *arguments)
    assert (outcome.code, outcome.err.count("\n")) == (1, 1)
    assert outcome.err.startswith(f"delve instances: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--loo", "--repeats", "2"), "--repeats: expected one of --cv, --holdout, --montecarlo as well"),
        (("--cv", "3", "--runs", "4"), "--runs: expected no other plan, or --holdout without --repeats"),
        (
            ("--montecarlo", "1.5", "0.2"),
            "--montecarlo: expected shares below 1 or numbers of cases, found 1.5",
        ),
        (("--montecarlo", "4", "0"), "--montecarlo: expected shares below 1 or numbers of cases, found 0"),
        ((), "expected a plan such as --cv 10, --bootstrap e0 200 or --runs 60, found none"),
    ],
)
def test_options_that_do_not_go_together_are_refused(archive, capsys, arguments, message):
    with pytest.raises(SystemExit, match="2"):
        delve.main(["instances", "/demo/age", *arguments])
    assert message in capsys.readouterr().err


def checked(run_command, *place):
    return run_command(dcheck.main, *place).out


def test_runs_are_of_a_holdout_or_of_the_test_set_of_the_prototask(archive, run_command):
    texts = [
        run_command(delve.main, "instances", "/demo/age", *plan, "--runs", "4", "-o", "-").out
        for plan in ((), ("--holdout", "0.25"))
    ]
    division, holdout = (parse_instances(text, "runs") for text in texts)
    assert [one.test for one in division] == [((1, 8),)] * 4
    assert {one.training_size for one in holdout} == {18}
    assert len({one.test for one in holdout}) == 1
    assert listed_facts(holdout, "common").scheme == Scheme.ONE_SPLIT


@pytest.mark.parametrize(
    "plan",
    [("--cv", "3", "--repeats", "2", "--stratified"), ("--bootstrap", "e0", "4")],
)
def test_dcheck_makes_the_sets_of_a_scheme_anew(archive, run_command, plan):
    assert run_command(delve.main, "instances", "/demo/shade", *plan).code == 0
    (path,) = archive.glob("data/demo/shade/*.instances")
    assert checked(run_command, "/demo") == ""
    text = path.read_text()
    line = next(line for line in reversed(text.splitlines()) if line.startswith("Training: "))
    path.write_text(text.replace(line, line.rpartition(" ")[0]))
    assert f"{path}:2: expected in instance" in checked(run_command, "/demo")
    path.write_text("\n".join(line for line in text.splitlines() if not line.startswith("Scheme")) + "\n")
    assert checked(run_command, "/demo") == ""


def test_runs_on_each_training_set_of_a_task_are_a_source_of_variance_of_their_own(archive, run_command):
    outcome = run_command(delve.main, "instances", "/demo/age/std.8", "--runs", "2")
    assert outcome.out.endswith("std.8.instances: 2 runs on each of 2 training sets\n")
    # The first runs lost 1 2 3 4 and 2 4 6 8: means over the runs are 3.5 and 5.
    place = archive / "methods/one/demo/age/std.8"
    (place / "loss.S.2").write_text("4\n4\n4\n6\n")
    (place / "loss.S.3").write_text("2\n4\n6\n8\n")
    opened = delvecore.open(str(archive), cache=False)
    (row,) = (
        row
        for row in opened.results.to_pylist()
        if (row["method"], row["prototask"], row["task"], row["loss"]) == ("one", "age", "std.8", "S")
    )
    assert (row["instances"], row["mean"]) == (2, 4.25)
    told = stochastic_trainings(opened, TaskId("demo", "age", "std.8"), "S")["one"]
    # Means of runs 2.5 and 4.5, 5 and 5: MS_s = 4 (1 + 1) / 2; residuals of the first set are 0.5 0 -0.5 0, so
    # MS_e = 2 0.5 / 6. F is 24 with 2 and 6 degrees of freedom: P(F >= f) = (1 + f / 3)^-3.
    assert (told.sd_stochastic**2, told.p) == pytest.approx(((4 - 1 / 6) / 4, 9**-3))
    said = run_command(mstats.main, "-l", "S", "/one/demo/age/std.8").out
    assert "SD from stochastic training:   0.97894501" in said
    assert "Up to 2 runs on each training set are averaged." in said
