"""Methods of a ranking as rows: the axis is what the test compares; no texts overlap in a paper."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from delvecore.answers.ranking_figures import names_in_order, order_answer
from delvecore.plots import theme
from delvecore.plots.draw import draw, draw_wide
from delvecore.plots.pictures import can_draw, picture
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import RankTest, pair_verdicts

LONG = "gradient-boosted-trees-with-every-option-"


def ranked(count=12, *, test=RankTest.FLIPS, control=None, spread=1.2, statistic=None, higher=False):
    random = np.random.default_rng(3)
    values = random.normal(0, 0.5, (30, count)) + np.linspace(0, spread, count) + 1
    names, tasks = tuple(f"{LONG}{place}" for place in range(count)), tuple(map(str, range(30)))
    table = ScoreTable(tasks, names, -values if higher else values, higher_is_better=higher)
    analysis = analyze(table, unit="task", control=control and f"{LONG}{control}", statistic=statistic)
    return analysis, pair_verdicts(analysis, test)


def made(*args, **more):
    ranking, said = ranked(*args, **more)
    return order_answer(ranking, said, names_in_order(ranking))


def drawn(answer, width=None):
    styles = theme.method_styles(answer.table["method"])
    return draw(answer, styles) if width is None else draw_wide(answer, styles, width)


def test_sign_flips_are_drawn_as_differences_from_the_best_with_their_intervals():
    answer = made(6)
    table = answer.table
    assert table.column("tested").title == f"mean scaled difference from {LONG}0"
    for verdict, value, lower, upper in table.select("verdict", "tested", "lower", "upper").rows[1:]:
        # Zero is left out, or is the end of an interval, exactly where the verdict is significant.
        assert (verdict == "worse") == (lower >= 0), (verdict, value, lower, upper)
        assert lower <= value <= upper
    figure = drawn(answer)
    assert figure.data[0]["x"] == list(table["tested"])
    hollow = [symbol.endswith("-open") for symbol in figure.data[0]["marker"]["symbol"]]
    assert hollow == [verdict == "not significant" for verdict in table["verdict"]]


@pytest.mark.parametrize(
    ("test", "statistic", "title"),
    [
        (RankTest.NEMENYI, None, "mean rank"),
        (RankTest.WILCOXON, None, f"rank-biserial correlation with {LONG}0"),
        (RankTest.FLIPS, "means", f"mean difference from {LONG}0"),
        (RankTest.FLIPS, "ranks", f"mean signed rank of differences from {LONG}0"),
    ],
)
def test_the_axis_is_what_the_test_compares(test, statistic, title):
    answer = made(5, test=test, statistic=statistic)
    assert answer.table.column("tested").title == title
    if test == RankTest.NEMENYI:
        assert list(answer.table["tested"]) == list(answer.table["mean_rank"])


def test_mean_differences_are_those_of_the_values():
    ranking, _ = ranked(4, statistic="means")
    answer, means = made(4, statistic="means"), ranking.table.values.mean(axis=0)
    order = [ranking.table.methods.index(name) for name in answer.table["method"]]
    assert list(answer.table["tested"]) == pytest.approx((means - means[ranking.order[0]])[order])


def test_higher_values_are_better_at_the_right():
    texts = " ".join(note["text"] for note in drawn(made(4, higher=True)).layout["annotations"])
    assert "better →" in texts
    assert max(made(4, higher=True).table["tested"]) == 0


def test_groups_are_bars_at_the_right_and_a_reference_has_signs_instead():
    answer = made(6)
    bars = [one for one in drawn(answer).layout["shapes"] if one.get("xsizemode") == "pixel"]
    assert len(bars) == len(answer.figure.groups) > 1
    ends = {(one["y0"] + 0.25, one["y1"] - 0.25) for one in bars}
    assert ends == {(group[0], group[-1]) for group in answer.figure.groups}
    against = made(6, control=3)
    figure = drawn(against)
    signs = [note["text"] for note in figure.layout["annotations"] if note["text"] in ("+", "−")]
    words = {"better": "+", "worse": "−"}
    assert signs == [words[verdict] for verdict in against.table["verdict"] if verdict in words]
    assert not [one for one in figure.layout["shapes"] if one.get("xsizemode") == "pixel"]


@pytest.mark.parametrize("count", [2, 5, 12])
def test_ranks_and_places_have_ticks_at_whole_numbers(count):
    for axis in ("xaxis", "xaxis2"):
        ticks = drawn(made(count, test=RankTest.NEMENYI), 3.3).layout[axis]["tickvals"]
        assert len(ticks) > 1
        assert all(float(tick).is_integer() for tick in ticks)


CASES = {
    "flips": {},
    "ranks": {"test": RankTest.NEMENYI},
    "reference": {"control": 5},
    "alike": {"spread": 0.1},
}


@pytest.mark.slow
@pytest.mark.skipif(
    not can_draw() or not shutil.which("pdftotext"), reason="no browser or no pdftotext was found"
)
@pytest.mark.parametrize("case", CASES)
def test_twelve_long_names_in_a_column_of_a_paper_do_not_overlap_and_have_8_points(case, tmp_path):
    figure = drawn(made(12, **CASES[case]), 3.3)
    (tmp_path / "a.pdf").write_bytes(picture(figure.plotly(), "pdf"))
    command = ["pdftotext", "-bbox-layout", "a.pdf", "a.html"]
    subprocess.run(command, cwd=tmp_path, check=True)
    text = re.sub(r' xmlns="[^"]+"', "", (tmp_path / "a.html").read_text())
    page = next(ET.fromstring(re.sub(r"<!DOCTYPE[^>]+>", "", text)).iter("page"))
    boxes = [
        (one.text, *(float(one.get(key)) for key in ("xMin", "yMin", "xMax", "yMax")))
        for one in page.iter("word")
    ]
    assert sum("…" in name for name, *_ in boxes) >= 12
    width, height = float(page.get("width")), float(page.get("height"))
    assert width == pytest.approx(3.3 * 72, abs=1)
    for number, (word, left, top, right, bottom) in enumerate(boxes):
        assert left >= 0, word
        assert right <= width, word
        assert bottom <= height, word
        for other, *box in boxes[:number]:
            apart = left >= box[2] or box[0] >= right or top >= box[3] - 0.5 or box[1] >= bottom - 0.5
            assert apart, (word, other)
    said = " ".join(word for word, *_ in boxes)
    assert "Click" not in said
    assert figure.layout["font"]["size"] == pytest.approx(8 * 96 / 72)
