"""Methods run on sequential, stratified and transformed prototasks and on listed instances."""

import numpy as np
import pytest
from scipy import stats

from delvecore.methods.base_1 import Base1
from delvecore.methods.lin_1 import Lin1
from delvecore.methods.objects import ObjectMethod
from delvecore.methods.targets import TargetProblem
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from delvecore.runner.one_instance import learning_instance
from delvecore.writers.task_files import instance_data_files
from tests.archives import write_tree
from tests.encoded import encoded_task
from tests.runner.archive import numbers, plan, run_method

SERIES = "Origin: natural\nUsage: assessment\nOrder: informative\nAttributes:\n1 RAIN u [0,Inf)\n2 FLOW u (0,Inf)\n3 KIND u a b\n"
FLOW = """Origin: natural
Cases: all
Order: sequential
Maximum-Dependency-Range: 3
Transformations: FLOW log
Inputs: 0 1
Targets: 2
Test-Set-Size: 9
Training-Set-Sizes: 12
Test-Set-Selection: common
Maximum-Number-Of-Instances: 2
"""
KIND = """Origin: natural
Cases: all
Order: Shuffled
Stratified: yes
Inputs: 1 2
Targets: 3
Test-Set-Size: 16
Training-Set-Sizes: 4
Test-Set-Selection: common
Maximum-Number-Of-Instances: 2
"""
COUNT = 40


@pytest.fixture
def root(tmp_path):
    random = np.random.default_rng(3)
    rain = random.exponential(2, size=COUNT)
    flow = np.exp(0.5 * rain + random.normal(0, 0.3, size=COUNT))
    kinds = ["b" if n % 5 == 0 else "a" for n in range(COUNT)]
    lines = (f"{r:.4f} {f:.4f} {k}\n" for r, f, k in zip(rain, flow, kinds, strict=True))
    order = "".join(f"{n}\n" for n in random.permutation(COUNT) + 1)
    prior = "0 N integer\n1 H real\n2 L real\nDependency-Strength: L\nDependency-Range: 3\n"
    listed = "Instance: 0\nTraining: 1-20\nTest: 30-40\nInstance: 1\nTraining: 21-40\nTest: 1-15\n"
    files = {
        "Dataset.spec": SERIES,
        "Dataset.data": "".join(lines),
        "flow/Prototask.spec": FLOW,
        "flow/std.prior": prior,
        "flow/std.20.instances": listed,
        "kind/Prototask.spec": KIND,
        "kind/Shuffled": order,
        "kind/std.prior": "1 H real\n2 L real\n3 N binary\n",
    }
    write_tree(tmp_path / "delve-x", {f"data/river/{name}": text for name, text in files.items()})
    (tmp_path / "delve-x/methods").mkdir()
    return tmp_path / "delve-x"


@pytest.mark.parametrize("method", [Base1(), Lin1()], ids=lambda method: method.name)
def test_every_task_can_be_run(root, method):
    run = plan(root, method, "/river")
    assert sorted(directory.plan.task.name for directory, _ in run.work) == ["std.12", "std.20", "std.4"]
    assert run_method(run) == []


def test_log_densities_of_transformed_targets_are_those_of_the_targets(root):
    # base-1 predicts a normal distribution of log flow, hence a log-normal one of flow.
    run_method(plan(root, Base1(), "/river/flow/std.12"))
    flow = np.loadtxt(root / "data/river/Dataset.data", usecols=1)
    train, test = np.log(flow[12:24]), flow[:9]
    variance = train.var(ddof=1)
    expected = 0.5 * np.log(2 * np.pi * variance) + (np.log(test) - train.mean()) ** 2 / (2 * variance)
    figures = numbers(root / "methods/base-1/river/flow/std.12/loss.L.0")
    assert figures == pytest.approx(expected + np.log(test), abs=2e-5)


def test_guesses_of_transformed_targets_are_those_of_the_targets(root):
    # The best guess of the absolute error keeps its meaning: the median of flow.
    run_method(plan(root, Base1(), "/river/flow/std.12"))
    flow = np.loadtxt(root / "data/river/Dataset.data", usecols=1)
    figures = numbers(root / "methods/base-1/river/flow/std.12/guess.A.0")
    assert figures == pytest.approx([np.exp(np.median(np.log(flow[12:24])))] * 9, rel=1e-5)


def test_losses_of_a_stratified_task_are_weighted(root):
    # 8 of 40 cases are b; 2 of them are kept for training, 6 test against 8 a.
    run_method(plan(root, Base1(), "/river/kind/std.4"))
    losses = numbers(root / "methods/base-1/river/kind/std.4/loss.L.0")
    kinds = np.repeat(np.log(2), 14)
    assert len(losses) == 14
    assert sorted(losses) == pytest.approx(sorted(kinds * ([14 / 16] * 8 + [14 / 12] * 6)), rel=1e-4)


class HeldOut:
    """Tells what it was given: predicts how many cases it learned from, and how many judged that."""

    def fit(self, inputs, values, validation_data=((), ())):
        self.counts = len(inputs), len(values), *map(len, validation_data)

    def predict(self, inputs):
        return np.resize(self.counts, len(inputs)).astype(float)


@pytest.mark.parametrize("transformations", ["Transformations: FLOW log\n", ""], ids=["log", "plain"])
def test_a_censored_target_costs_the_log_probability_of_all_values_beyond_it(root, transformations):
    # Of 9 test cases the first is at least, the second at most what was seen; no guess is judged by them.
    path = root / "data/river/Dataset.data"
    words = [line.split() for line in path.read_text().splitlines()]
    words[0][1], words[1][1], words[20][1] = words[0][1] + ":", ":" + words[1][1], words[20][1] + ":"
    path.write_text("".join(" ".join(line) + "\n" for line in words))
    specification = root / "data/river/flow/Prototask.spec"
    specification.write_text(
        specification.read_text().replace("Transformations: FLOW log\n", transformations)
    )
    assert run_method(plan(root, Base1(), "/river/flow/std.12")) == []
    place = root / "methods/base-1/river/flow/std.12"
    assert " censored=mark " in (place / "Coding-used").read_text().splitlines()[0]
    image = np.log if transformations else np.asarray
    flow = image([float(line[1].strip(":")) for line in words])
    train = np.delete(flow[12:24], 8)
    normal = stats.norm(train.mean(), train.std(ddof=1))
    density = normal.logpdf(flow[2:9]) - (flow[2:9] if transformations else 0)
    expected = [-normal.logsf(flow[0]), -normal.logcdf(flow[1]), *-density]
    assert numbers(place / "loss.L.0") == pytest.approx(expected, abs=2e-5)
    assert len(numbers(place / "loss.A.0")) == 7


def test_methods_programs_and_objects_are_given_the_validation_cases(root):
    listed = "Instance: 0\nTraining: 5-20\nValidation: 6 9-10\nTest: 30-40\n"
    write_tree(root, {"data/river/flow/std.16.instances": listed})
    hierarchy = Hierarchy([str(root)])
    dataset, prototask, prior, named = read_task(hierarchy, "river", "flow", "std.16")
    task = encoded_task(hierarchy, dataset, prototask, prior, named.training_size)
    files = {name: b"".join(text) for name, text in instance_data_files(task.plan, task.plan.instances[0])}
    assert files["validation.0"] == b"2\n5\n6\n"
    learning = learning_instance(task.plan, task.plan.instances[0])
    assert learning.validation.tolist() == [1, 4, 5]
    problem = TargetProblem(learning, learning.targets[0], learning.train_targets[:, 0])
    method = ObjectMethod("held", f"{__name__}:HeldOut")
    mean = method.predict_number(problem, np.random.default_rng(0)).mean
    assert mean[:4].tolist() == [13, 13, 3, 3]
