"""Dataset, prototask and prior specifications: the manual's figures, ranges, sequential, stratified and
transformed prototasks, and faults with their messages."""

from math import inf

import pytest

from delvecore.encoding.codings import category_codes, check_coding, column_names, default_coding
from delvecore.errors import ParseError
from delvecore.model import IntegerRange, Interval, PriorLine
from delvecore.readers.dataset import count_cases, parse_dataset, parse_range
from delvecore.readers.files import read_text
from delvecore.readers.prior import parse_codings, parse_prior
from delvecore.readers.prototask import parse_indexes, parse_prototask
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
    found = []
    parse(*arguments, report=found.append, **options)
    return [str(error) for error in found]


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


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Usage",
            "Usag",
            "s:2: expected one of the keys title, origin, usage, order, found 'usag'; correct or",
        ),
        ("AGE ", "SEX ", "s:6: expected a name used once, found 'SEX' again; rename the attribute"),
        (
            "Attributes:\n",
            "",
            "s:4: expected a line 'Key: value', found '1 SEX u male female # Sex of the person'",
        ),
    ],
)
def test_a_faulty_dataset_specification_names_line_and_remedy(old, new, message):
    found = faults(parse_dataset, DEMO.replace(old, new, 1), "demo", "s")
    assert any(text.startswith(message) for text in found), found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "32 64",
            "32 -64",
            "s:7: expected training-set-sizes to be positive whole numbers, found '32 -64 128",
        ),
        ("1 3 4 5", "1 2 4 5", "s:5: expected targets that are not inputs, found attribute 2 in both"),
        ("Cases: all\n", "", "s:8: expected the key 'cases', found no such line; add it"),
    ],
)
def test_a_faulty_prototask_specification_names_line_and_remedy(old, new, message):
    found = faults(parse_prototask, AGE.replace(old, new, 1), "age", demo(), "s")
    assert any(text.startswith(message) for text in found), found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NLMH integer", "NLX integer", "s:2: expected levels made of N, L, M and H, found 'NLX'"),
        ("5 NLMH nominal", "5 NLMH binary", "s:4: expected two values for type binary, found COLOUR with 5"),
        ("5 NLMH nominal", "5 NLMH real", "s:4: expected a numeric range for type real, found COLOUR 'pink"),
        ("3 NLMH integer", "3 NLMH nominal", "s:2: expected a finite range for type nominal, found SIBLINGS"),
        ("4 NLMH real", "1 NLMH binary", "s:3: expected each attribute once, found '1' again"),
    ],
)
def test_a_faulty_prior_names_line_and_remedy(old, new, message):
    found = faults(parse_prior, STD.replace(old, new, 1), "std", demo(), age(), "s")
    assert any(text.startswith(message) for text in found), found


def test_an_option_s_value_may_contain_an_equals_sign_and_centre_is_center():
    dataset = parse_dataset(DEMO.replace("male female", "<=50 >50"), "demo", "s")
    codings = parse_codings("SEX 0/1  passive=<=50 scale=sqrt\nAGE nm-abs centre=3", dataset, "s")
    assert codings[1].options == (("passive", "<=50"), ("scale", "sqrt"))
    assert codings[2].option("center") == "3"


def test_an_order_file_must_be_a_permutation():
    assert parse_indexes("3\n1\n2\n", "o", count=3, permutation=True) == [3, 1, 2]
    assert faults(parse_indexes, "3\n3\n4\nx\n", "o", count=3, permutation=True) == [
        "o:2: expected each case number once, found 3 again",
        "o:3: expected one case number from 1 to 3, found '4'",
        "o:4: expected one case number from 1 to 3, found 'x'",
        "o:4: expected 3 case numbers, found 1; make the order again",
    ]


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


def test_integers_are_whole():
    assert 2.5 not in IntegerRange(0, inf)
    assert 3.0 in IntegerRange(0, inf)


@pytest.mark.parametrize("text", ["", "[0;1]", "[1,0]", "[a,1]", "5..1", "a a", "[0,1"])
def test_nonsense_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the words differ by case; callers add the rest
        parse_range(text)


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
        ("FLOW sqrt", "p:11: expected transformations: a function, one of log, exp, squeeze, found 'sqrt'"),
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
