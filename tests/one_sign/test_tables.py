"""Commands and the library: one table under nine column names, and the five losses, against pandas.

All tests of printed numbers are in one file, so that one process runs each command once."""

import pytest

from delvecore.answers.questions import QUESTIONS
from delvecore.cli.subcommands.array import DEFINITION, TABLES
from tests.one_sign import questions
from tests.one_sign.claims import (
    check_differences,
    check_means,
    check_verdicts,
    verdicts_of_pairs,
    wrong_keys,
    wrong_names,
)
from tests.one_sign.outputs import delve_csv, delve_json
from tests.one_sign.questions import FAULTS, OF_TABLES, intervals, rows_of
from tests.one_sign.surfaces import (
    LOSS_MEANS,
    LOSS_PAIRS,
    MEANS,
    PAIRS_OF,
    SCORE_MEANS,
    SCORE_PAIRS,
    archive_of,
    array_rows,
    frame_rows,
    measure_of,
    view_rows,
)
from tests.one_sign.tables import METHODS, MIRRORS
from tests.one_sign.texts import TEXTS

pytestmark = pytest.mark.slow  # all commands, eighteen times

OF_FEW = ("dv.compare", "array winners")
"""Surfaces that do not show all methods."""
SURFACES = PAIRS_OF | SCORE_PAIRS | {f"--show {word}": rows for word, rows in questions.PAIRS_OF.items()}
TESTED = sorted(set(SURFACES) - {"rank text", "rank json combined"})
"""Surfaces that show verdicts or p."""
FIRST = "score"
SIGNED = ("score", "1 - score", "-LL", "neg_error", "utility", "cost", "log_likelihood")
"""Names of columns that may be negative."""


@pytest.mark.parametrize("surface", [*MEANS, *SCORE_MEANS])
def test_means_are_those_of_the_file(table, surface):
    means = list((MEANS | SCORE_MEANS)[surface](table))
    check_means(table, means)
    assert surface in OF_FEW or {one.method for one in means} == set(METHODS)


@pytest.mark.parametrize("surface", [*PAIRS_OF, *SCORE_PAIRS])
def test_differences_are_those_of_the_means_and_in_their_intervals(table, surface):
    check_differences(table, (PAIRS_OF | SCORE_PAIRS)[surface](table))


@pytest.mark.parametrize("surface", [*PAIRS_OF, *SCORE_PAIRS])
def test_verdicts_go_by_the_direction(table, surface):
    check_verdicts(table, (PAIRS_OF | SCORE_PAIRS)[surface](table))


@pytest.mark.parametrize("surface", [*MEANS, *LOSS_MEANS])
def test_means_of_losses_are_those_of_the_files(loss, surface):
    check_means(loss, (MEANS | LOSS_MEANS)[surface](loss))


@pytest.mark.parametrize("surface", [*PAIRS_OF, *LOSS_PAIRS])
def test_differences_and_verdicts_of_losses_are_those_of_the_files(loss, surface):
    pairs = list((PAIRS_OF | LOSS_PAIRS)[surface](loss))
    check_differences(loss, pairs)
    check_verdicts(loss, pairs)


@pytest.mark.parametrize("word", OF_TABLES)
def test_each_question_has_numbers_in_their_intervals_and_speaks_of_no_loss(table, word):
    rows = rows_of(table, word)
    wrong = [one for one in intervals(rows) if not one[1] - 1e-9 <= one[2] <= one[3] + 1e-9]
    assert not wrong
    assert not wrong_keys(table, rows[0])


@pytest.mark.parametrize("word", FAULTS)
def test_answers_are_those_of_pandas(table, word):
    faults = list(FAULTS[word](table))
    assert not faults, f"{len(faults)}: {faults[0]}"


@pytest.mark.parametrize("word", questions.PAIRS_OF)
def test_differences_and_verdicts_of_answers_are_those_of_pandas(table, word):
    pairs = list(questions.PAIRS_OF[word](table))
    check_differences(table, pairs)
    check_verdicts(table, pairs)


@pytest.mark.parametrize("word", QUESTIONS)
def test_answers_on_losses_are_those_of_pandas(loss, word):
    pairs = list(questions.PAIRS_OF[word](loss)) if word in questions.PAIRS_OF else []
    check_differences(loss, pairs)
    check_verdicts(loss, pairs)
    faults = list(FAULTS[word](loss)) if word in FAULTS else []
    assert not faults, f"{len(faults)}: {faults[0]}"
    wrong = [one for one in intervals(rows_of(loss, word)) if not one[1] - 1e-9 <= one[2] <= one[3] + 1e-9]
    assert not wrong


@pytest.mark.parametrize("surface", TEXTS)
def test_the_column_has_its_own_name(table, surface):
    wrong = {
        part: faulty_names[0]
        for part, text in TEXTS[surface](table).items()
        if (faulty_names := wrong_names(table, text))
    }
    assert not wrong, "; ".join(f"{part}: ...{faulty_names}..." for part, faulty_names in wrong.items())


def test_a_ranking_names_the_column_and_its_direction(table):
    answer = delve_json(table, "rank")
    assert (answer["quantity"], answer["higher_is_better"]) == (table.name, table.higher_is_better)
    assert f"by {table.name}" in answer["answer"]


@pytest.mark.parametrize("frame", ["results", "losses", "comparisons"])
def test_tables_of_an_archive_name_the_column(table, frame):
    assert {measure_of(row) for row in frame_rows(table, frame)} == {table.name}


@pytest.mark.parametrize("options", [(), ("--each",)], ids=["best", "each"])
def test_top_names_the_column(table, options):
    rows = delve_csv(table, "top", *options, single=False)
    assert {measure_of(row) for row in rows} == {table.name}


@pytest.mark.parametrize("kind", [one for one in TABLES if one != DEFINITION])
def test_tables_of_an_array_name_the_column(table, kind):
    assert {measure_of(row) for row in array_rows(table, kind)} == {table.name}


def test_the_leaderboard_of_an_archive_has_the_best_first(table):
    board = archive_of(table).leaderboard()
    board = board.set_index("method") if "method" in board else board
    assert board.index[0] == table.expected.best
    assert board["mean_rank"].to_dict() == pytest.approx(table.expected.ranks.to_dict())


@pytest.mark.parametrize("surface", ["rank", "top", "array"])
def test_no_key_calls_a_value_a_loss(table, surface):
    row = {
        "rank": lambda: delve_json(table, "rank")["summary"],
        "top": lambda: delve_json(table, "top", single=False)["rows"],
        "array": lambda: view_rows(table),
    }[surface]()[0]
    assert not wrong_keys(table, (key for key, value in row.items() if not isinstance(value, str)))


@pytest.mark.parametrize("surface", TESTED)
def test_the_name_changes_no_p_and_no_verdict(table, cases, surface):
    first = verdicts_of_pairs(SURFACES[surface](cases(FIRST, table.higher_is_better)))
    assert any(verdict or p for *_, verdict, p in first)
    assert verdicts_of_pairs(SURFACES[surface](table)) == first


@pytest.mark.parametrize(
    "surface", ["rank json", "rank csv", "archive.compare", "dv.rank pairs", "--show same"]
)
@pytest.mark.parametrize("mirror", [one for one in MIRRORS if one != "as it is"])
@pytest.mark.parametrize("name", SIGNED)
def test_mirrored_numbers_have_the_same_p_and_verdicts(cases, name, mirror, surface):
    plain = verdicts_of_pairs(SURFACES[surface](cases(name, True)))
    assert verdicts_of_pairs(SURFACES[surface](cases(name, False, mirror))) == plain


@pytest.mark.parametrize("mirror", [one for one in MIRRORS if one != "as it is"])
@pytest.mark.parametrize("name", SIGNED)
def test_mirrored_numbers_are_shown_as_they_are(cases, name, mirror):
    case = cases(name, False, mirror)
    check_means(case, MEANS["rank json"](case))
    check_differences(case, PAIRS_OF["rank json"](case))
