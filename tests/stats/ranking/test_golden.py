"""Two tables of the literature: what several independent programs agree on, in `golden/statistics.json`."""

import json
import math

import numpy as np
import pytest

from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.friedman import exact_upper_tail
from delvecore.stats.ranking.nemenyi import maximal_runs, range_quantile
from delvecore.stats.verdicts import RankTest, groups_of, pair_verdicts
from tests.shared import golden_path
from tests.stats.ranking.golden import TABLES, golden_table, golden_values, pair_values

EXACT = {"abs": 1e-9, "rel": 1e-9}


def by_name(analysis, tests, values):
    """{(a, b): value} of arrays that hold one entry per pair."""
    names = analysis.table.methods
    pairs = zip(tests.first, tests.second, values, strict=True)
    return {(names[a], names[b]): float(value) for a, b, value in pairs}


def as_sets(groups):
    return sorted(sorted(group) for group in groups)


@pytest.fixture(params=TABLES)
def case(request):
    return golden_table(request.param), golden_values(request.param)


def test_average_ranks(case):
    table, golden = case
    assert analyze(table).average_ranks == pytest.approx(golden["ranks.average"], **EXACT)


def test_friedman_and_iman_davenport(case):
    table, golden = case
    analysis = analyze(table)
    corrected, uncorrected = golden["friedman.chi2_tie_corrected"], golden["friedman.chi2_uncorrected"]
    assert analysis.friedman.statistic == pytest.approx(corrected["stat"], **EXACT)
    assert analysis.friedman.df == corrected["df"]
    assert analysis.friedman.p == pytest.approx(corrected["p"], **EXACT)
    assert analysis.friedman.uncorrected == pytest.approx(uncorrected["stat"], **EXACT)
    assert analysis.friedman.p_uncorrected == pytest.approx(uncorrected["p"], **EXACT)
    f = golden["iman_davenport.from_uncorrected"]
    assert analysis.iman_davenport.uncorrected == pytest.approx(f["F"], **EXACT)
    assert analysis.iman_davenport.p_uncorrected == pytest.approx(f["p"], **EXACT)
    assert (analysis.iman_davenport.df, analysis.iman_davenport.df2) == (f["df1"], f["df2"])


def test_iman_davenport_from_the_corrected_chi_square():
    # The entry `friedman-ties` of the golden file's disagreements: 4.5859 where ties are corrected for.
    assert analyze(golden_table("demsar_table6")).iman_davenport.statistic == pytest.approx(4.5859, abs=5e-5)


def test_exact_p_of_friedman():
    golden = golden_values("flach_12_4")["friedman.exact_p"]
    assert analyze(golden_table("flach_12_4")).friedman.exact_p == pytest.approx(golden["p_ge"], **EXACT)


def test_exact_distribution_for_three_methods_and_ten_tasks():
    tails = golden_values("tables")["friedman_exact_upper_tail_k3_n10"]
    for chi2, tail in tails.items():
        assert exact_upper_tail(_ranks_with_chi2(float(chi2))) == pytest.approx(tail, **EXACT)


def _ranks_with_chi2(chi2, *, methods=3, tasks=10):
    """Ranks without ties whose Friedman statistic is this; found by drawing."""
    draws = np.random.default_rng(0)
    while True:
        ranks = np.argsort(draws.random((tasks, methods)) + draws.random(methods), axis=1) + 1.0
        squares = np.square(ranks.sum(axis=0) - tasks * (methods + 1) / 2).sum()
        if math.isclose(12 * squares / (tasks * methods * (methods + 1)), chi2):
            return ranks


@pytest.mark.parametrize("alpha", ["0.05", "0.10"])
def test_quantiles_of_nemenyi_and_bonferroni_dunn(alpha):
    tables = json.loads(golden_path("statistics.json").read_text())["tables"]
    for methods, entry in tables[f"nemenyi_q_over_sqrt2_{alpha}"].items():
        q = range_quantile(float(alpha), int(methods)) / math.sqrt(2)
        assert q == pytest.approx(entry["value"], abs=1e-6)


@pytest.mark.parametrize("alpha", ["0.05", "0.10"])
def test_critical_differences_and_groups(case, alpha):
    table, golden = case
    analysis = analyze(table, alpha=float(alpha), control=table.methods[0])
    assert analysis.nemenyi.cd == pytest.approx(golden[f"nemenyi.cd_{alpha}"], abs=1e-6)
    assert analysis.bonferroni_dunn.cd == pytest.approx(golden[f"bonferroni_dunn.cd_{alpha}"], **EXACT)
    expected = golden[f"cliques.nemenyi_{alpha}"]["cliques_as_sets"]
    assert as_sets(analysis.names(maximal_runs(analysis.ranks.average, analysis.nemenyi.cd))) == as_sets(
        expected
    )


@pytest.mark.parametrize("alpha", ["0.05", "0.10"])
def test_cliques_of_programs_that_use_the_normal_distribution(case, alpha, monkeypatch):
    monkeypatch.setattr("delvecore.stats.ranking.wilcoxon.MOST_EXACT", -1)
    table, golden = case
    analysis = analyze(table, alpha=float(alpha))
    expected = golden[f"cliques.wilcoxon_holm_{alpha}"]["cliques_as_sets"]
    assert as_sets(
        analysis.names(groups_of(analysis, pair_verdicts(analysis, RankTest.WILCOXON)))
    ) == as_sets(expected)


def test_the_exact_distribution_separates_a_pair_that_the_normal_one_joins():
    # Holm-adjusted p of C45 and C45_m: 0.0439 exactly (below 0.05), 0.065 by the normal distribution.
    analysis = analyze(golden_table("demsar_table6"))
    joined = as_sets(analysis.names(groups_of(analysis, pair_verdicts(analysis, RankTest.WILCOXON))))
    assert joined == [["C45", "C45_cf", "C45_m_cf"], ["C45_cf", "C45_m", "C45_m_cf"]]


def test_p_of_rank_differences(case):
    table, golden = case
    analysis = analyze(table)
    normal = by_name(analysis, analysis.nemenyi, analysis.nemenyi.p_alone)
    assert normal == pytest.approx(pair_values(golden["rank_z.pvalues_raw"]), **EXACT)
    expected = pair_values(golden["nemenyi.pvalues"])
    assert by_name(analysis, analysis.nemenyi, analysis.nemenyi.p) == pytest.approx(expected, abs=1e-6)


def test_p_against_the_best(case):
    table, golden = case
    ranks = analyze(table).average_ranks
    test = analyze(table, control=min(ranks, key=ranks.get)).bonferroni_dunn
    others = [table.methods[place] for place in test.first]
    for values, key in ((test.p_alone, "raw"), (test.p, "bonferroni"), (test.p_holm, "holm")):
        expected = golden.get(f"rank_z.vs_best_{key}", {})
        got = {f"p/{name}": p for name, p in zip(others, values.tolist(), strict=True)}
        assert {name: got[name] for name in expected} == pytest.approx(expected, **EXACT)


@pytest.mark.parametrize(("zeros", "name"), [("drop", "zeros_dropped"), ("pratt", "pratt")])
def test_exact_wilcoxon(case, zeros, name):
    table, golden = case
    analysis = analyze(table, zeros=zeros)
    expected = pair_values(golden[f"wilcoxon.{name}.exact_conditional.dround"], "/p")
    assert by_name(analysis, analysis.wilcoxon, analysis.wilcoxon.p) == pytest.approx(expected, **EXACT)
    expected = pair_values(golden[f"wilcoxon_holm.{name}.exact_conditional.dround"])
    assert by_name(analysis, analysis.wilcoxon, analysis.wilcoxon.p_holm) == pytest.approx(expected, **EXACT)


@pytest.mark.parametrize(("zeros", "name"), [("drop", "zeros_dropped"), ("pratt", "pratt")])
def test_normal_wilcoxon(case, zeros, name, monkeypatch):
    # As though no table were small enough for the exact distribution.
    monkeypatch.setattr("delvecore.stats.ranking.wilcoxon.MOST_EXACT", -1)
    table, golden = case
    analysis = analyze(table, zeros=zeros)
    expected = pair_values(golden[f"wilcoxon.{name}.normal.dround"], "/p")
    assert by_name(analysis, analysis.wilcoxon, analysis.wilcoxon.p) == pytest.approx(expected, **EXACT)


def test_paired_t(case):
    table, golden = case
    analysis = analyze(table)
    golden_t, tests = golden["ttest.paired"], analysis.t_tests
    for values, key in ((tests.statistic, "/t"), (tests.p, "/p"), (analysis.scan.mean, "/mean_diff")):
        assert by_name(analysis, tests, values) == pytest.approx(pair_values(golden_t, key), **EXACT)
    assert set(pair_values(golden_t, "/df").values()) == {analysis.scan.tasks - 1}
    holm = by_name(analysis, tests, tests.p_holm)
    assert holm == pytest.approx(pair_values(golden["ttest.paired_holm"]), **EXACT)
