"""Dataset, prototask and prior specifications: the manual's figures, and every fault with its message."""

import pytest

from delvecore.errors import ParseError
from delvecore.model import PriorLine
from delvecore.readers.dataset import count_cases, parse_dataset
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
