"""The check list for publications: what files say already, and what they do not."""

from delvecore.checks.checklist import checklist
from delvecore.cli.mcheck import main as mcheck
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import write_tree

TRAINING = """\
Network: 3-4-1, all feed forward connections between adjacent layers
Outputs: linear
Weights: 21
Total-Epochs: 5
Relevant-Epochs: 5
Connection-Traversals: 100
Curve: epoch training validation GL P
5 12.5 11.7 0 142.8
"""
NOTES = """\
Network. A network with one hidden layer, tanh.

Initialization. Random weights from range -0.1 to 0.1.

The learning rate is a parameter, 0.1. Training stops after 100 epochs. It was tuned on no dataset.
"""
TASK = "methods/net/demo/age/std.8"


def points(archive, method="net"):
    return {
        one.title.partition(":")[0].partition(",")[0]: one
        for one in checklist(Hierarchy([str(archive)]), method)
    }


def test_without_a_description_everything_is_asked_for_with_its_place(archive):
    write_tree(archive, {"methods/net/Summary": "A network.\n"})
    checklist_points = points(archive)
    assert len(checklist_points) == 9
    assert checklist_points["Initialization"].missing == "initialization"
    assert checklist_points["Initialization"].where.endswith("methods/net/Source")
    assert checklist_points["Problem"].missing == "results on a dataset"


def test_a_line_with_the_number_of_a_point_answers_it(archive):
    answered = "2.11.4: every weight is drawn from -0.01 to 0.01\n"
    write_tree(archive, {"methods/net/Source/Notes": f"{NOTES}\n{answered}"})
    known = points(archive)["Initialization"]
    assert (known.known, known.missing) == (("every weight is drawn from -0.01 to 0.01",), "")


def test_files_and_description_fill_it_in(archive):
    files = {f"{TASK}/Training.0": TRAINING, f"{TASK}/Seeds": "0 17\n1 18\n", f"{TASK}/loss.S.0": "1\n"}
    write_tree(archive, files | {"methods/net/Source/Notes": NOTES})
    checklist_points = points(archive)
    assert (
        checklist_points["Network"]
        .known[0]
        .startswith("3-4-1, all feed forward connections between adjacent layers")
    )
    assert checklist_points["Initialization"].known == (
        "Initialization. Random weights from range -0.1 to 0.1.",
    )
    assert checklist_points["Number of runs"].known == (
        "2 instances a task, each with its seed",
        "no run was omitted",
    )
    assert checklist_points["The error function"].known == ("losses S, each a mean over test cases",)
    assert [one.missing for one in checklist_points.values() if one.missing] == []


def test_failed_instances_are_data_that_is_not_listed(archive):
    write_tree(archive, {f"{TASK}/Seeds": "0 17\n", f"{TASK}/Failures": "1 no convergence\n"})
    checklist_points = points(archive)
    assert checklist_points["Training"].missing == "the instances that failed on /demo/age/std.8"
    assert "omitted runs" in checklist_points["Number of runs"].missing


def test_a_method_tuned_where_it_has_results_is_asked_by_which_cases(archive):
    # Section 2.5: "you must not in any way use the performance on the test set while searching for good
    # parameter values".
    write_tree(archive, {f"{TASK}/Seeds": "0 17\n", "methods/net/Source/Notes": "It was tuned on demo.\n"})
    checklist_points = points(archive)["How parameters were found"]
    assert checklist_points.known == ("It was tuned on demo.",)
    assert checklist_points.missing == "which cases of demo the method was tuned on, as it has results there"


def test_mcheck_is_silent_about_it_unless_it_is_asked(archive, monkeypatch, capsys):
    monkeypatch.chdir(archive)
    status = mcheck(["-q", "/one"])
    without = capsys.readouterr().out
    assert "PROBEN1" not in without
    assert mcheck(["-cq", "/one"]) == status
    asked = capsys.readouterr().out
    assert asked.startswith(without)
    assert "expected initialization (PROBEN1, section 2.10), found no mention of it; write it there" in asked
