"""Files of non-standard task instances."""

import pytest

from delvecore.readers.instances import listed_facts, parse_instances, runs_of

TWO = "# ten-fold, shortened\nInstance: 0\nTraining: 1 5 7-20 \\\n  25\nTest: 30-40  # the rest\n\nInstance: 1\nTest: 1-6, 8\nTraining: 9-12\n"


def faults(text):
    found = []
    parse_instances(text, "s", report=found.append)
    return [str(error) for error in found]


def test_an_explicit_list_of_cases_makes_up_the_training_and_test_sets():
    # Manual, section 6.3.
    first, second = parse_instances(TWO, "s")
    assert first[:3] == (0, ((1, 1), (5, 5), (7, 20), (25, 25)), ((30, 40),))
    assert first.lines == {"instance": 2, "training": 3, "test": 5}
    assert (first.training_size, first.test_size) == (17, 11)
    assert second[:3] == (1, ((9, 12),), ((1, 6), (8, 8)))


def test_some_of_the_training_cases_may_be_for_validation():
    text = "Instance: 0\nTraining: 1-5 9\nValidation: 2 4-5\nTest: 7\n"
    (instance,) = parse_instances(text, "s")
    assert (instance.validation, instance.validation_size) == (((2, 2), (4, 5)), 3)
    assert instance.training_size == 6


@pytest.mark.parametrize(
    ("validation", "message"),
    [
        ("5-6", "s:3: expected validation cases that are training cases, found 5-6; list them as both"),
        ("1-5", "s:3: expected training cases besides the validation cases, found none; leave some out"),
        ("", "s:3: expected validation: at least one case, found none"),
    ],
)
def test_validation_cases_are_training_cases_but_not_all(validation, message):
    assert faults(f"Instance: 0\nTraining: 1-5\nValidation: {validation}\nTest: 7\n") == [message]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "Instance: 0\nTraining: 1-5\nTest: 5\n",
            [
                "s:3: expected test cases that are not training cases, found case 5 in both; take it out of one"
            ],
        ),
        (
            "Training: 1\nTest: 2\n",
            [
                "s:1: expected a line 'Instance: 0' first, found 'training'; add it",
                "s:1: expected a line 'Instance' for each instance, found none; add it",
            ],
        ),
        (
            "Instance: 0\nTraining: 1 2-4 3\nTest: 5\n",
            ["s:2: expected training: each case once, found case 3 again; remove one"],
        ),
        (
            "Instance: 0\nTraining: 1\nTest: five\n",
            ["s:3: expected test: case numbers from 1 such as 5 or 7-20, found 'five'"],
        ),
        (
            "Instance: 0\nTraining: 1\nTest: 2\nTest: 3\n",
            ["s:4: expected the key 'test' once an instance, found it again; remove one of them"],
        ),
        (
            "Instance: 0\nTraining: 1\nTesting: 2\n",
            [
                "s:3: expected a line 'Instance: NUMBER', 'Training: CASES' or 'Test: CASES', found 'Testing: "
                "2'; correct it",
                "s:1: expected a line 'Test' for each instance, found none; add it",
            ],
        ),
    ],
)
def test_faults_are_named_with_their_lines(text, messages):
    assert faults(text) == messages


def test_a_range_of_many_cases_takes_no_memory():
    (instance,) = parse_instances("Instance: 0\nTraining: 1-99999999999\nTest: 100000000000\n", "s")
    assert instance.training_size == 99999999999


def test_equal_test_sets_are_a_common_one():
    same = parse_instances(
        "Instance: 0\nTraining: 1\nTest: 5 6 7\nInstance: 1\nTraining: 2\nTest: 5-7\n", "s"
    )
    other = parse_instances("Instance: 0\nTraining: 1\nTest: 5\nInstance: 1\nTraining: 2\nTest: 6\n", "s")
    assert listed_facts(same, "hierarchical").design == "common"
    assert listed_facts(other, "common").design == "hierarchical"
    assert listed_facts(other[:1], "common").design == "common"


def test_case_numbers_are_written_as_ranges():
    assert runs_of([1, 5, 7, 8, 9, 3]) == "1 5 7-9 3"
