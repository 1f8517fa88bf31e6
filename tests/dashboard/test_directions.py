"""Pages show the values of a measure as the file has them, and take the best by its direction."""

import pytest

import delvecore
from dashboard.compare import data as compare_data
from dashboard.compare import tabs
from dashboard.datasets.listing import best_methods
from dashboard.datasets.results_view import best_here, best_sentence
from dashboard.methods import data as methods_data
from dashboard.ranking import data as ranking_data
from dashboard.ui.request import Request
from dashboard.ui.selection import Selection, wanted_loss
from delvecore.render.spans import markdown, plain
from delvecore.score_tables.options import ScoreOptions

MEANS = {"most": 0.75, "middle": 0.5, "least": 0.25}
NOISE = {"most": 1, "middle": 2, "least": -1}
FOLDS = (-0.01, -0.005, 0.0, 0.005, 0.01)


@pytest.fixture(
    scope="module",
    params=[("utility", True), ("cost", False), ("-LL", False), ("1 - AUC", True), ("S", True)],
    ids=lambda named: "-".join(map(str, named)),
)
def table(request, tmp_path_factory):
    """An archive of a column of scores on four datasets, and its methods with the best one first."""
    name, higher = request.param
    lines = [f"dataset,method,fold,{name}"]
    for number, dataset in enumerate("wxyz"):
        for method, mean in MEANS.items():
            values = enumerate(mean + number / 100 + fold * NOISE[method] for fold in FOLDS)
            lines += [f"{dataset},{method},{fold},{value:.4f}" for fold, value in values]
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    path.write_text("\n".join(lines) + "\n")
    archive = delvecore.open([str(path)], scores=ScoreOptions(higher_is_better=higher), cache=False)
    (key,) = archive.index.losses
    return archive, key, name, higher, list(MEANS) if higher else list(MEANS)[::-1]


def test_compare_lists_the_best_first_with_values_of_the_file(table):
    archive, key, name, higher, order = table
    path = next(iter(compare_data.compared_tasks(archive)))
    rows = compare_data.estimates(archive, path, key)
    assert [row["method"] for row in rows] == order
    assert {row["method"]: row["mean"] for row in rows} == pytest.approx(MEANS)
    request = Request(archive, key, tasks=(path,), methods=tuple(order), reference=order[-1], is_raw=True)
    comparison = compare_data.comparison_of(request)
    differences = dict(comparison.overview().table.select("method", "difference").rows)
    assert differences.pop(order[-1]) is None
    assert differences == pytest.approx({one: MEANS[one] - MEANS[order[-1]] for one in order[:-1]})
    assert ("better →" if higher else "← better") in comparison.overview().figure.axis
    side = f"the {'highest' if higher else 'lowest'} {name}".replace("-", "\\-")
    assert f"{order[0]} has {side}" in markdown(comparison.heading)
    nearest = tabs.question_answer(request, "best", 0.01).table.frame().set_index("method").loc[order[0]]
    assert nearest["verdict"] == "the best"
    assert nearest["lower"] < MEANS[order[0]] - MEANS[order[1]] < nearest["upper"]


def test_the_best_of_each_dataset_and_of_a_method_go_by_the_direction(table):
    archive, key, name, higher, order = table
    assert set(best_methods(archive)["methods"]) == {(order[0],)}
    (best,) = best_here(archive, "x", Selection(), []).itertuples()
    assert (best.standing.method, best.mean) == (order[0], pytest.approx(MEANS[order[0]] + 0.01))
    assert f"the {'highest' if higher else 'lowest'} {name}: " in plain(best_sentence(best))
    shown = methods_data.method_losses(Request(archive, key, method="middle"))
    assert set(shown["best_method"]) == {order[0]}
    assert shown["loss"].tolist() == pytest.approx([0.5, 0.51, 0.52, 0.53])


def test_ranking_has_the_values_of_the_file(table):
    archive, key, name, higher, _order = table
    scores = ranking_data.archive_scores(archive, key)
    # Sentences add the direction to the name.
    assert (scores.quantity, scores.higher_is_better, scores.methods[0]) == (name, higher, min(MEANS))
    assert scores.select(methods=["most"]).values[:, 0] == pytest.approx([0.75, 0.76, 0.77, 0.78])
    assert scores.task_paths == tuple(compare_data.compared_tasks(archive))


def test_a_notice_calls_a_measure_by_its_name(table):
    archive, key, name, *_ = table
    notices = []
    wanted_loss([], key, Selection(loss=key), notices, where="here", measures=archive.measures)
    assert notices[0].replace("\\", "") == f"{name} is not known here; this is {name}."
