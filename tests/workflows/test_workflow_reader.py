"""A workflow's file in, its variants out."""

import pytest

from delvecore.errors import ParseError
from delvecore.readers.source_files import family_of, parse_settings, settings_text
from delvecore.workflows.workflow_spec import Step, parse_workflow, settings_of

LEARNER = '[learner]\nobject = "sklearn.svm:SVR"\n'


def workflows(text: str, **options: str):
    return parse_workflow(text, "svm.toml", **options)


def test_each_combination_of_values_is_a_variant_the_first_list_changing_fastest():
    variants = workflows(LEARNER + "[learner.parameters]\nC = [1, 10]\ngamma = [0.01, 0.5]\n")
    assert [one.name for one in variants] == ["svm.v1", "svm.v2", "svm.v3", "svm.v4"]
    # R: expand.grid(cost = c(1, 10), gamma = c(0.01, 0.5)) has these rows in this order.
    chosen = [(one.learner.options["C"], one.learner.options["gamma"]) for one in variants]
    assert chosen == [(1, 0.01), (10, 0.01), (1, 0.5), (10, 0.5)]


def test_without_lists_there_is_one_method_of_the_workflows_own_name():
    assert [one.name for one in workflows(LEARNER)] == ["svm"]
    assert [one.name for one in workflows('name = "mine"\n' + LEARNER)] == ["mine"]
    assert [one.name for one in workflows('name = "mine"\n' + LEARNER, name="yours")] == ["yours"]


def test_a_list_within_a_list_is_one_value():
    (one,) = workflows(LEARNER + "[learner.parameters]\nlayers = [[10, 5]]\n")
    assert one.learner.options == {"layers": [10, 5]}


def test_steps_and_windows_have_variants_too_and_keep_their_order():
    text = '[pre.scale]\n[pre.impute]\nneighbors = [1, 3]\nby = "neighbors"\n'
    text += LEARNER + '[window]\nkind = ["sliding", "growing"]\nrelearn = 5\n'
    variants = workflows(text)
    assert [step.kind for step in variants[0].pre] == ["scale", "impute"]
    expected = [(count, Step(kind, {"relearn": 5})) for kind in ("sliding", "growing") for count in (1, 3)]
    assert [(one.pre[1].options["neighbors"], one.window) for one in variants] == expected


def test_a_matrix_is_one_value_and_a_list_of_matrices_are_variants():
    text = LEARNER + "[post.utility]\nmatrix = {}\n"
    assert len(workflows(text.format("[[1, -1], [-3, 3]]"))) == 1
    assert len(workflows(text.format("[[[1, -1], [-3, 3]], [[1, 0], [0, 1]]]"))) == 2


def test_settings_say_everything_defaults_too():
    text = "[pre.impute]\n" + LEARNER + "[learner.parameters]\nC = [1, 10]\n[post.clip]\nlow = 0\n"
    settings = settings_of(workflows(text)[1])
    assert parse_settings(settings_text(settings)) == settings
    assert settings == {
        "workflow": "svm",
        "pre": "impute",
        "pre.impute.by": "center",
        "pre.impute.neighbors": "10",
        "learner": "sklearn.svm:SVR",
        "learner.C": "10",
        "post": "clip",
        "post.clip.low": "0",
    }


def test_variants_have_the_name_of_their_family():
    names = ("svm.v1", "svm.v12", "svm.v0", "svm", "a.v1.v2")
    assert list(map(family_of, names)) == ["svm", "svm", None, None, "a.v1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[learner\n", "svm.toml:1: expected TOML, found Expected ']' at the end of a table declaration"),
        ("a = " + "[" * 10_000, "svm.toml: expected TOML, found values nested very deeply"),
        ("[learner]\n", "svm.toml:1: expected either object or method, found neither"),
        (LEARNER + "[other]\n", "svm.toml:3: expected one of name, "),
        ("[pre.center]\n" + LEARNER, "svm.toml:1: expected one of the steps impute, "),
        (
            "[pre.impute]\nneighbors = [3, 0]\n" + LEARNER,
            "svm.toml:2: expected a whole number of at least 1, found 0",
        ),
        ("[pre.select]\n" + LEARNER, "svm.toml:1: expected a line keep = ..., found none"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_with_its_place(text, message):
    with pytest.raises(ParseError) as caught:
        workflows(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
