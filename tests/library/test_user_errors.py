"""What a user can do wrong in Python is a DelveError of one line, and a delve directory is ranked as a command ranks it."""

import pandas as pd
import pytest

import delvecore as dv
from delvecore.cli.delve import main
from tests.test_docs import ROOT

CASES = str(ROOT / "docs/examples/cases.csv")
DATA = pd.DataFrame({"x": [1.0, 2, 3, 4] * 10, "y": [1.0, 2, 3, 4.5] * 10})


class Mean:
    def fit(self, inputs, values):
        self.mean = values.mean()

    def predict(self, inputs):
        return [self.mean] * len(inputs)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dv.select_scores(dv.scores(CASES), methods=["zz"]), "methods: expected one of"),
        (lambda: dv.select_scores(dv.scores(CASES), tasks="["), "tasks: expected a regular expression"),
        (lambda: dv.scores(CASES, losses=["zz"]), "zz"),
        (lambda: dv.scores(5), "paths: expected a path"),
        (lambda: dv.open(5), "paths: expected a path"),
        (lambda: dv.open([5]), "paths: expected a path"),
        (lambda: dv.rank_methods(dv.scores(CASES), statistic="average"), "statistic: expected one of"),
        (lambda: dv.summarize_scores(dv.scores(CASES), task="/x", loss="y"), "expected scores of /x"),
        (lambda: dv.top_performer(dv.scores(CASES), task="/x", loss="y"), "expected scores of /x"),
        (lambda: dv.merge_scores(), "expected tables of scores"),
        (lambda: dv.merge_scores(dv.scores(CASES), dv.scores(CASES)), "expected each score once"),
        (lambda: dv.experiment([Mean()], DATA, target="y", jobs=0), "jobs: expected"),
        (lambda: dv.experiment([Mean()], DATA, target="y", sizes=5), "sizes: expected"),
        (lambda: dv.experiment([Mean()], DATA, target="y", seed="a"), "seed: expected"),
        (
            lambda: dv.experiment([Mean()], DATA, target="y", higher_is_better=True),
            "experiment: expected one of",
        ),
        (
            lambda: dv.experiment([...], DATA, target="y", quiet=True),
            "expected something with fit and predict",
        ),
        (
            lambda: dv.experiment([print], DATA, target="y", quiet=True),
            "expected something with fit and predict",
        ),
        (
            lambda: dv.experiment(["svm"], DATA, target="y", quiet=True),
            "expected something with fit and predict",
        ),
    ],
)
def test_a_mistake_is_a_delve_error_of_one_line(call, message):
    with pytest.raises(dv.DelveError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_formats_of_a_report_have_the_names_of_the_commands():
    ranking = dv.rank([[1, 2], [3, 5], [2, 4]], methods=["a", "b"], higher_is_better=False)
    assert ranking.report("latex") == ranking.report("tex")
    assert ranking.report("markdown") == ranking.report("md")


@pytest.mark.slow
def test_a_delve_directory_is_ranked_as_the_command_ranks_it(whole_archive, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    path = str(ROOT / "data/delve")
    ranking = dv.rank(path)
    assert ranking.sentence == dv.rank(dv.open(path)).sentence
    assert main(["rank", path]) == 0
    assert " ".join(capsys.readouterr().out.split()).startswith(" ".join(ranking.sentence.split()))
