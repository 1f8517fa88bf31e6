"""Errors of other parts become faults of a file and line without losing their words."""

from delvecore.checking.rewording import as_fault
from delvecore.errors import DelveError, ParseError


def test_the_words_of_an_error_are_kept():
    fault = as_fault(DelveError("/a/b: expected X, found Y; do Z"), "spec", 3, kind="data").problem
    assert (fault.source, fault.line, fault.expected, fault.found, fault.remedy) == (
        "spec",
        3,
        "X",
        "Y",
        "do Z",
    )
    assert fault.message == "spec:3: expected X, found Y; do Z"


def test_an_error_that_names_a_file_is_about_that_file(tmp_path):
    path = tmp_path / "prob.0"
    path.write_text("")
    fault = as_fault(DelveError(f"{path}: expected X, found Y"), "spec", 3, kind="results")
    assert (fault.source, fault.line, fault.problem.remedy) == (str(path), None, "")


def test_a_parse_error_stays_as_it_is():
    error = ParseError("a", 1, "X", "Y")
    assert as_fault(error, "b", 2, kind="results") is error


def test_what_would_harm_a_terminal_or_break_a_line_is_shown_as_text():
    message = str(ParseError("a\nb", 1, "a range \x1b[2J", "x" * 1000))
    assert message.isprintable()
    assert message.startswith(r"a\nb:1: expected a range \x1b[2J, found xxx")
    assert "... (1000 characters) ..." in message
