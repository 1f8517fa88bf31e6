"""Files of real formats are read as what they say or asked about, also renamed and reshaped; the documentation
says which."""

from pathlib import Path

import pytest

from tests.score_tables.judging import judged
from tests.score_tables.real_formats import FORMATS
from tests.score_tables.reshapes import AS_WRITTEN, COUNT, format_table, verdicts

pytestmark = pytest.mark.slow

MOST_ASKED = 0.15
"""Of the formats as they are written."""
SCORES = Path(__file__).parents[2] / "docs" / "scores.md"


@pytest.mark.parametrize("name", FORMATS)
def test_a_real_format_in_all_shapes_is_read_as_what_it_says_or_asked_about(name):
    assert len(verdicts(name)) > COUNT
    assert {title: one.detail for title, one in verdicts(name).items() if one.outcome == "wrong"} == {}


def test_most_real_formats_are_read_without_a_question():
    asked = [name for name in FORMATS if verdicts(name)[AS_WRITTEN].outcome == "asked"]
    assert len(FORMATS) >= 60
    assert len(asked) <= MOST_ASKED * len(FORMATS), asked


@pytest.mark.parametrize("name", FORMATS)
def test_a_real_format_is_ranked_as_pandas_ranks_it(name, tmp_path):
    sample = FORMATS[name].sample()
    source, options = (
        sample.write(tmp_path),
        {name: one for name, one in sample.options.items() if name != "drop"},
    )
    verdicts = [judged(source, truth, unit="task", **options) for truth in sample.truths.values()]
    outcomes = [verdict.outcome for verdict in verdicts]
    assert "right" in outcomes or set(outcomes) == {"asked"}, verdicts


def test_the_documentation_says_which_format_asks_what():
    assert format_table() in SCORES.read_text(), (
        "run `python -m tests.score_tables.reshapes`, and paste its table"
    )
