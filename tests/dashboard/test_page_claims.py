"""Headings, columns and sentences of Leaderboard, Datasets and Methods, against numbers that are counted anew from the
results of the shipped archive."""

import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from scipy.stats import rankdata

import delvecore
from dashboard.compare import data as compare_data
from dashboard.datasets.data import about
from dashboard.datasets.listing import dataset_table
from dashboard.datasets.results_view import best_here, best_sentence
from dashboard.leaderboard import data as leaderboard_data
from dashboard.ui.request import Request
from dashboard.ui.selection import Selection
from delvecore.answers.leaderboard import leader_heading
from delvecore.answers.wins_and_losses import method_heading, where_answer
from delvecore.archive.leaderboards import where_it_wins
from delvecore.model import TaskId
from delvecore.render.spans import plain
from delvecore.report import words
from delvecore.stats.choose import Setting
from delvecore.stats.orientation import oriented

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def archive(whole_archive):
    """The shipped archive, opened once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(whole_archive))
        patch.delenv("DELVE_PATH", raising=False)
        yield delvecore.open()


def results(archive):
    """Return {(dataset, prototask, task): {loss: {method: mean}}}, lower is better; standardized if possible."""
    found = defaultdict(lambda: defaultdict(dict))
    for row in archive.results.to_pylist():
        mean = row["mean"] if row["standardized_mean"] is None else row["standardized_mean"]
        if mean is not None:
            value = oriented(mean, archive.measures[row["loss"]])
            found[row["dataset"], row["prototask"], row["task"]][row["loss"]][row["method"]] = value
    return found


def best_of(means):
    return sorted(name for name, mean in means.items() if mean == min(means.values()))


def test_datasets_name_the_methods_that_are_best_on_most_of_their_tasks(archive):
    best, tasks = defaultdict(Counter), Counter()
    for (dataset, *_), losses in results(archive).items():
        best[dataset].update(best_of(losses[min(losses, key=words.loss_preference)]))
        tasks[dataset] += 1
    cells = dataset_table(archive).set_index("dataset")["best"].to_dict()
    kinds = set()
    assert set(best) <= set(cells)
    for dataset, counts in best.items():
        most, of = max(counts.values()), tasks[dataset]
        names = words.and_list(sorted(name for name, count in counts.items() if count == most))
        is_most = 2 * most > of
        assert cells[dataset] == (names if is_most else f"{names} ({most} of {of})")
        where = "most tasks" if is_most else f"{most} of {of} tasks"
        verb = "are each best" if " and " in names else "is best"
        assert about(archive, dataset).endswith(f"{names} {verb} on {where}.")
        kinds.add(is_most)
    assert kinds == {True, False}


def test_datasets_count_the_methods_that_compare_finds_worse_than_the_best(archive):
    known, checked = results(archive), 0
    for dataset in {dataset for dataset, *_ in known}:
        for one in best_here(archive, dataset, Selection(), []).itertuples():
            means = known[tuple(TaskId.parse(one.task))][one.measure.key]
            assert list(one.methods) == best_of(means)
            text = plain(best_sentence(one))
            assert f"{words.and_list(one.methods)} {'has' if len(one.methods) == 1 else 'share'} the " in text
            if len(one.methods) > 1 or len(means) == 1:
                continue
            names = tuple(sorted(means))
            request = Request(
                archive, one.measure.key, tasks=(one.task,), methods=names, reference=one.methods[0]
            )
            pairs = compare_data.comparison_of(request).against(one.methods[0])
            worse = sum(pair["verdict"] == "worse" for pair in pairs)
            told = re.search(r"significantly better than (\d+) others?", text)
            assert int(told[1] if told else 0) == worse, text
            checked += 1
    assert checked > 100


def unit_means(group, values):
    """Return the mean of each unit of a group of tasks, with a column per method."""
    units, table = defaultdict(list), group.table
    names = {"task": table.tasks, "dataset": table.units.datasets, "family": table.units.families}[group.unit]
    for unit, task in zip(names, table.tasks, strict=True):
        units[unit].append([values[task][name] for name in group.methods])
    return np.array([np.mean(rows, axis=0) for rows in units.values()])


def test_methods_count_the_units_on_which_they_have_the_best_mean(archive):
    known, claims = results(archive), set()
    for loss in ("S", "A", "L", "Z"):
        values = {f"/{'/'.join(task)}": losses[loss] for task, losses in known.items() if loss in losses}
        for method in {name for means in values.values() for name in means}:
            where = where_it_wins(archive, method, loss=loss)
            if where is None:
                continue
            heading = plain(method_heading(method, method, where))
            count, of, kind = re.search(r"best on (\w+) of (\d+) (.*)\.$", heading).groups()
            named = [one for one in where.groups if one.name == kind.strip(")").rpartition("(")[2]]
            named += [
                one for one in where.groups if one.aspect == "family" and kind.startswith(f"{one.name} ")
            ]
            group = (named or [where.whole])[0]
            firsts = {}
            for part in (group, where.whole):
                means, row = unit_means(part, values), part.methods.index(method)
                firsts[part.name] = int(np.isclose(means[:, row], means.min(axis=1)).sum()), len(means)
            assert firsts[group.name] == (0 if count == "none" else int(count), int(of)), heading
            text = plain(where_answer(where).headline)
            count, of = re.match(rf"{method} (?:is best|has the best mean) on (\w+) of (\d+) ", text).groups()
            assert firsts[where.whole.name] == (0 if count == "none" else int(count), int(of)), text
            claims.add(bool(named))
    assert claims == {True, False}


def test_the_leaderboard_names_the_best_mean_rank_and_counts_methods_and_datasets(archive):
    known = results(archive)
    for loss in ("S", "A", "L", "Z"):
        board = leaderboard_data.known_board(Request(archive, loss, Setting(), None, None))
        heading, methods = plain(leader_heading(board)), board.analysis.table.methods
        ranks = defaultdict(list)
        for unit, task in zip(board.analysis.table.units.families, board.analysis.table.tasks, strict=True):
            means = known[tuple(TaskId.parse(task))][loss]
            ranks[unit].append(rankdata(np.round([means[name] for name in methods], 10)))
        average = np.mean([np.mean(rows, axis=0) for rows in ranks.values()], axis=0)
        first, total, datasets = re.match(
            r"(\S+) (?:is best|ranks first) of (\d+) on (\d+) ", heading
        ).groups()
        assert first == methods[int(average.argmin())], heading
        assert int(total) == len(methods)
        assert int(datasets) == len({TaskId.parse(task).dataset for task in board.analysis.table.tasks})
        shown = leaderboard_data.leaders(Request(archive, loss, Setting(), None, None)).table
        of = dict(shown.select("method", "mean_rank").rows)
        assert [of[name] for name in methods] == pytest.approx(average.tolist())
