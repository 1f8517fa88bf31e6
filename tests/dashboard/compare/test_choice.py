"""What is compared, where the address or the archive does not have what was asked for."""

import pytest

from dashboard.compare.choice import choose_comparison
from dashboard.ui.selection import Selection
from delvecore.model import Task
from delvecore.stats.choose import Setting

RESULTS = {
    Task("a", "p", "std", 8): {"S": ("x", "y")},
    Task("a", "p", "std", 64): {"S": ("x", "y", "z"), "A": ("x", "y")},
    Task("a", "q", "odd", 8): {"Z": ("x",)},
    Task("b", "p", "std", 64): {"S": ("x", "y", "z", "w")},
}


def choose(results=RESULTS, ranked=None, usual=None, **wanted):
    """The request, None for a place without results, and the notices."""
    tasks = {task.path: task for task in results}
    methods = {task.id: losses for task, losses in results.items()}

    def by_name(_state, path, loss):
        return sorted(methods[tasks[path].id][loss], reverse=True)

    notices = []
    about = {"ranked": ranked or by_name, "usual": usual}
    return choose_comparison("state", tasks, methods, Selection(**wanted), notices, **about), notices


def test_without_a_wish_the_task_with_most_methods_is_compared_by_all_against_the_best():
    choice, notices = choose()
    assert (choice.task, choice.loss, choice.methods, choice.reference) == (
        "/b/p/std.64",
        "S",
        ("z", "y", "x", "w"),
        "z",
    )
    assert (choice.setting, notices) == (Setting(0.95, "holm"), [])


def test_a_wish_is_granted():
    choice, notices = choose(
        task="/a/p/std.64", loss="A", methods=("x", "y"), reference="x", level=0.99, adjust="none"
    )
    assert (choice.task, choice.loss, choice.reference, choice.setting) == (
        "/a/p/std.64",
        "A",
        "x",
        Setting(0.99, "none"),
    )
    assert (choice.methods, notices) == (("y", "x"), [])


@pytest.mark.parametrize(
    ("wanted", "path", "notice"),
    [
        ({"task": "/a/q/std.8"}, "/a/q/odd.8", r"There are no results on \/a\/q\/std\.8 yet"),
        ({"prototask": "/a/q"}, "/a/q/odd.8", None),
        ({"dataset": "a"}, "/a/p/std.64", None),
    ],
)
def test_a_task_without_results_gives_its_nearest_relative(wanted, path, notice):
    choice, notices = choose(**wanted)
    assert choice.task == path
    assert notice in notices[0] if notice else not notices


@pytest.mark.parametrize("wanted", [{"dataset": "c"}, {"task": "/c/p/std.64"}, {"task": "/a/z/std.8"}])
def test_no_other_dataset_or_prototask_answers_for_one_without_results(wanted):
    assert choose(**wanted)[0] is None


def test_without_a_wish_the_usual_task_is_shown():
    usual = "/a/p/std.8"
    choice, notices = choose(ranked=lambda *_: ("x", "y"), usual=usual)
    assert (choice.task, notices) == (usual, [])


def test_a_loss_that_the_task_lacks_falls_back_with_a_notice():
    choice, notices = choose(task="/a/p/std.8", loss="Z")
    assert choice.loss == "S"
    assert "not known here; this is Squared error" in notices[0].replace("\\", "")


def test_methods_and_reference_without_results_here_are_named_and_one_outside_those_chosen_gives_way():
    assert choose(task="/a/p/std.64", methods=("x", "y"), reference="z")[0].reference == "y"
    choice, notices = choose(task="/a/p/std.8", methods=("x", "w", "z"), reference="w")
    assert (choice.methods, choice.reference) == (("x",), "x")
    assert "The reference w has no results here" in notices[0]
    assert notices[1] == "w and z have no results here and cannot be shown."
    assert choose(task="/a/p/std.8", methods=("w",))[0].methods == ()


def test_more_methods_than_can_be_seen_leave_room_for_the_reference():
    names = tuple(f"m{number:02}" for number in range(40))
    results = {Task("c", "p", "std", 8): {"S": names}}
    choice, notices = choose(results, lambda *_: names, reference="m31")
    assert choice.methods == (*names[:23], "m31")
    assert choice.family == names
    assert "24 best of 40 methods are shown; p is adjusted for all" in notices[0]
