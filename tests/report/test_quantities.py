"""A number in a ranking's text is named as what it is: expected counts, posterior probabilities, F without p, J."""

import json
import math
import re

import numpy as np
import pytest

from delvecore import compare
from delvecore.answers.answer import plain_columns, table_of
from delvecore.answers.ranking_figures import pair_sentence
from delvecore.render.spans import markdown, plain
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.sentences import ranking_sentence, task_counts_sentence
from delvecore.report.ranking.text import ranking_text
from delvecore.stats.ranking.analysis import Analysis, analyze
from delvecore.stats.ranking.bayesian_hierarchical import hierarchical_pairs
from delvecore.stats.ranking.friedman import iman_davenport
from delvecore.stats.ranking.quade import quade
from delvecore.stats.ranking.ranks import task_ranks
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import RankTest, pair_verdicts
from tests.questions import DataOf, ask


def analyzed(values: list[list[float]]) -> Analysis:
    rows = np.array(values, dtype=float)
    names = "abcdefgh"[: rows.shape[1]]
    return analyze(ScoreTable(tuple(f"t{number}" for number in range(len(rows))), tuple(names), rows))


def text_of(analysis: Analysis, test: RankTest = RankTest.NEMENYI) -> str:
    return ranking_text(RankingReport(analysis, pair_verdicts(analysis, test)), "text")


def test_a_count_is_held_against_what_is_expected_by_chance():
    counts = {"wins": 9, "ties": 140, "losses": 5, "untested": 0, "expected": 7.7}
    counts |= {"wins_over_tasks": 3, "losses_over_tasks": 1}
    said = task_counts_sentence(("a", "b"), table_of([counts.values()], plain_columns("count", *counts)))
    assert "; about 7.7 would be expected by chance. After adjustment" in said
    assert "at most" not in said


@pytest.mark.parametrize("values", [[[1, 2, 3]] * 4, [[1, 2]] * 6, [[1, 1, 2]] * 5])
def test_an_infinite_f_has_no_p(values):
    analysis = analyzed(values)
    exact = analysis.friedman.exact_p
    for test in (iman_davenport(analysis.ranks), quade(analysis.units)):
        assert test.statistic == math.inf
        assert math.isnan(test.p)
    printed = text_of(analysis)
    lines = [line for line in printed.splitlines() if re.match(r" *(Iman-Davenport|Quade) ", line)]
    shown = json.loads(
        ranking_text(RankingReport(analysis, pair_verdicts(analysis, RankTest.NEMENYI)), "json")
    )
    assert len(lines) == 2
    for line, name in zip(lines, ("iman_davenport", "quade"), strict=True):
        assert re.search(r"= infinite, no p; exact p = \d", line)
        assert f"{exact:.1e}"[0] in line.partition("exact")[2]
        assert (shown[name]["f"], shown[name]["p"]) == (None, None)
    assert shown["friedman"]["exact_p"] == pytest.approx(exact)


def test_a_finite_f_keeps_its_p():
    analysis = analyzed([[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 3]])
    assert 0 < iman_davenport(task_ranks(analysis.table)).p < 1
    assert "infinite" not in text_of(analysis)


def hierarchy(differences: list[list[float]]):
    rows = np.array(differences)
    pairs = rows, np.full_like(rows, 0.02), np.full_like(rows, 9.0)
    analysis = analyzed([[1, 2, 3]] * 6)
    return (
        ask("hierarchy", analysis, data=DataOf(differences=pairs)),
        hierarchical_pairs(*pairs, region=0.01, level=0.95),
    )


CLEAR = [[-0.2, -0.22, -0.18, -0.2, -0.21, -0.19], [0.1, -0.1, 0.05, -0.02, 0, 0.03], [0.3, 0.1, 0.2] * 2]


def test_posterior_probabilities_are_given_as_their_values():
    posteriors, (_, most_likely, _) = hierarchy(CLEAR)
    decided = np.array([most_likely.a_better, most_likely.b_better]).max(axis=0)
    sure = sorted(decided[decided >= 0.975])
    shown = ["> 99.9 %" if one > 0.9995 else f"{100 * one:.1f} %" for one in sure]
    assert len(sure) == 2
    assert f"(posterior probability {' to '.join(dict.fromkeys(shown))})" in posteriors.headline
    assert "at least" not in posteriors.headline


def test_no_sure_pair_says_which_posterior_probability_none_reaches():
    posteriors, _ = hierarchy([[0.1, -0.1, 0.05, -0.02, 0, 0.03]] * 3)
    assert posteriors.headline.startswith("For 0 of 3 pairs")
    assert posteriors.headline.endswith("(posterior below 97.5 %).")


def test_being_most_likely_and_being_better_on_a_new_one_are_two_quantities():
    posteriors, (next_unit, most_likely, _) = hierarchy(CLEAR)
    titles = {field.key: field.title for field in posteriors.table.columns}
    assert [titles[key] for key in ("a_better", "equivalent", "b_better")] == [
        "P(a better)",
        "P(same)",
        "P(b better)",
    ]
    assert [titles[key] for key in ("a_decided", "equivalent_decided", "b_decided")] == [
        "most likely: a",
        "most likely: same",
        "most likely: b",
    ]
    assert len(set(titles.values())) == len(titles)
    # They differ by far for the third pair, so that one name for both would mislead.
    assert most_likely.b_better[2] - next_unit.b_better[2] > 0.02
    (note,) = posteriors.notes
    assert "P(a better): probability that the expected standardized loss of a on another" in note
    assert "P(same), P(b better): practically the same, or higher." in note
    assert (
        "Most likely is another quantity: the posterior probability that this outcome is the most likely"
        in note
    )


def test_effects_name_the_approximation_of_hedges_correction():
    analysis = analyzed([[1, 3], [2, 3], [1, 4], [3, 3.5], [2, 5]])
    answer = ask("effects", analysis)
    assert "Hedges' approximation J = 1 - 3 / (4 df - 1)" in " ".join(answer.notes)
    differences = analysis.table.values[:, 0] - analysis.table.values[:, 1]
    raw = differences.mean() / differences.std(ddof=1)
    (d,) = next(field for field in answer.table.columns if field.key == "standardized").values
    assert d == pytest.approx(raw * (1 - 3 / (4 * 4 - 1)))


SAME = [[0.11, 0.11, 0.31], [0.12, 0.12, 0.29], [0.15, 0.15, 0.37], [0.12, 0.12, 0.36]] * 4


@pytest.mark.parametrize("test", [RankTest.FLIPS, RankTest.WILCOXON, RankTest.NEMENYI])
def test_methods_with_the_same_values_are_identical(test):
    analysis = analyzed(SAME)
    said = plain(ranking_sentence(analysis, pair_verdicts(analysis, test)))
    assert "identical to b" in said
    assert "significantly better than c, if tasks are independent draws" in said
    assert "not significantly different" not in said
    row = next(
        line for line in text_of(analysis, test).splitlines() if line.split()[:3] == ["a", "b", "0/16/0"]
    )
    assert row.split()[3:5] == ["identical", "1.00"]
    pair = pair_sentence(analysis, pair_verdicts(analysis, test), ("a", "b"), None)
    assert "**a and b are identical**" in markdown(pair)


def test_only_identical_methods_are_called_identical():
    analysis = analyzed([row[:2] for row in SAME])
    assert "a is identical to b." in plain(
        ranking_sentence(analysis, pair_verdicts(analysis, RankTest.WILCOXON))
    )
    analysis = analyzed([[0.11, 0.12], [0.12, 0.11]] * 6)  # differences that cancel
    said = plain(ranking_sentence(analysis, pair_verdicts(analysis, RankTest.WILCOXON)))
    assert "identical" not in said
    assert "not significantly different from any other" in said
    assert " identical " not in text_of(analysis)


def test_compare_calls_identical_losses_identical():
    losses = [[1.0, 2.0], [2.0, 4.0], [1.0, 3.0]]
    comparison = compare(losses, losses)
    assert (
        "a and b have the same loss on every instance: there is no difference to test" in comparison.sentence
    )
    assert re.search(r"^a  b .* identical$", repr(comparison), re.MULTILINE)
