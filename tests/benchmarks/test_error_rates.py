"""The program of docs/error-rates.md runs, and its simulations judge the verdicts that pages show first."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import delvecore
from benchmarks import error_rates, error_rates_of_rankings
from benchmarks.error_rate import ALPHA, highest, named
from benchmarks.error_rates_of_flips import different, with_scales
from delvecore.archive.score_tables import score_table
from delvecore.cli.subcommands.rank import main as rank
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.stats.choose import FlipStatistic
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.sign_flips import sign_flips
from delvecore.stats.ranking.wilcoxon import scan_pairs
from delvecore.stats.verdicts import RankTest, pair_verdicts
from docs import draw_statistics

WRITTEN = Path(__file__).resolve().parents[2] / "docs" / "error-rates.md"


@pytest.mark.slow
def test_the_program_runs_and_writes_all_sections(capsys):
    assert error_rates.main(["--tables", "2"]) in (0, 1)
    printed = {line for line in capsys.readouterr().out.splitlines() if line.startswith("## ")}
    assert printed == {line for line in WRITTEN.read_text().splitlines() if line.startswith("## ")}


def test_the_first_screen_sums_up_the_tables_below():
    page = WRITTEN.read_text()
    written = re.search(r"browser\s+([\d.]+),\s+([\d-]+)\.", page)
    assert written
    summary = error_rates.first_screen(page, written[2]).replace(delvecore.__version__, written[1])
    assert page.partition("\n## ")[0].strip() == summary.strip()


def test_figures_of_the_statistics_show_the_written_rates():
    found = {path.stem: path.read_text() for path in draw_statistics.PICTURES.iterdir()}
    assert found == draw_statistics.drawn(), "python -m docs.draw_statistics"


def test_every_key_of_a_ranking_is_in_the_statistics_reference(capsys):
    table = Path(__file__).resolve().parents[1] / "data" / "golden" / "demsar_table6.csv"
    rank([str(table), "--higher-is-better", "--format", "json"])
    text = WRITTEN.with_name("statistics-reference.md").read_text()
    described = text.partition("| JSON key |")[2].partition("\n\n")[0]
    first_cells = " ".join(line.split(" | ")[0] for line in described.splitlines())
    assert [key for key in json.loads(capsys.readouterr().out) if f"`{key}`" not in first_cells] == []


@pytest.mark.slow
@pytest.mark.parametrize("null", error_rates_of_rankings.NULLS)
def test_verdicts_err_in_at_most_5_percent(null):
    # 6 units and 3 methods: all 32 flips, so that 150 archives are quick.
    found = error_rates_of_rankings.rates_of(null, 6, 3, 150)
    assert found.holds
    assert found.errors[0] <= highest(150)
    # Three pairs of Wilcoxon with Holm: no p below 3 / 32.
    assert found.errors[2] is None


def test_two_units_are_not_testable():
    found = error_rates_of_rankings.rates_of("exchangeable", 2, 3, 400)
    assert (found.errors, found.archives) == ((None,) * 4, 1)


@pytest.mark.parametrize("units", [8, 20])
def test_the_fast_test_of_scaled_differences_is_that_of_rankings(units):
    for seed in range(20):
        draws = np.random.default_rng(seed)
        values = with_scales(draws.normal(size=(units, 6)) + 0.4 * np.arange(6), draws)
        p = sign_flips(scan_pairs(named(values)), statistic=FlipStatistic.SCALED).p_all
        found = different(values, draws)
        # Drawn signs differ between the two.
        unclear = np.abs(p - ALPHA) < (0 if units < 16 else 0.03)
        assert (found == (p < ALPHA))[~unclear].all()


def test_the_written_rates_of_rankings_hold():
    section = WRITTEN.read_text().partition("## The verdicts of a ranking")[2].partition("\n## ")[0]
    lines = [line.split(" | ") for line in section.splitlines() if line.split(" ")[:1] == ["|"]]
    rows = [line for line in lines if len(line) == 11 and line[1].isdigit()]
    assert len(rows) >= 50
    for row in rows:
        assert all(rate == "–" or float(rate) <= highest(2000) for rate in row[3:5])


def significant(table: ScoreTable, test: RankTest, unit: str = "dataset") -> dict[tuple[str, str], str]:
    found = analyse(table, unit=unit)
    said = pair_verdicts(found, test).verdict
    names = table.methods
    return {
        (names[a], names[b]): str(verdict)
        for a, b, verdict in zip(found.scan.first, found.scan.second, said, strict=True)
    }


@pytest.mark.slow
def test_halves_of_the_shipped_methods_lose_no_verdict_of_sign_flips(whole_archive, monkeypatch):
    # 66 pairs of 12 methods over 29 datasets, in 20 random halves of the methods.
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    table = score_table(delvecore.open(), LOSS_SPECS["S"])
    changed: dict[RankTest, int] = {}
    lost: dict[RankTest, int] = {}
    for test in (RankTest.FLIPS, RankTest.NEMENYI):
        whole, draws = significant(table, test), np.random.default_rng(0)
        assert len(whole) == 66
        for _ in range(20):
            places = sorted(draws.choice(len(table.methods), 6, replace=False))
            part = significant(table.select(methods=[table.methods[place] for place in places]), test)
            other = {pair for pair in part if part[pair] != whole[pair]}
            changed[test] = changed.get(test, 0) + len(other)
            lost[test] = lost.get(test, 0) + sum(whole[pair] != "not significant" for pair in other)
    # Fewer pairs are adjusted for, so that more are found; the scale of a unit depends on its methods, too.
    assert lost[RankTest.FLIPS] == 0 < lost[RankTest.NEMENYI]
    assert changed[RankTest.FLIPS] < changed[RankTest.NEMENYI]
