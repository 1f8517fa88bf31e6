"""The line `Scheme:` of a file of instances, runs on the same sets, and cases that train several times."""

import pytest

from delvecore.errors import ParseError
from delvecore.model import Scheme
from delvecore.plan import Plan, parse_plan, plan_text
from delvecore.readers.instances import listed_facts, parse_listing, runs_of

PLANS = {
    "cv folds=10 repeats=3 stratified=yes seed=1": (
        Plan("cv", 10, repeats=3, stratified=True),
        "10-fold cross-validation, stratified, 3 times, seed 1",
        "--cv 10 --repeats 3 --stratified",
    ),
    "loo": (Plan("loo"), "leave-one-out", "--loo"),
    "holdout test=0.3 seed=7": (
        Plan("holdout", shares=(0.3,), seed=7),
        "holdout of 30 %, seed 7",
        "--holdout 0.3 --seed 7",
    ),
    "montecarlo training=0.5 test=0.25 repeats=4 seed=1": (
        Plan("montecarlo", shares=(0.5, 0.25), repeats=4),
        "Monte Carlo windows, 50 % for training and 25 % for the test, 4 times, seed 1",
        "--montecarlo 0.5 0.25 --repeats 4",
    ),
    "sliding windows=5": (
        Plan("sliding", 5),
        "5 test windows, trained by as many before",
        "--sliding 5",
    ),
    "e0 samples=200 seed=1": (
        Plan("e0", 200),
        "bootstrap e0, 200 samples, seed 1",
        "--bootstrap e0 200",
    ),
    "632 samples=200 seed=1": (
        Plan("632", 200),
        "bootstrap .632, 200 samples, seed 1",
        "--bootstrap 632 200",
    ),
}


@pytest.mark.parametrize("text", PLANS)
def test_a_plan_is_read_as_it_is_written(text):
    plan, words, options = PLANS[text]
    assert (plan_text(plan), parse_plan(text), plan.words, plan.options) == (text, plan, words, options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kfold folds=3", "s:1: expected scheme: one of the schemes cv, loo, holdout"),
        ("cv", "s:1: expected scheme: cv folds=... repeats=... seed=... stratified=..., found 'cv'"),
        ("loo seed=1", "s:1: expected scheme: loo, found 'loo seed=1'"),
        ("e0 samples=0", "s:1: expected scheme: samples: a whole number from 1, found '0'"),
        ("holdout test=2", "s:1: expected scheme: test: a share between 0 and 1, found '2'"),
        ("", "s:1: expected scheme: one of the schemes cv"),
    ],
)
def test_a_scheme_that_means_nothing_is_named_with_its_line(text, message):
    with pytest.raises(ParseError, match="expected") as caught:
        parse_listing(f"Scheme: {text}\nInstance: 0\nTraining: 1\nTest: 2\n", "s")
    assert str(caught.value).startswith(message)


RUNS = "Runs: 3\nInstance: 0\nTraining: 1-4\nValidation: 4\nTest: 5-6\n"


def test_runs_are_instances_with_the_same_sets():
    listing = parse_listing(f"Scheme: division\n{RUNS}", "s")
    assert [one.number for one in listing.instances] == [0, 1, 2]
    assert {(one.training, one.validation, one.test) for one in listing.instances} == {
        (((1, 4),), ((4, 4),), ((5, 6),))
    }
    assert listing.plan == Plan("division", runs=3)
    facts = listed_facts(listing.instances, "common")
    assert (facts.design, facts.overlap) == ("hierarchical", (Scheme.ONE_SPLIT, 0.0))


def test_runs_on_several_training_sets_come_one_after_the_other():
    text = "Runs: 3\nInstance: 0\nTraining: 1-2\nTest: 5\nInstance: 1\nTraining: 3-4\nTest: 6\n"
    found = parse_listing(text, "s").instances
    assert [(one.number, one.training[0][0]) for one in found] == [
        (0, 1),
        (1, 3),
        (2, 1),
        (3, 3),
        (4, 1),
        (5, 3),
    ]
    facts = listed_facts(found, "common")
    assert (facts.sets, facts.runs, facts.design) == (2, 3, "hierarchical")
    assert facts.overlap.scheme == Scheme.DISJOINT
    assert facts.training_disjoint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Runs: 0\nInstance: 0\nTraining: 1\nTest: 2\n", "s:1: expected runs: a number from 1 to 100000"),
        ("Instance: 0\nRuns: 2\nTraining: 1\nTest: 2\n", "s:2: expected Runs before the first instance"),
        ("Scheme: loo\nScheme: loo\n", "s:2: expected the key 'scheme' once in a file, found it again"),
    ],
)
def test_no_runs_or_runs_in_the_wrong_place_are_faults(text, message):
    with pytest.raises(ParseError) as caught:
        parse_listing(text, "s")
    assert str(caught.value).startswith(message)


def test_a_case_that_trains_several_times_is_listed_once_with_a_number():
    (one,) = parse_listing("Instance: 0\nTraining: 1*2 2 4-5 6*3\nTest: 3\n", "s").instances
    assert one.training == ((1, 1), (1, 1), (2, 2), (4, 5), (6, 6), (6, 6), (6, 6))
    assert one.training_size == 8
    assert runs_of([1, 1, 2, 4, 5, 6, 6, 6]) == "1*2 2 4-5 6*3"


@pytest.mark.parametrize(
    "line", ["Training: 1*0\nTest: 2", "Training: 1*x\nTest: 2", "Training: 1\nTest: 2*2"]
)
def test_a_number_of_times_is_one_and_of_training_cases_only(line):
    with pytest.raises(ParseError, match=r"17\*2 for one that trains twice"):
        parse_listing(f"Instance: 0\n{line}\n", "s")
    with pytest.raises(ParseError, match="each case once"):
        parse_listing("Instance: 0\nTraining: 1*2 1\nTest: 2\n", "s")


FIVE = "Instance: 1\nTraining: 1*2 2 4*2\nTest: 3 5\nInstance: 2\nTraining: 2*3 3 5\nTest: 1 4\n"


def test_only_the_first_instance_of_632_is_tested_on_what_it_was_trained_on():
    whole = "Instance: 0\nTraining: 1-5\nTest: 1-5\n"
    listing = parse_listing(f"Scheme: 632 samples=2 seed=1\n{whole}{FIVE}", "s")
    assert listed_facts(listing.instances, "common").overlap == (Scheme.BOOTSTRAP_632, 0.0)
    with pytest.raises(ParseError, match="case 1 in both"):
        parse_listing(f"Scheme: e0 samples=2 seed=1\n{whole}{FIVE}", "s")
    with pytest.raises(ParseError, match="case 1 in both"):
        parse_listing(f"{whole}{FIVE}", "s")


def test_samples_with_replacement_are_told_from_their_lists():
    text = FIVE.replace("Instance: 1", "Instance: 0").replace("Instance: 2", "Instance: 1")
    facts = listed_facts(parse_listing(text, "s").instances, "common")
    assert (facts.design, facts.overlap) == ("hierarchical", (Scheme.BOOTSTRAP, 0.0))
