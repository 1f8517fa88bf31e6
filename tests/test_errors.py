"""Faults carry where, expected, found and what to do as fields; the one line is made from them."""

import pickle

import pytest

from delvecore.errors import DelveError, Fault, ParseError, located


def test_the_words_of_an_error_are_kept():
    fault = located(Fault("/a/b", "X", "Y", "do Z"), "spec", 3, kind="data").problem
    assert (fault.source, fault.line, fault.expected, fault.found, fault.remedy) == (
        "spec",
        3,
        "X",
        "Y",
        "do Z",
    )
    assert fault.message == "spec:3: expected X, found Y; do Z"


def test_an_error_that_names_a_file_is_about_that_file():
    error = Fault("/m/prob.0", "X", "Y", is_file=True)
    assert str(error) == "/m/prob.0: expected X, found Y"
    fault = located(error, "spec", 3, kind="results")
    assert (fault.source, fault.line, fault.problem.remedy) == ("/m/prob.0", None, "")


@pytest.mark.parametrize("actual", ["'x; y'", "'a, found b'", "'c: expected d'"])
def test_what_was_found_stays_whole_whatever_it_holds(actual):
    error = Fault("AGE in case 3", "a number to encode as nm-abs", actual, "correct the case")
    fault = located(error.within("/demo/age/std.8 instance 0"), "train.0", None, kind="results").problem
    assert (fault.expected, fault.found, fault.remedy) == (error.expected, actual, "correct the case")


def test_a_fault_is_said_within_the_place_where_it_was_met():
    error = Fault("AGE", "X", "Y", "Z").within("/demo/age/std.8")
    assert str(error) == "/demo/age/std.8: AGE: expected X, found Y; Z"
    assert str(Fault("", "X", 3).within("/m/ptarg.0")) == "/m/ptarg.0: expected X, found 3"


def test_an_error_without_fields_keeps_its_words():
    message = str(located(DelveError("no such thing"), "b", 2, kind="results"))
    assert message == "b:2: expected what can be used, found no such thing"


@pytest.mark.parametrize(
    "error", [Fault("p", "X", "Y", key="order"), ParseError("a", 1, "X", "Y", kind="file")]
)
def test_faults_come_whole_from_another_process(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_what_would_harm_a_terminal_or_break_a_line_is_shown_as_text():
    message = str(ParseError("a\nb", 1, "a range \x1b[2J", "x" * 1000))
    assert message.isprintable()
    assert message.startswith(r"a\nb:1: expected a range \x1b[2J, found xxx")
    assert "... (1000 characters) ..." in message
