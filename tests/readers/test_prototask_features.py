"""Sequential, stratified and transformed prototasks, attribute 0, and what priors say of them."""

import pytest

from delvecore.encoding.codings import category_codes, check_coding, column_names, default_coding
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.prior import parse_prior
from delvecore.readers.prototask import parse_prototask

SERIES = """Origin: natural
Usage: assessment
Order: informative
Attributes:
 1 RAIN   u [0,Inf)
 2 CLASS  u low mid high
 3 FLOW   u (0,Inf)
"""
FLOW = """Origin: natural
Cases: all
Order: sequential
Maximum-Dependency-Range: 5
Inputs: 0 1
Targets: 3
Test-Set-Size: 10
Training-Set-Sizes: 6 12
Test-Set-Selection: common
Maximum-Number-Of-Instances: 4
"""
STRATIFIED = (
    FLOW.replace("Order: sequential\nMaximum-Dependency-Range: 5\n", "Order: retain\nStratified: yes\n")
    .replace("Targets: 3", "Targets: CLASS")
    .replace("Inputs: 0 1", "Inputs: 1 3")
)
PRIOR = "0 NLMH integer\n1 NLMH real\n3 NLMH real\nDependency-Strength: LM\nDependency-Range: 5\n"


def series(text=SERIES):
    return parse_dataset(text, "river", "Dataset.spec")


def prototask(text=FLOW, dataset=None):
    return parse_prototask(text, "flow", dataset or series(), "p")


def faults(parse, *arguments):
    found = []
    parse(*arguments, report=found.append)
    return [str(error) for error in found]


def prototask_faults(text, dataset=SERIES):
    return faults(parse_prototask, text, "flow", series(dataset), "p")


def prior_faults(text, problem=FLOW, dataset=SERIES):
    described = series(dataset)
    return faults(parse_prior, text, "std", described, prototask(problem, described), "p.prior")


def test_a_sequential_prototask_retains_the_order_and_names_a_maximum_range():
    # Manual, section 4.1.
    found = prototask()
    assert (found.is_sequential, found.maximum_dependency_range) == (True, 5)


def test_the_specification_of_a_sequential_prototask_must_include_a_maximum_range():
    message = (
        "p:9: expected the key 'maximum-dependency-range' of a sequential prototask, found no such line; "
    )
    assert prototask_faults(FLOW.replace("Maximum-Dependency-Range: 5\n", "")) == [message + "add it"]


def test_sequential_prototasks_are_not_allowed_when_the_cases_also_have_commonality_indexes():
    with_indexes = SERIES.replace("Attributes", "Commonality indexes are present\nAttributes")
    assert prototask_faults(FLOW, with_indexes) == [
        "p:3: expected order sequential only where cases have no commonality indexes, found commonality "
        "indexes; use a random order"
    ]


def test_sequential_prototasks_are_for_datasets_in_an_informative_order():
    assert prototask_faults(FLOW.replace("0 1", "1"), SERIES.replace("informative", "uninformative")) == [
        "p:3: expected order sequential only where the order of the dataset is informative, found the order "
        "'uninformative'; use another order"
    ]


def test_attribute_0_is_allowed_for_datasets_with_an_informative_order():
    # Manual, section 4.1: its value is the index of the case in the original ordering.
    assert prototask().inputs == (0, 1)
    assert prototask(FLOW.replace("0 1", "INDEX RAIN")).inputs == (0, 1)
    assert series().attribute(0).name == "INDEX"
    assert series().attribute("0").range.kind == "integer"


@pytest.mark.parametrize("order", ["uninformative", "?"])
def test_attribute_0_is_refused_elsewhere(order):
    text = STRATIFIED.replace("Inputs: 1 3", "Inputs: 0 1")
    assert prototask_faults(text, SERIES.replace("informative", order)) == [
        f"p:5: expected inputs: attribute 0 only where the order of the dataset is informative, found the order "
        f"{order!r}; leave it out"
    ]


def test_an_attribute_called_index_keeps_its_name():
    dataset = series(SERIES.replace("RAIN", "INDEX"))
    assert (dataset.attribute("INDEX").number, dataset.attribute("INDEX_").number) == (1, 0)


def test_training_sets_may_be_specified_to_be_stratified():
    # Manual, section 4.2.
    assert prototask(STRATIFIED).stratified
    assert not prototask(STRATIFIED.replace("yes", "No")).stratified
    assert not prototask().stratified


def test_what_cannot_be_stratified_or_sequential_is_refused():
    text = STRATIFIED.replace("Inputs: 1 3", "Inputs: 1").replace("6 12", "6 10")
    expected = "training set sizes that are multiples of 3, the number of values"
    assert f"p:8: expected {expected}, found 10; change the size" in prototask_faults(text)


def test_transformations_are_pairs_of_an_attribute_and_a_function():
    found = prototask(FLOW + "Transformations: FLOW log 1 Squeeze\n")
    assert found.transformations == ((3, "log"), (1, "squeeze"))
    assert (found.transformation(3), found.transformation(0)) == ("log", None)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "FLOW sqrt",
            "p:11: expected transformations: a function, one of log, exp, squeeze, found 'sqrt'",
        ),
        ("CLASS log", "p:11: expected transformations of numbers only, found CLASS, which is categorical"),
        ("3 log 3 exp", "p:11: expected transformations: each attribute once, found FLOW again"),
    ],
)
def test_a_faulty_transformation_is_refused(words, message):
    assert message in prototask_faults(FLOW + f"Transformations: {words}\n")


def test_priors_give_strength_and_range_of_dependencies():
    # Manual, section 4.3.
    found = parse_prior(PRIOR, "std", series(), prototask(), "p.prior")
    assert (found.dependency_strength, found.dependency_range) == ("LM", 5)
    assert found.line(0).type == "integer"


def test_the_prior_of_a_sequential_prototask_must_include_strength_and_range():
    assert prior_faults(PRIOR.split("Dep")[0]) == [
        "p.prior:3: expected a line 'Dependency-Strength: LEVELS' for a sequential prototask, found none; add it",
        "p.prior:3: expected a line 'Dependency-Range: NUMBER' for a sequential prototask, found none; add it",
    ]


def test_the_prior_for_cases_with_commonality_indexes_must_include_the_strength_of_dependencies():
    with_indexes = SERIES.replace("Attributes", "Commonality indexes are present\nAttributes")
    text = "1 N real\n2 N nominal\n3 N real\n"
    assert prior_faults(text, STRATIFIED, with_indexes) == [
        "p.prior:3: expected a line 'Dependency-Strength: LEVELS' for cases with commonality indexes, found "
        "none; add it"
    ]
    assert prior_faults(text + "dependency strength: h\n", STRATIFIED, with_indexes) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("LM", "LX", "p.prior:4: expected dependency-strength: levels made of N, L, M and H, found 'LX'"),
        ("5\n", "0\n", "p.prior:5: expected dependency-range to be one positive whole number, found '0'"),
    ],
)
def test_faulty_dependency_lines_are_refused(old, new, message):
    assert message in prior_faults(PRIOR.replace(old, new))


def test_a_range_of_dependencies_belongs_to_sequential_prototasks():
    text = "1 N real\n2 N nominal\n3 N real\nDependency-Range: 3\n"
    assert prior_faults(text, STRATIFIED) == [
        "p.prior:4: expected dependency-range only in the priors of a sequential prototask, found another order"
    ]


def test_transformed_attributes_are_real():
    message = "p.prior:3: expected type real for an attribute that is transformed by log, found 'integer'"
    assert message in prior_faults(
        PRIOR.replace("3 NLMH real", "3 N integer"), FLOW + "Transformations: 3 log"
    )


def ordinal(options):
    text = f"1 N real\n2 N ordinal {options}\n3 N real\n"
    return parse_prior(text, "std", series(), prototask(STRATIFIED), "p.prior").line(2)


def test_an_ordering_is_specified_if_it_differs_from_that_of_the_dataset():
    # Manual, section 4.3. A thermometer of three values: two numbers of +-1/sqrt(2).
    line, attribute = ordinal("order=high,low,mid passive=high"), series().attribute(2)
    coding = default_coding(attribute, line)
    check_coding(coding, attribute, line)
    assert coding.options == (("order", "high,low,mid"),)
    assert column_names(attribute, coding) == ["CLASS:low", "CLASS:mid"]
    assert category_codes(attribute, coding) == {
        "high": ("-0.707106781", "-0.707106781"),
        "low": ("0.707106781", "-0.707106781"),
        "mid": ("0.707106781", "0.707106781"),
    }


@pytest.mark.parametrize("order", ["low,mid", "low,mid,high,low", "low,mid,top"])
def test_an_ordering_lists_each_value_once(order):
    found = prior_faults(f"1 N real\n2 N ordinal order={order}\n3 N real\n", STRATIFIED)
    assert found[0] == (
        f"p.prior:2: expected order= with each value of CLASS once, as in order=low,mid,high, found {order!r}"
    )
