"""Files of task instances: sets, schemes, runs, cases that train several times, and how instances share
cases."""

import random
from itertools import combinations

import numpy as np
import pytest

from delvecore.errors import ParseError
from delvecore.model import Scheme
from delvecore.plan import Plan, parse_plan, plan_text
from delvecore.readers.instances import listed_facts, parse_instances, parse_listing, runs_of

TWO = "# ten-fold, shortened\nInstance: 0\nTraining: 1 5 7-20 \\\n  25\nTest: 30-40  # the rest\n\nInstance: 1\nTest: 1-6, 8\nTraining: 9-12\n"


def faults(text):
    errors = []
    parse_instances(text, "s", report=errors.append)
    return [str(error) for error in errors]


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


def test_sets_before_the_first_instance_are_a_fault():
    message = "s:1: expected a line 'Instance: 0' first, found 'training'; add it"
    assert faults("Training: 1\nTest: 2\n")[0] == message


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
        "Monte Carlo windows, 50 % for training and 25 % for testing, 4 times, seed 1",
        "--montecarlo 0.5 0.25 --repeats 4",
    ),
    "montecarlo training=1500000 test=1 seed=1": (
        Plan("montecarlo", shares=(1_500_000.0, 1.0)),
        "Monte Carlo windows, 1500000 cases for training and 1 case for testing, seed 1",
        "--montecarlo 1500000 1",
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
        (
            "montecarlo training=1.5 test=2",
            "s:1: expected scheme: training: a share between 0 and 1 or a number of cases, found '1.5'",
        ),
        ("", "s:1: expected scheme: one of the schemes cv"),
    ],
)
def test_a_scheme_that_means_nothing_is_named_with_its_line(text, message):
    with pytest.raises(ParseError, match="expected") as caught:
        parse_listing(f"Scheme: {text}\nInstance: 0\nTraining: 1\nTest: 2\n", "s")
    assert str(caught.value).startswith(message)


RUNS = "Runs: 3\nInstance: 0\nTraining: 1-4\nValidation: 4\nTest: 5-6\n"


def test_runs_are_instances_with_the_same_sets():
    listed, plan = parse_listing(f"Scheme: division\n{RUNS}", "s")
    assert [one.number for one in listed] == [0, 1, 2]
    assert {(one.training, one.validation, one.test) for one in listed} == {(((1, 4),), ((4, 4),), ((5, 6),))}
    assert plan == Plan("division", runs=3)
    facts = listed_facts(listed, "common")
    assert (facts.design, facts.scheme, facts.share) == ("hierarchical", Scheme.ONE_SPLIT, 0.0)


def test_runs_on_several_training_sets_come_one_after_the_other():
    text = "Runs: 3\nInstance: 0\nTraining: 1-2\nTest: 5\nInstance: 1\nTraining: 3-4\nTest: 6\n"
    instances = parse_instances(text, "s")
    assert [(one.number, one.training[0][0]) for one in instances] == [
        (0, 1),
        (1, 3),
        (2, 1),
        (3, 3),
        (4, 1),
        (5, 3),
    ]
    facts = listed_facts(instances, "common")
    assert (facts.sets, facts.runs, facts.design) == (2, 3, "hierarchical")
    assert facts.scheme == Scheme.DISJOINT
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
    (one,) = parse_instances("Instance: 0\nTraining: 1*2 2 4-5 6*3\nTest: 3\n", "s")
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
    listed, _ = parse_listing(f"Scheme: 632 samples=2 seed=1\n{whole}{FIVE}", "s")
    facts = listed_facts(listed, "common")
    assert (facts.scheme, facts.share) == (Scheme.BOOTSTRAP_632, 0.0)
    with pytest.raises(ParseError, match="case 1 in both"):
        parse_listing(f"Scheme: e0 samples=2 seed=1\n{whole}{FIVE}", "s")
    with pytest.raises(ParseError, match="case 1 in both"):
        parse_listing(f"{whole}{FIVE}", "s")


def test_samples_with_replacement_are_told_from_their_lists():
    text = FIVE.replace("Instance: 1", "Instance: 0").replace("Instance: 2", "Instance: 1")
    facts = listed_facts(parse_instances(text, "s"), "common")
    assert (facts.design, facts.scheme, facts.share) == ("hierarchical", Scheme.BOOTSTRAP, 0.0)


def overlap(training, test):
    """The scheme and share of sets of case numbers, listed as a file has them."""
    blocks = zip(training, test, strict=True)
    text = "".join(
        f"Instance: {number}\nTraining: {runs_of(train)}\nTest: {runs_of(tests)}\n"
        for number, (train, tests) in enumerate(blocks)
    )
    facts = listed_facts(parse_instances(text, "s"), "hierarchical")
    return facts.scheme, facts.share


def rest(tests, cases):
    """For each test set all other cases."""
    return [sorted(set(cases) - set(one)) for one in tests]


def folds(cases, count):
    return [cases[fold::count] for fold in range(count)]


CASES = list(range(1, 31))


def test_instances_without_a_case_in_common_are_disjoint():
    assert overlap([[1, 2], [3, 4]], [[5], [6]]) == (Scheme.DISJOINT, 0)
    assert overlap([[1, 2], [3, 4]], [[5, 6]] * 2) == (Scheme.DISJOINT, 0)
    assert overlap([[1, 2]], [[5, 6]]) == (Scheme.DISJOINT, 0)


# With 10 folds training sets of 9 have 8 in common, and every case that tests one set trains the others.
TENFOLD = 0.1 * 8 / 9 + 0.1 / 2


@pytest.mark.parametrize(("count", "share"), [(2, 0.5), (3, 1 / 3), (5, 0.2 * 3 / 4 + 0.1), (10, TENFOLD)])
def test_cross_validation_has_the_share_of_a_fold_and_that_of_training_sets(count, share):
    tests = folds(CASES, count)
    assert overlap(rest(tests, CASES), tests) == (Scheme.CROSS_VALIDATION, pytest.approx(share))


def test_cases_kept_for_validation_are_in_no_set_of_their_instance():
    # Ten folds; the next fold is kept back, so that 24 train and 3 test; of 24, 21 are in two sets that follow each
    # other, 18 in others.
    tests = folds(CASES, 10)
    training = [
        sorted(set(CASES) - set(one) - set(other))
        for one, other in zip(tests, [*tests[1:], tests[0]], strict=True)
    ]
    assert overlap(training, tests) == (Scheme.CROSS_VALIDATION, pytest.approx(1 / 9 * (7 / 9 + 4 / 9)))


def test_repeated_cross_validation():
    tests = [fold for seed in range(3) for fold in folds(random.Random(seed).sample(CASES, len(CASES)), 10)]
    # Training sets of one repetition have 8 of 9 cases in common, of different ones 9 of 10 on average.
    common = (9 * 8 / 9 + 20 * 9 / 10) / 29
    assert overlap(rest(tests, CASES), tests) == (Scheme.REPEATED, pytest.approx(0.1 * common + 0.9 * 2 / 29))


def test_leave_one_out_has_the_share_of_one_case():
    tests, share = [[case] for case in CASES], pytest.approx((28 / 29 + 1 / 2) / 30)
    assert overlap(rest(tests, CASES), tests) == (Scheme.LEAVE_ONE_OUT, share)
    assert overlap(rest(tests[:7], CASES), tests[:7]) == (Scheme.LEAVE_ONE_OUT, share)


def test_a_case_left_out_twice_in_another_order_is_not_leave_one_out():
    tests = [[case] for case in CASES] + [[case] for case in reversed(CASES)]
    # Of 59 other training sets one is the same.
    share = pytest.approx(((1 + 58 * 28 / 29) / 59 + 58 / 59 / 2) / 30)
    assert overlap(rest(tests, CASES), tests) == (Scheme.REPEATED, share)


def test_repeated_holdout_has_the_share_of_its_test_sets():
    tests = [random.Random(seed).sample(CASES, 9) for seed in range(10)]
    training = rest(tests, CASES)
    train, test = (
        np.mean([len({*a} & {*b}) / len(a) for a, b in combinations(sets, 2)]) for sets in (training, tests)
    )
    assert overlap(training, tests) == (Scheme.RESAMPLED, pytest.approx(0.3 * train + 0.7 * test))
    assert (train, test) == (pytest.approx(0.7, abs=0.03), pytest.approx(0.3, abs=0.06))


def test_test_cases_that_are_never_trained_on_are_no_cross_validation():
    training = [list(range(1, 9)), list(range(2, 10)), list(range(3, 11))]
    # 1 and 9 and 10 ... of 8 cases: 7, 7 and 6 shared by two sets, of 8.
    overlaps = overlap(training, [[11, 12], [13, 14], [15, 16]])
    assert overlaps == (Scheme.RESAMPLED, pytest.approx(0.2))


def test_test_cases_that_train_elsewhere_are_shared_too():
    # Of two test cases one trains in the other instance, which is less than the share 4/8 of test cases.
    overlaps = overlap([[1, 2], [3, 5]], [[5, 6], [7, 1]])
    assert overlaps == (Scheme.RESAMPLED, pytest.approx(0.5))
    overlaps = overlap([[1, 2], [3, 4]], [[5, 6, 4], [7, 8, 9]])
    assert overlaps == (Scheme.RESAMPLED, pytest.approx(1 / 6))


def test_test_sets_that_are_nearly_the_same_weigh_as_much_as_they_are():
    # Of five test cases four are shared; half of the cases test.
    overlaps = overlap([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[11, 12, 13, 14, 15], [12, 13, 14, 15, 16]])
    assert overlaps == (Scheme.RESAMPLED, pytest.approx(0.5))
    overlaps = overlap([[1], [2]], [[11, 12, 13, 14, 15], [12, 13, 14, 15, 16]])
    assert overlaps == (Scheme.RESAMPLED, pytest.approx(0.8))
    overlaps = overlap([[*range(1, 21)], [*range(21, 41)]], [[51, 52, 53, 54, 55], [52, 53, 54, 55, 56]])
    assert overlaps == (Scheme.RESAMPLED, pytest.approx(0.8 * 0.8))


def test_with_a_common_test_set_the_share_is_that_of_training_cases():
    # Of four training cases three are shared.
    assert overlap([[1, 2, 3, 4], [2, 3, 4, 5]], [[8, 9]] * 2) == (Scheme.RESAMPLED, pytest.approx(0.75))


def test_one_training_set_for_all_and_test_sets_in_other_orders():
    assert overlap([[1, 2, 3], [3, 1, 2]], [[4], [5]])[0] == Scheme.ONE_TRAINING_SET
    assert overlap([[1, 2], [2, 3]], [[4, 5], [5, 4]])[0] == Scheme.REORDERED


def test_leave_one_out_of_many_cases_is_told_quickly():
    # As ranges: 1000 training sets of 999 cases.
    text = "".join(
        f"Instance: {n - 1}\nTraining: {'' if n == 1 else f'1-{n - 1}'} {'' if n == 1000 else f'{n + 1}-1000'}\n"
        f"Test: {n}\n"
        for n in range(1, 1001)
    )
    facts = listed_facts(parse_instances(text, "s"), "hierarchical")
    assert facts.scheme == Scheme.LEAVE_ONE_OUT
