"""Dataset, prototask and prior specifications: the manual's figures, ranges, sequential, stratified and
transformed prototasks, and faults with their messages."""

from math import inf

import pytest

from delvecore.errors import ParseError
from delvecore.model import Interval, PriorLine
from delvecore.readers.dataset import count_cases, parse_dataset, parse_range
from delvecore.readers.files import read_text
from delvecore.readers.prior import parse_codings, parse_prior
from delvecore.readers.prototask import parse_prototask
from tests.shared import shared_path

# Figure 3.3 of the manual.
DEMO = """Origin: artificial
Usage: development
Order: uninformative
Attributes:
 1 SEX      u male female # Sex of the person
 2 AGE      u [0,Inf)    # Age of the person in years
 3 SIBLINGS u 0..Inf     # Number of siblings the person has
 4 INCOME   u [0,Inf)    # The person's annual income (dollars)
 5 COLOUR   u pink blue red green purple # The person's favourite colour
"""
# Figure 4.4 of the manual.
AGE = """Cases: all
Inputs: 1 3 4 5
Order: retain
Origin: artificial
Targets: 2
Test-Set-Size: 1024
Training-Set-Sizes: 32 64 128 256 512
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: 8
"""
STD = "1 NLMH binary\n3 NLMH integer\n4 NLMH real\n5 NLMH nominal\n2 NLMH real\n"


def demo():
    return parse_dataset(DEMO, "demo", "Dataset.spec")


def age():
    return parse_prototask(AGE, "age", demo(), "Prototask.spec")


def faults(parse, *arguments, **options):
    errors = []
    parse(*arguments, report=errors.append, **options)
    return [str(error) for error in errors]


def test_figure_3_3_of_the_manual():
    dataset = demo()
    assert (dataset.origin, dataset.usage, dataset.order) == ("artificial", "development", "uninformative")
    assert [attribute.name for attribute in dataset.attributes] == [
        "SEX",
        "AGE",
        "SIBLINGS",
        "INCOME",
        "COLOUR",
    ]
    assert dataset.attribute("COLOUR").range.categories == ("pink", "blue", "red", "green", "purple")
    assert dataset.attribute(3).description == "Number of siblings the person has"


def test_figure_4_4_of_the_manual():
    prototask = age()
    assert prototask.inputs == (1, 3, 4, 5)
    assert prototask.training_set_sizes == (32, 64, 128, 256, 512)
    prior = parse_prior(STD, "std", demo(), prototask, "std.prior")
    assert prior.line(5) == PriorLine(5, "NLMH", "nominal", ())


def test_keys_come_in_any_case_and_order_with_blank_and_comment_lines_and_no_final_newline():
    text = (
        "#\n# a comment\n\nORDER:   ?   \n\nusage: historical\nOrigin:\tnatural\n\nattributes: \n\n1 A u 0 1"
    )
    dataset = parse_dataset(text, "d", "s")
    assert (dataset.order, dataset.usage, dataset.attributes[0].range.values) == (
        "?",
        "historical",
        ("0", "1"),
    )


def test_commonality_indexes_may_be_declared():
    assert parse_dataset(
        DEMO.replace("Attributes", "Commonality indexes are present\nAttributes"), "d", "s"
    ).commonality


def test_attributes_may_be_named_or_numbered_in_prototasks_and_priors():
    text = AGE.replace("1 3 4 5", "SEX SIBLINGS 4 COLOUR").replace("Targets: 2", "Targets: AGE")
    assert parse_prototask(text, "age", demo(), "s")[5:7] == ((1, 3, 4, 5), (2,))
    assert parse_prior(STD.replace("5 N", "COLOUR N"), "std", demo(), age(), "s").line(5).type == "nominal"


def test_an_option_s_value_may_contain_an_equals_sign_and_center_is_center():
    dataset = parse_dataset(DEMO.replace("male female", "<=50 >50"), "demo", "s")
    codings = parse_codings("SEX 0/1  passive=<=50 scale=sqrt\nAGE nm-abs centre=3", dataset, "s")
    assert codings[1].options == (("passive", "<=50"), ("scale", "sqrt"))
    assert codings[2].option("center") == "3"


def test_cases_are_counted_without_comments_blank_lines_and_continuations():
    assert count_cases("1 2\n\n3 \\\n 4\n# nothing\n5 6 # x\n") == 3


def test_the_first_fault_is_raised_unless_it_is_collected():
    with pytest.raises(ParseError, match=r"^s:1: expected origin"):
        parse_dataset(DEMO.replace("artificial", "x"), "demo", "s")


@pytest.mark.shared
def test_original_specifications_of_real_datasets_are_read_without_a_fault():
    root = shared_path("data/natural")
    ringnorm = parse_dataset(read_text(str(root / "ringnorm/Dataset.spec")), "ringnorm", "s")
    assert (len(ringnorm.attributes), ringnorm.attributes[20].range.values) == (21, ("0", "1"))
    assert count_cases(read_text(str(root / "ringnorm/Dataset.data.gz"))) == 7400
    assert count_cases(read_text(str(root / "boston/Dataset.data"))) == 506


def test_the_manual_s_example_of_all_numbers_but_zero_or_missing():
    limits = parse_range("(-Inf,0) (0,+Inf) ?")
    assert limits.intervals == (Interval(-inf, 0, False, False), Interval(0, inf, False, False))
    assert limits.missing == ("?",)
    assert limits.kind == "real"
    assert limits.categories is None


@pytest.mark.parametrize(
    ("text", "value", "inside"),
    [
        ("[0,1)", 0, True),
        ("[0,1)", 1, False),
        ("(0,1]", 0, False),
        ("(0,1]", 1, True),
        ("[-Inf,Inf]", 5, True),
    ],
)
def test_brackets_say_whether_the_bound_belongs(text, value, inside):
    assert (value in parse_range(text).intervals[0]) is inside


def test_a_finite_integer_range_stands_for_its_values_in_order():
    assert parse_range("1..5").categories == ("1", "2", "3", "4", "5")
    assert parse_range("0..Inf").categories is None


def test_category_names_may_start_with_a_digit():
    assert parse_range("1st 2nd 3rd crew").values == ("1st", "2nd", "3rd", "crew")


def test_an_interval_written_with_blanks_inside_is_one_item():
    assert parse_range("[0, Inf) ?").intervals == (Interval(0, inf, True, False),)


def test_no_range_at_all_is_refused():
    with pytest.raises(ValueError, match="no range at all"):
        parse_range("")


def test_integers_are_whole():
    assert 2.5 not in Interval(0, inf, is_whole=True)
    assert 3.0 in Interval(0, inf, is_whole=True)


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


def prototask_faults(text, dataset=SERIES):
    return faults(parse_prototask, text, "flow", series(dataset), "p")


def prior_faults(text, problem=FLOW, dataset=SERIES):
    described = series(dataset)
    return faults(parse_prior, text, "std", described, prototask(problem, described), "p.prior")


def test_a_sequential_prototask_retains_the_order_and_names_a_maximum_range():
    # Manual, section 4.1.
    read_prototask = prototask()
    assert (read_prototask.is_sequential, read_prototask.maximum_dependency_range) == (True, 5)


def test_attribute_0_is_allowed_for_datasets_with_an_informative_order():
    # Manual, section 4.1: its value is the index of the case in the original ordering.
    assert prototask().inputs == (0, 1)
    assert prototask(FLOW.replace("0 1", "INDEX RAIN")).inputs == (0, 1)
    assert series().attribute(0).name == "INDEX"
    assert series().attribute("0").range.kind == "integer"


def test_an_attribute_called_index_keeps_its_name():
    dataset = series(SERIES.replace("RAIN", "INDEX"))
    assert (dataset.attribute("INDEX").number, dataset.attribute("INDEX_").number) == (1, 0)


def test_training_sets_may_be_specified_to_be_stratified():
    # Manual, section 4.2.
    assert prototask(STRATIFIED).stratified
    assert not prototask(STRATIFIED.replace("yes", "No")).stratified
    assert not prototask().stratified


def test_transformations_are_pairs_of_an_attribute_and_a_function():
    read_prototask = prototask(FLOW + "Transformations: FLOW log 1 Squeeze\n")
    assert read_prototask.transformations == ((3, "log"), (1, "squeeze"))
    assert (read_prototask.transformation(3), read_prototask.transformation(0)) == ("log", None)


def test_an_attribute_is_transformed_once():
    message = "p:11: expected transformations: each attribute once, found FLOW again"
    assert message in prototask_faults(FLOW + "Transformations: 3 log 3 exp\n")


def test_priors_give_strength_and_range_of_dependencies():
    # Manual, section 4.3.
    prior = parse_prior(PRIOR, "std", series(), prototask(), "p.prior")
    assert (prior.dependency_strength, prior.dependency_range) == ("LM", 5)
    assert prior.line(0).type == "integer"


def test_the_prior_for_cases_with_commonality_indexes_must_include_the_strength_of_dependencies():
    with_indexes = SERIES.replace("Attributes", "Commonality indexes are present\nAttributes")
    text = "1 N real\n2 N nominal\n3 N real\n"
    assert prior_faults(text, STRATIFIED, with_indexes) == [
        "p.prior:3: expected a line 'Dependency-Strength: LEVELS' for cases with commonality indexes, found "
        "none; add it"
    ]
    assert prior_faults(text + "dependency strength: h\n", STRATIFIED, with_indexes) == []


def test_transformed_attributes_are_real():
    message = "p.prior:3: expected type real for an attribute that is transformed by log, found 'integer'"
    assert message in prior_faults(
        PRIOR.replace("3 NLMH real", "3 N integer"), FLOW + "Transformations: 3 log"
    )
