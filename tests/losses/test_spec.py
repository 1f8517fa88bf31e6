"""Names of losses, and which a task allows: sections 5.2 (Figure 5.1) and 5.3 of the manual."""

import pytest

from delvecore.losses.spec import allowed_losses, loss_order, parse_loss, split_losses
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.model import Prior, PriorLine, Prototask


def test_z02n_specifies_0_1_loss_with_a_penalty_of_02_for_not_making_a_guess():
    # Section 5.3: the value of the penalty followed by N is appended to the abbreviation.
    loss = parse_loss("Z0.2N")
    assert (loss.key, loss.letter, loss.penalty, loss.matrix) == ("Z0.2N", "Z", 0.2, None)
    assert not loss.is_standard


@pytest.mark.parametrize(("name", "penalty"), [("S3N", 3), ("A1.5N", 1.5), ("Z.5N", 0.5), ("S1e-2N", 0.01)])
def test_a_penalty_may_be_appended_to_any_loss_for_guesses_of_figure_51(name, penalty):
    assert (parse_loss(name).letter, parse_loss(name).penalty) == (name[0], penalty)


def test_m_followed_by_a_file_name_is_a_loss_matrix_wherever_a_standard_loss_could_stand():
    loss = parse_loss("Mcosts.1")
    assert (loss.key, loss.letter, loss.penalty, loss.matrix) == ("Mcosts.1", None, None, "costs.1")


@pytest.mark.parametrize("letter", "ALQSZ")
def test_letters_are_the_standard_losses(letter):
    assert parse_loss(letter) is LOSS_SPECS[letter]
    assert parse_loss(letter).is_standard


@pytest.mark.parametrize(
    "name",
    ["", "M", "N", "X", "ZN", "Z0.2", "Q0.2N", "L1N", "Z-1N", "Z+1N", "Z1_0N", "ZinfN", "Z1e999N", "z1N"],
)
def test_other_names_are_no_losses(name):
    assert parse_loss(name) is None


@pytest.mark.parametrize("name", ["M.hidden", "M../costs", "Ma/b", "Ma b", "Ma\tb"])
def test_a_loss_matrix_cannot_lie_elsewhere(name):
    assert parse_loss(name) is None


def test_standard_letters_may_be_joined_and_specialized_losses_stand_between_blanks():
    assert split_losses("SA Z0.2N, Mcosts S") == ("S", "A", "Z0.2N", "Mcosts", "S")
    assert split_losses("") == ()


@pytest.mark.parametrize(("text", "word"), [("S AX", "X"), ("Z0.2", "Z0.2"), ("SZ0.2N", "SZ0.2N")])
def test_a_word_that_is_no_loss_is_named(text, word):
    with pytest.raises(ValueError, match=f"^{word}$"):
        split_losses(text)


def test_specialized_losses_follow_the_five_letters():
    mixed = ["Z0.2N", "Mcosts", "Z", "A1N", "L"]
    assert sorted(mixed, key=loss_order) == ["L", "Z", "A1N", "Mcosts", "Z0.2N"]


def test_the_baseline_with_a_penalty_makes_no_guess_where_that_costs_less():
    # Section 8.3's idea, for each target: the best constant guesses lose 0.3 and 0.1, no guess 0.2.
    assert parse_loss("Z").constant((0.3, 0.1)) == pytest.approx(0.4)
    assert parse_loss("Z0.2N").constant((0.3, 0.1)) == pytest.approx(0.3)


def test_an_undefined_constant_of_one_target_leaves_the_sum_undefined():
    assert parse_loss("L").constant((None, -2.5)) is None
    assert parse_loss("S").constant(()) is None


pytestmark = pytest.mark.usefixtures("losses_of_delve")


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["binary"], "LQZ"),
        (["nominal"], "LQZ"),
        (["ordinal"], "LQZ"),
        (["integer"], "ALSZ"),
        (["real"], "ALS"),
        (["angular"], "L"),
        (["real", "integer"], "ALS"),
        (["integer", "nominal"], "LZ"),
        (["binary", "nominal"], "LZ"),
        (["real", "nominal"], "L"),
    ],
)
def test_losses_are_those_that_every_target_allows(types, expected):
    targets = tuple(range(1, len(types) + 1))
    prototask = Prototask("d", "p", "natural", "all", "retain", (), targets, 1, (1,), "common", 1)
    lines = tuple(PriorLine(n, "NLMH", kind, ()) for n, kind in zip(targets, types, strict=True))
    assert allowed_losses(prototask, Prior("d", "p", "std", lines)) == expected
