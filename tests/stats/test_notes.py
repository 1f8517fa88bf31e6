"""Notes: codes with numbers, and their words."""

import pytest

from delvecore.stats import notes
from delvecore.stats.notes import Note, parsed, words_of

ALL = [value for value in vars(notes).values() if isinstance(value, Note)]
FULL = {"shared_instances": (2, 8, 3), "unequal_losses": (1, 3, 2), "mixed_sizes": (2, 3)}
FULL |= dict.fromkeys(
    ("cross_validation", "repeated_cross_validation", "resampled", "leave_one_out", "nadeau_bengio"), (0.1,)
)
FULL |= {"overlap_common_test_set": (0.8,), "mcnemar": (0.06, 3, 12, 0.0352)}
FULL |= {"groups_of_test_cases": (55,)}
FULL |= dict.fromkeys(("few_samples", "few_cases", "few_groups"), (30, 0.062))


@pytest.mark.parametrize("note", ALL, ids=str)
def test_a_note_is_read_as_it_was_written_and_has_words(note):
    full = note.of(*FULL.get(note.code, ()))
    assert parsed([str(full)]) == (full,)
    said = words_of([full], methods=("a", "b"))
    assert len(said) > 20
    assert "{" not in said


def test_words_have_the_numbers_and_the_names():
    assert (
        words_of([notes.SHARED_INSTANCES.of(1, 2, 1)]) == "compared on the 1 instance in common, of 2 and 1"
    )
    said = words_of([notes.UNEQUAL_LOSSES.of(4, 9, 8)], methods=("{0}", "b"))
    assert said == "not compared: in instance 4 {0} has 9 losses, b 8"
    assert words_of([notes.IDENTICAL, notes.MIXED_SIZES.of(2, 3)]) == (
        "the losses are identical; not compared: the instances have 2 and 3 test cases"
    )
    assert words_of([]) is None


def test_what_is_no_note_is_refused():
    assert str(notes.SHARED_INSTANCES.of(2, 8, 3)) == "shared_instances(2,8,3)"
    with pytest.raises(ValueError, match="got 'fine'"):
        parsed(["fine"])


def test_a_note_of_both_methods_is_turned_with_them():
    assert notes.MCNEMAR.of(0.06, 3, 12, 0.0352).turned == notes.MCNEMAR.of(0.06, 12, 3, 0.0352)
    assert notes.SHARED_INSTANCES.of(2, 8, 3).turned.numbers == (2, 3, 8)
    assert notes.CROSS_VALIDATION.of(0.1).turned == notes.CROSS_VALIDATION.of(0.1)
