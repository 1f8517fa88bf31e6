"""Section 4, from datasets to tasks: sentences that no other test is named after."""

from math import log

import pytest

from delvecore.cli import dcheck, dgenorder, dgenproto, dinfo, mgendata, mgendir, mloss
from delvecore.encoding.codings import default_coding
from delvecore.model import LEVELS
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.prior import parse_prior
from delvecore.readers.prototask import parse_prototask
from tests.cli.demo_archive import AGE, PRIOR

SPEC = "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 PAIR u no yes\n2 KIND u none some many\n3 SIZE u 0..Inf\n"
PROTOTASK = (
    "Origin: natural\nCases: all\nOrder: retain\nInputs: 1 2\nTargets: 3\nTest-Set-Size: 8\n"
    "Training-Set-Sizes: 4\nTest-Set-Selection: common\nMaximum-Number-Of-Instances: 2\n"
)
DATASET = parse_dataset(SPEC, "d", "s")


def prior(*lines):
    problem = parse_prototask(PROTOTASK, "p", DATASET, "s")
    return parse_prior("\n".join(lines), "std", DATASET, problem, "std.prior")


def default(line, number):
    """The default coding of an attribute whose prior line is given, the others as usual."""
    lines = {1: "1 NLMH binary", 2: "2 NLMH nominal", 3: "3 NLMH integer"} | {number: line}
    coding = default_coding(DATASET.attribute(number), prior(*lines.values()).line(number))
    return coding.coding, dict(coding.options)


@pytest.mark.parametrize("levels", ["N", "LMH", "nlmh"])
def test_noise_and_relevance_are_any_of_n_l_m_h(levels):
    read_prior = prior(f"1 {levels} binary", "2 NLMH nominal", f"3 {levels} integer")
    assert (read_prior.line(1).levels, read_prior.line(3).levels) == (levels.upper(), levels.upper())
    assert set(levels.upper()) <= set(LEVELS)


@pytest.mark.parametrize("levels", ["N", "NLMH"])
def test_noise_and_relevance_do_not_change_the_default_encoding(levels):
    assert default(f"3 {levels} integer", 3) == ("nm-abs", {})
    assert default(f"1 {levels} binary", 1) == ("-1/+1", {})


def test_the_first_value_of_an_ordering_may_be_passive():
    line = prior("1 NLMH binary", "2 NLMH ordinal passive=none", "3 NLMH integer").line(2)
    assert line.option("passive") == "none"


def test_the_thermometer_code_follows_the_ordering_of_the_prior(features, run_command):
    # std.prior says order=good,fair,poor; the dataset lists them the other way round.
    out = run_command(dinfo.main, "/shapes/shape/std.3").out
    assert [line.split()[2] for line in out.splitlines() if "GRADE:" in line] == ["GRADE:fair", "GRADE:poor"]


def test_transformed_attributes_are_encoded_and_guesses_transformed_back(features, run_command):
    specification = features / "data/river/flow/Prototask.spec"
    specification.write_text(specification.read_text().replace("RAIN squeeze", "RAIN squeeze FLOW log"))
    directory = features / "methods/new/river/flow/std.10"
    directory.mkdir(parents=True)
    (features / "encoding").write_text("FLOW nm-sqr centre=3\nLEVEL copy\n")
    codings = str(features / "encoding")
    assert run_command(mgendata.main, "-q", "-c", codings, directory=directory).code == 0
    level = [
        float(line.split()[0]) for line in (features / "data/river/Dataset.data").read_text().splitlines()
    ]
    train = [line.split() for line in (directory / "train.0").read_text().splitlines()]
    assert [float(line[1]) for line in train] == pytest.approx([log(value) for value in level[20:30]])
    # A guess of exactly the coded target is, transformed back, the target: nothing is lost.
    for number in range(4):
        (directory / f"cguess.{number}").write_text((directory / f"targets.{number}").read_text())
    assert run_command(mloss.main, "-q", "-l", "A", directory=directory).code == 0
    assert max(float(line) for line in (directory / "loss.A.0").read_text().split()) < 1e-5


def test_the_session_that_makes_a_prototask(small, run_command):
    # Section 4.4: edit the specification and the prior, then dcheck, dgenorder, dgenproto.
    place = small / "data/demo/mine"
    place.mkdir()
    own = AGE.replace("Order: retain", "Order: Random-order")
    (place / "Prototask.spec").write_text(own)
    (place / "std.prior").write_text(PRIOR)
    assert run_command(dcheck.main, directory=place) == (0, "", "")
    assert run_command(dgenorder.main, "-s", "7", directory=place).code == 0
    assert run_command(dgenproto.main, directory=place).code == 0
    assert run_command(dcheck.main, directory=place) == (0, "", "")
    method = small / "methods/new"
    method.mkdir()
    run_command(mgendir.main, "demo/mine/std.4", directory=method)
    assert run_command(mgendata.main, "-q", directory=method / "demo/mine/std.4").code == 0


def test_dcheck_before_dgenorder_finds_what_it_finds_after_it(small, run_command):
    # 24 cases: 8 for testing leave too few for one training set of 20, in any order.
    place = small / "data/demo/mine"
    place.mkdir()
    specification = AGE.replace("Order: retain", "Order: Random-order").replace("4 8\n", "4 20\n")
    (place / "Prototask.spec").write_text(specification)
    (place / "std.prior").write_text(PRIOR)
    (place / "std.5.instances").write_text("Instances:\n0 training: 1..5\n0 test: 30\n")
    before = run_command(dcheck.main, directory=place)
    assert before.code == 1
    assert "at least 28 cases" in before.out
    assert "std.5.instances:3: " in before.out
    assert "Random-order" not in before.out
    assert run_command(dgenorder.main, "-s", "7", directory=place).code == 0
    assert run_command(dcheck.main, directory=place) == before


def test_a_missing_order_file_that_dgenorder_does_not_make_is_a_fault(small, run_command):
    place = small / "data/demo/mine"
    place.mkdir()
    (place / "Prototask.spec").write_text(AGE.replace("Order: retain", "Order: Shuffled"))
    (place / "std.prior").write_text(PRIOR)
    outcome = run_command(dcheck.main, directory=place)
    assert outcome.code == 1
    assert "found 'Shuffled'; add the file" in outcome.out


def test_commands_that_need_the_order_say_what_makes_it(small, run_command):
    place, method = small / "data/demo/mine", small / "methods/new"
    place.mkdir()
    (place / "Prototask.spec").write_text(AGE.replace("Order: retain", "Order: Random-order"))
    (place / "std.prior").write_text(PRIOR)
    (method / "demo/mine/std.4").mkdir(parents=True)
    outcome = run_command(mgendata.main, "-q", directory=method / "demo/mine/std.4")
    assert outcome.code == 1
    assert "Random-order" in outcome.err
    assert "dgenorder" in outcome.err
