from delvecore.report.writers.text import aligned, columns_text, counted, fold


def test_columns_read_downwards_and_share_the_width() -> None:
    # Longest name 12: 80 // 13 = 6 columns of 13; 9 names in 9 // 6 + 1 = 2 rows.
    names = [
        "Dataset.data",
        "Dataset.spec",
        "Source",
        "Summary",
        "age",
        "colour",
        "income",
        "sex",
        "siblings",
    ]
    first, second = columns_text(names).split("\n")
    assert first.split() == ["Dataset.data", "Source", "age", "income", "siblings"]
    assert second == "Dataset.spec Summary      colour       sex"
    assert len(first) == 78


def test_a_full_last_row_is_followed_by_one_more() -> None:
    # 20 names of 7 characters: 10 columns of 8, 20 // 10 + 1 = 3 rows, so only 7 columns are used.
    rows = columns_text([f"name.{i:02}" for i in range(20)]).split("\n")
    assert [row.split()[0] for row in rows] == ["name.00", "name.01", "name.02"]
    assert len(rows[0]) == len(rows[1]) == 80
    assert rows[2].split()[-1] == "name.17"


def test_names_wider_than_the_screen_stand_alone() -> None:
    assert columns_text(["a" * 90, "b"]) == "a" * 90 + "\n" + "b"


def test_no_names_are_no_text() -> None:
    assert columns_text([]) == ""


def test_lines_are_filled_and_long_words_stay_whole() -> None:
    assert fold("one two three", "  ", width=9) == ["  one two", "  three"]
    assert fold("a " + "b" * 20 + " c", "", width=5) == ["a", "b" * 20, "c"]


def test_no_words_give_one_empty_line() -> None:
    assert fold("  ", "") == [""]


def test_first_columns_stand_to_the_left_and_others_to_the_right() -> None:
    rows = [["a", "b", "c"], ["one", "two", "13"]]
    assert aligned(rows) == ["a      b   c", "one  two  13"]
    assert aligned(rows, indent="> ", left=2) == ["> a    b     c", "> one  two  13"]


def test_one_thing_has_no_plural() -> None:
    assert [counted(number, "task") for number in (0, 1, 2)] == ["0 tasks", "1 task", "2 tasks"]
