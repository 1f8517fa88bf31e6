from delvecore.report.information.folding import fold


def test_lines_are_filled_and_long_words_stay_whole() -> None:
    assert fold("one two three", "  ", width=9) == ["  one two", "  three"]
    assert fold("a " + "b" * 20 + " c", "", width=5) == ["a", "b" * 20, "c"]


def test_no_words_give_one_empty_line() -> None:
    assert fold("  ", "") == [""]
