"""The program of docs/error-rates.md runs, and its simulations judge the verdicts that pages show first."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import delvecore
from benchmarks import error_rates, simulated_rankings
from benchmarks.simulated_rankings import (
    ALPHA,
    different,
    drawn_table,
    family_rates,
    has_verdict,
    highest,
    is_against,
    named,
    with_scales,
)
from delvecore.archive.score_tables import score_table
from delvecore.cli.subcommands.rank import main as rank
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.stats.choose import FlipStatistic
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.sign_flips import sign_flips
from delvecore.stats.verdicts import RankTest, pair_verdicts
from docs import draw_statistics

WRITTEN = Path(__file__).resolve().parents[2] / "docs" / "error-rates.md"


def in_other_processes(function, *columns):
    """Call a function as other processes do, with copies of its arguments."""
    for row in zip(*columns, strict=True):
        copied, arguments = pickle.loads(pickle.dumps((function, row)))
        yield copied(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize("name", error_rates.SECTIONS)
def test_each_section_is_simulated_with_few_tables(name):
    section = error_rates.SECTIONS[name]
    simulated = section.simulate(8, in_other_processes)
    assert simulated.text.startswith(f"## {section.heading}\n\n")
    assert "nan" not in simulated.text
    assert simulated.tables in (8, 4, 2, 1)


def test_the_page_has_all_sections_in_order():
    headings = [line[3:] for line in WRITTEN.read_text().splitlines() if line.startswith("## ")]
    assert headings == [section.heading for section in error_rates.SECTIONS.values()]


def test_each_section_names_version_day_tables_and_standard_error():
    _, *sections = WRITTEN.read_text().split("\n## ")
    for section in sections:
        origin = re.search(
            r"^\*DELVE for the browser [\d.]+, \d{4}-\d\d-\d\d: ([\d,]+) tables per (?:line|cell); "
            r"a rate of 0\.05 has a standard error of (0\.\d{4})\.\*$",
            section,
            re.MULTILINE,
        )
        assert origin, section.splitlines()[0]
        assert float(origin[2]) == pytest.approx(
            (0.05 * 0.95 / int(origin[1].replace(",", ""))) ** 0.5, abs=1e-4
        )


def test_the_first_screen_sums_up_the_tables_below():
    page = WRITTEN.read_text()
    assert page.partition("\n## ")[0].strip() == error_rates.first_screen(page).strip()


@pytest.mark.slow
def test_one_section_is_written_without_the_others(tmp_path, monkeypatch, capsys):
    page = tmp_path / "error-rates.md"
    page.write_text(WRITTEN.read_text())
    monkeypatch.setattr(error_rates, "WRITTEN", page)
    options = ["--write", "--section", "one-dataset", "--tables", "32", "--processes", "1"]
    assert error_rates.main(options) in (0, 1)
    before, after = (text.split("\n## ") for text in (WRITTEN.read_text(), page.read_text()))
    changed = [new.splitlines()[0] for old, new in zip(before[1:], after[1:], strict=True) if old != new]
    assert changed == ["Tasks of one dataset"]
    assert f"browser {delvecore.__version__}, " in page.read_text()
    assert ": 2 tables per line" in capsys.readouterr().out


def test_tables_in_parts_are_all_simulated():
    simulated = simulated_rankings.in_parts(lambda part, tables: [line_of([part] * tables)], 100, map)
    assert len(simulated) == 1
    assert np.unique(simulated[0].rejected, return_counts=True)[1].tolist() == [7] * 4 + [6] * 12


def line_of(rejected):
    return simulated_rankings.ErrorRate("test", "tables", "nominal", ALPHA, np.array(rejected))


def test_families_and_datasets_share_effects():
    # Tasks of one dataset correlate by 0.58, those of two datasets of a family by 0.3, other ones not at all.
    table, _ = drawn_table(np.random.default_rng(1), [2] * 4, 4000, 0.3, datasets=[2, 2])
    assert table.units.datasets == tuple(f"dataset{k}" for k in (0, 0, 1, 1, 2, 2, 3, 3))
    assert table.units.families == ("family0",) * 4 + ("family1",) * 4
    correlations = np.corrcoef(table.values)[0, [1, 2, 4]]
    np.testing.assert_allclose(correlations, [0.58, 0.3, 0], atol=0.05)


def test_a_verdict_is_wrong_only_against_the_true_direction():
    # The first method is clearly better than the second one on all tasks.
    values = np.tile([0.0, 1.0], (8, 1)) + np.arange(8.0)[:, None]
    analysis = analyze(named(values))
    verdicts = pair_verdicts(analysis, RankTest.FLIPS)
    assert has_verdict(verdicts)
    assert not is_against(analysis, verdicts, np.array([0.0, 0.1]))
    assert is_against(analysis, verdicts, np.array([0.1, 0.0]))


@pytest.mark.slow
def test_families_keep_the_level_where_datasets_and_tasks_do_not():
    # Other units are simulated on a quarter of the tables.
    rates = family_rates((3, 4) * 4, 0.3, 6, 200)
    assert min(rates.by_dataset, rates.by_task) > highest(50)
    draws, errors = np.random.default_rng(3), 0
    for _ in range(200):
        table, _ = drawn_table(draws, [2] * 28, 6, 0.3, datasets=(3, 4) * 4)
        errors += has_verdict(pair_verdicts(analyze(table, unit="family"), RankTest.FLIPS))
    assert errors / 200 <= highest(200)


def test_figures_of_the_statistics_show_the_written_rates():
    by_stem = {path.stem: path.read_text() for path in draw_statistics.PICTURES.iterdir()}
    assert by_stem == draw_statistics.drawn(), "python -m docs.draw_statistics"


def test_every_key_of_a_ranking_is_in_the_statistics_reference(capsys):
    table = Path(__file__).resolve().parents[1] / "data" / "golden" / "demsar_table6.csv"
    rank([str(table), "--higher-is-better", "--format", "json"])
    text = WRITTEN.with_name("statistics-reference.md").read_text()
    described = text.partition("| JSON key |")[2].partition("\n\n")[0]
    first_cells = " ".join(line.split(" | ")[0] for line in described.splitlines())
    assert [key for key in json.loads(capsys.readouterr().out) if f"`{key}`" not in first_cells] == []


@pytest.mark.slow
@pytest.mark.parametrize("null", simulated_rankings.RANKINGS_NULLS)
def test_verdicts_err_in_at_most_5_percent(null):
    # 6 units and 3 methods: all 32 flips, so that 150 archives are quick.
    rates = simulated_rankings.rates_of(null, 6, 3, 150)
    assert rates.holds
    assert rates.errors[0] <= highest(150)
    # Three pairs of Wilcoxon with Holm: no p below 3 / 32.
    assert rates.errors[3] is None


def test_two_units_are_not_testable():
    rates = simulated_rankings.rates_of("exchangeable", 2, 3, 400)
    assert (rates.errors, rates.archives) == ((None,) * 5, 1)


@pytest.mark.parametrize("units", [8, 20])
def test_the_fast_test_of_scaled_differences_is_that_of_rankings(units):
    for seed in range(20):
        draws = np.random.default_rng(seed)
        values = with_scales(draws.normal(size=(units, 6)) + 0.4 * np.arange(6), draws)
        p = sign_flips(named(values), statistic=FlipStatistic.SCALED).p_all
        verdicts = different(values, draws)
        # Drawn signs differ between the two.
        unclear = np.abs(p - ALPHA) < (0 if units < 16 else 0.03)
        assert (verdicts == (p < ALPHA))[~unclear].all()


def test_the_written_rates_of_rankings_hold():
    section = WRITTEN.read_text().partition("## The verdicts of a ranking")[2].partition("\n## ")[0]
    lines = [line.split(" | ") for line in section.splitlines() if line.split(" ")[:1] == ["|"]]
    rows = [line for line in lines if len(line) == 13 and line[1].isdigit()]
    tables = re.search(r"([\d,]+) tables per line", section)
    assert tables
    assert len(rows) == 42
    # Four standard errors: some of so many rates are beyond two.
    most = ALPHA + 2 * simulated_rankings.noise(int(tables[1].replace(",", "")))
    for row in rows:
        assert all(rate == "–" or float(rate) <= most for rate in row[3:6])


def significant(table: ScoreTable, test: RankTest, unit: str = "dataset") -> dict[tuple[str, str], str]:
    analysis = analyze(table, unit=unit)
    said = pair_verdicts(analysis, test).verdict
    names = table.methods
    return {
        (names[a], names[b]): str(verdict)
        for a, b, verdict in zip(analysis.scan.first, analysis.scan.second, said, strict=True)
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
