"""`Array.spec`: what it says, and what is said of one that says it badly."""

import pytest

from delvecore.errors import ParseError
from delvecore.model import Factor, Level, Member, TaskArray
from delvecore.readers.array import parse_array

GOOD = """Title: Arms
Factors:
  inputs  8: 8 inputs | 32: 32 inputs   # how many
  noise   m: medium | h
Members:
  kin-8m/dist/std  8 m
  /kin-32h/dist/std  32 h
"""


def test_levels_may_say_what_defines_them_and_those_without_members_are_not_shown():
    text = DEFINED.replace("m: medium", "l: low | m: medium")
    array = parse_array(text, "arms", "Array.spec")
    assert array.factors[1].levels[-1] == Level("h", "h", "above a quarter")
    assert [level.name for level in array.shown[1].levels] == ["m", "h"]
    assert array.vacant == (Level("l", "low"),)


@pytest.mark.parametrize(
    "line", ["noise x  much", "light h  much", "noise h", "noise h  much\n  noise h more"]
)
def test_a_definition_has_a_factor_a_level_and_words_once(line):
    with pytest.raises(ParseError, match="expected FACTOR LEVEL WORDS, each level of a factor once"):
        parse_array(DEFINED.replace("noise h  above a quarter", line), "arms", "Array.spec")


def test_factors_members_and_words_are_read():
    inputs = Factor("inputs", (Level("8", "8 inputs"), Level("32", "32 inputs")))
    noise = Factor("noise", (Level("m", "medium"), Level("h", "h")))
    members = (Member("kin-8m", "dist", "std", ("8", "m")), Member("kin-32h", "dist", "std", ("32", "h")))
    assert parse_array(GOOD, "arms", "Array.spec") == TaskArray("arms", "Arms", (inputs, noise), members)


DEFINED = f"{GOOD}Defined:\n  noise h  above a quarter # of all\n"
MEASURED = f"{GOOD}Measured:\n  kin-8m/dist/std noise 3.05 0.01 inputs 8 0 # percent\n"


def test_measured_shares_of_factors_are_read():
    array = parse_array(MEASURED, "arms", "Array.spec")
    member = array.members[0]
    assert array.measures == {(member, "noise"): (3.05, 0.01), (member, "inputs"): (8.0, 0.0)}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("noise 3.05 0.01", "noise 3.05", "the path of a member, then FACTOR PERCENT ERROR, once or more"),
        ("inputs 8 0 #", "noise 8 0 #", "each of inputs, noise once, found 'noise'"),
        ("3.05", "305", "FACTOR PERCENT ERROR, both from 0 to 100, found 'noise 305 0.01'"),
    ],
)
def test_a_fault_of_what_was_measured_is_told_with_its_line(old: str, new: str, said: str):
    with pytest.raises(ParseError) as error:
        parse_array(MEASURED.replace(old, new), "arms", "Array.spec")
    assert str(error.value).startswith(f"Array.spec:9: expected {said}")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Title: Arms\n", "", "Array.spec:6: expected a line 'Title:'"),
        ("32: 32 inputs", "8: again", "Array.spec:3: expected two or more different levels of inputs"),
        (
            "kin-8m/dist/std  8 m",
            "kin-8m/dist  8 m",
            "Array.spec:6: expected a member: DATASET/PROTOTASK/PRIOR",
        ),
        ("std  8 m", "std  8 x", "Array.spec:6: expected a level of noise: m, h, found 'x'"),
        (
            "32 h",
            "8 m",
            "Array.spec:7: expected each combination of levels once, found 8 m again (first on line 6)",
        ),
    ],
)
def test_a_fault_is_told_with_its_line(old: str, new: str, said: str):
    with pytest.raises(ParseError) as error:
        parse_array(GOOD.replace(old, new), "arms", "Array.spec")
    assert str(error.value).startswith(said)


def test_a_faulty_member_is_left_out_and_the_rest_kept():
    faults: list[ParseError] = []
    array = parse_array(GOOD.replace("32 h", "64 h"), "arms", "Array.spec", report=faults.append)
    assert [member.dataset for member in array.members] == ["kin-8m"]
    assert len(faults) == 1


@pytest.mark.parametrize("text", ["", "Title: A\nFactors:\nMembers:\n", "\\ #\n"])
def test_a_specification_without_members_is_none(text: str):
    faults: list[ParseError] = []
    assert parse_array(text, "arms", "Array.spec", report=faults.append) is None
    assert faults
