"""The tab Variants of the Methods page."""

import numpy as np
import pytest

from dashboard.methods.variants import variants
from dashboard.server import archive as opened
from dashboard.ui.request import Request
from delvecore.library.variants import Variants, label, settings_answer, variants_answer
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.render.spans import markdown
from delvecore.stats.ranking.main_effects import main_effects
from delvecore.stats.ranking.score_table import ScoreTable
from tests.archives import write_tree
from tests.dashboard.compare_archive import AGE, add_losses
from tests.dashboard.reading import plain, texts

pytestmark = pytest.mark.slow
LOSSES = {"svm.v1": 1.0, "svm.v2": 4.0, "svm.v3": 2.0, "svm.v4": 3.0}


def add_variants(root, losses=LOSSES):
    for number, (name, loss) in enumerate(losses.items()):
        add_losses(root, name, AGE, "S", [[loss] * 4] * 2)
        settings = (
            f"workflow: svm\nlearner.C: {(1, 10)[number % 2]}\nlearner.gamma: {(0.01, 0.5)[number // 2]}\n"
        )
        write_tree(root, {f"methods/{name}/Source/Settings": settings})


def archive():
    return opened.open_archive().archive


def test_the_tab_says_which_setting_matters_and_shows_variants_best_first(small, run_page):
    add_variants(small)
    write_tree(small, {"methods/svm.v5/Source/Settings": "workflow: svm\nlearner.C: 3\n"})
    app = run_page("methods", method="svm.v2", **{"method-part": "Variants"})
    said = plain(app)
    assert "Variants without results under this loss: svm.v5." in said
    # Of one task: C = 1 ranks (1 + 2) / 2, C = 10 (4 + 3) / 2; gamma 2.5 with either value.
    assert (
        "**C** makes the largest difference, which cannot be tested on a single task: with **1** mean rank 1.5"
        in said
    )
    assert "**svm.v1** (C = 1, gamma = 0.01) ranks best of the variants, mean rank 1." in said
    family = variants(Request(archive(), "S", method="svm.v2"), 0.95)
    shown = [row[0] for row in variants_answer(family, LOSS_SPECS["S"]).table.rows]
    assert shown == ["svm.v1", "svm.v3", "svm.v4", "svm.v2"]
    assert [(row[0], row[1], row[3]) for row in settings_answer(family, LOSS_SPECS["S"]).table.rows] == [
        ("C", "1", 1.5),
        ("C", "10", 3.5),
        ("gamma", "0.01", 2.5),
        ("gamma", "0.5", 2.5),
    ]


def test_a_method_without_variants_has_an_empty_state_and_one_without_settings_no_tab(small, run_page):
    add_variants(small, {"svm.v1": 1.0})
    app = run_page("methods", method="svm.v1", **{"method-part": "Variants"})
    assert "**Nothing to compare.** Lists of values in the workflow’s file define variants" in texts(app)
    app = run_page("methods", method="one")
    assert "Variants" not in [tab.label for tab in app.tabs]


def test_the_sentence_tells_what_is_significant():
    names, rng = ("v1", "v2", "v3", "v4"), np.random.default_rng(1)
    values = np.array([0.0, 10, 0, 10]) + rng.normal(size=(20, 4))
    settings = {
        name: {"learner.C": "19"[place % 2], "pre.impute.by": "ab"[place // 2]}
        for place, name in enumerate(names)
    }
    table = ScoreTable(tuple(map(str, range(20))), names, values)
    variants = Variants("v", settings, main_effects(table, settings))
    said = markdown(settings_answer(variants, LOSS_SPECS["S"]).headline)
    # C = 1 has the two lowest losses of each task: ranks 1 and 2.
    assert said.startswith(
        "**C** matters most: with **1** mean rank 1.5, with **9** mean rank 3.5 (ranks from 1 to "
        "4, 20 tasks; p < 0.0001)"
    )
    assert "20 tasks; p < 0.0001). The effect of impute by is not significant." in said


def test_settings_have_short_names():
    names = ("learner.C", "learner.clf__C", "pre.impute.by", "window.kind", "learner")
    assert list(map(label, names)) == ["C", "clf__C", "impute by", "window kind", "learner"]
