"""RPROP, its networks and when they stop."""

from dataclasses import replace

import numpy as np
import pytest

from delvecore.methods import load_method
from delvecore.methods.protocol import CodedAttribute
from delvecore.methods.rprop import PIVOTS, RATES, Network, pivot_of, read_stop, train
from delvecore.model import Coding
from delvecore.runner.one_instance import instance_generator, learning_instance
from tests.encoded import task_plan
from tests.importers.proben1_files import PUMP, written
from tests.methods.problems import make_instance, spread_inputs, task_view

NAMES = ("rprop-linear-1", "rprop-pivot-1", "rprop-noshortcut-1")
# Report, tables 1 and 2: inputs and outputs; table 7: connections of the pivot architectures of three data files.
PIVOT_SIZES = {
    "building": (14, 3, (333, 605, 605)),
    "cancer": (9, 2, (100, 196, 436)),
    "card": (51, 2, (1832, 1400, 1528)),
    "diabetes": (8, 2, (370, 410, 370)),
    "flare": (24, 3, (971, 971, 747)),
    "gene": (120, 3, (1115, 1115, 1115)),
    "glass": (9, 6, (572, 572, 572)),
    "heart": (35, 2, (1288, 1288, 1288)),
    "hearta": (35, 1, (1220, 628, 1220)),
    "heartac": (35, 1, (110, 512, 1052)),
    "heartc": (35, 2, (1112, 744, 1288)),
    "horse": (58, 3, (1793, 1793, 2161)),
    "soybean": (82, 19, (4153, 4841, 3209)),
    "thyroid": (21, 3, (794, 398, 794)),
}


def examples(count, seed=1, outputs=2):
    rng = np.random.default_rng(seed)
    inputs = rng.uniform(size=(count, 3))
    values = np.sin(4 * inputs[:, :1]) * inputs[:, 1:2] + rng.normal(0, 0.2, size=(count, 1))
    return inputs, np.hstack([values, 1 - values])[:, :outputs]


@pytest.mark.parametrize("problem", PIVOT_SIZES)
def test_pivot_architectures_have_the_connections_of_table_7(problem):
    inputs, outputs, connections = PIVOT_SIZES[problem]
    texts = [PIVOTS[f"{problem}{number}"] for number in (1, 2, 3)]
    assert tuple(Network.of_text(text, inputs, outputs).weights for text in texts) == connections


def test_without_shortcuts_layers_feed_the_next_one_only():
    # 3 inputs, 4 and 2 hidden nodes, 2 outputs: 3*4 + 4*2 + 2*2 connections and 8 biases.
    assert Network(3, (4, 2), 2, shortcuts=False).weights == 12 + 8 + 4 + 8


def test_a_network_is_the_formula_of_its_graph():
    network = Network(1, (1,), 1)
    # Biases 0.5 and -1; the input feeds the hidden node by 2 and the output by 3; the hidden node by 4.
    weights = np.array([[0.5, -1.0, 2.0, 3.0, 4.0]])
    hidden = (0.5 + 2 * 0.25) / (1 + abs(0.5 + 2 * 0.25))
    assert network.predict(weights, np.array([[0.25]]))[0, 0, 0] == pytest.approx(-1 + 3 * 0.25 + 4 * hidden)


@pytest.mark.parametrize("squashed", [False, True])
@pytest.mark.parametrize("shortcuts", [False, True])
@pytest.mark.parametrize("hidden", [(), (3,), (3, 2)])
def test_the_gradient_is_that_of_the_squared_error(hidden, shortcuts, squashed):
    network, data = Network(3, hidden, 2, squashed, shortcuts), examples(7)
    weights = np.random.default_rng(2).normal(size=(2, network.weights))
    slope, squares = network.gradient(weights, data)
    errors = network.predict(weights, data[0]) - data[1]
    assert squares == pytest.approx(np.sum(errors**2, axis=(1, 2)))
    for place in range(network.weights):
        step = np.zeros(network.weights)
        step[place] = 1e-6
        up, down = (network.gradient(weights + sign * step, data)[1] for sign in (1, -1))
        assert slope[:, place] == pytest.approx((up - down) / 4e-6, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(
    ("rates", "stop", "hidden"),
    [("linear", "GL5", ()), ("search", "GL5+UP8+PQ3", (4, 2)), ("pivot", "UP3", (4,))],
)
def test_the_curve_ends_at_the_criterion_and_the_best_epoch_is_kept(rates, stop, hidden):
    # Report, section 3.3: GL above its threshold; section 3.3.2: GL5, 8 rises in a row and GL / P5 above 3,
    # each at least once; always a progress below 0.1, and 3000 epochs.
    learn, held = examples(20), examples(12, seed=3)
    network = Network(3, hidden, 2)
    limits = dict(read_stop(stop))
    for rng in (np.random.default_rng(seed) for seed in range(6)):
        weights, curve = train(network, RATES[rates], read_stop(stop), learn, held, rng)
        epochs, _, errors, loss, progress = curve.T
        assert epochs.tolist() == list(range(5, 5 * len(curve) + 1, 5))
        assert loss == pytest.approx(100 * (errors / np.minimum.accumulate(errors) - 1))
        outputs = network.predict(weights[np.newaxis], held[0])[0]
        assert 100 * np.mean((outputs - held[1]) ** 2) == pytest.approx(errors.min())
        rises = "".join(map(str, np.append(0, (np.diff(errors) > 0).astype(int))))
        ends = range(1, len(rises) + 1)
        runs_up = np.array([end - len(rises[:end].rstrip("1")) for end in ends])
        with np.errstate(divide="ignore", invalid="ignore"):
            signs = {"GL": loss > limits.get("GL", 0), "UP": runs_up >= limits.get("UP", 0)}
            signs["PQ"] = loss / progress > limits.get("PQ", 0)
        met = np.all([np.logical_or.accumulate(signs[name]) for name in limits], axis=0)
        assert met[-1] or progress[-1] < 0.1 or epochs[-1] == 3000
        assert not met[:-1].any()
        assert np.all(progress[:-1] >= 0.1)


def test_steps_grow_while_the_sign_stays_and_shrink_when_it_turns():
    # One input that is 1, target 10, weights about 0: the output is below the target for long, so that each of
    # the two weights goes up by steps of 1.2 times the last.
    network, rng = Network(1, (), 1), np.random.default_rng(1)
    one = np.ones((1, 1)), np.full((1, 1), 10.0)
    steps = np.random.default_rng(1)
    weights = steps.uniform(-0.01, 0.01, 2)
    first = steps.uniform(0.005, 0.02, 2)
    _, curve = train(network, RATES["linear"], read_stop("GL5"), one, one, rng)
    moved = first * (1 + sum(1.2**n for n in range(1, 5)))
    assert curve[0, 2] == pytest.approx(100 * (10 - (weights + moved).sum()) ** 2, rel=1e-6)


@pytest.fixture(scope="module")
def pump(tmp_path_factory):
    """The only instance of the task /proben1-pump/pump1/std.240."""
    hierarchy = written(tmp_path_factory.mktemp("pumps"), PUMP)
    plan = task_plan(hierarchy, "proben1-pump", "pump1", "std.240")
    return learning_instance(plan, plan.instances[0])


def learned(name, instance):
    """What a method says of an instance, and the facts in its record of the training."""
    predictions = load_method(name).fit_predict(instance, instance_generator(3))
    return predictions, dict(
        line.split(": ", 1) for line in predictions.records["Training"].splitlines() if ": " in line
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_networks_learn_to_classify_and_tell_how(pump, name):
    model_outputs, head = learned(name, pump)
    true = np.argmax(pump.test_targets, axis=1)
    wrong = np.mean(np.argmax(model_outputs.guesses[""], axis=1) != true)
    assert wrong < 0.35, "half of the pumps are sound"
    assert np.sum(model_outputs.probabilities, axis=1) == pytest.approx(1)
    assert np.array_equal(
        np.argmax(model_outputs.outputs, axis=1), np.argmax(model_outputs.guesses[""], axis=1)
    )
    assert (np.abs(model_outputs.outputs.sum(axis=1) - 1) > 0.001).any(), "plain outputs are not normalized"
    rows = model_outputs.records["Training"].split("GL P\n")[1].splitlines()
    assert int(head["Total-Epochs"]) == 5 * len(rows)
    errors = [float(row.split()[2]) for row in rows]
    assert int(head["Relevant-Epochs"]) == 5 * (errors.index(min(errors)) + 1)
    assert head["Network"].startswith("9-3," if name == NAMES[0] else "9-16-8-3,")


def test_connection_traversals_count_both_directions_the_updates_and_the_validation_set(pump):
    # Report, section 2.9: propagation forward and backward count once each, and an update once.
    _, head = learned("rprop-linear-1", pump)
    epochs, weights = int(head["Total-Epochs"]), int(head["Weights"])
    assert weights == 9 * 3 + 3
    assert int(head["Connection-Traversals"]) == weights * (epochs * (160 + 160 + 1) + epochs // 5 * 80)


def test_test_targets_change_nothing_but_densities(pump):
    other = replace(pump, test_targets=pump.test_targets[::-1])
    outputs, again = (learned("rprop-pivot-1", one)[0] for one in (pump, other))
    assert np.array_equal(outputs.probabilities, again.probabilities)


def test_a_task_without_validation_cases_holds_out_a_third():
    inputs, test = spread_inputs(60, 2), spread_inputs(50, 2, seed=2)
    weights = np.array([[1.0, 0.5], [-1.0, 0.0]])
    instance = make_instance(inputs, inputs @ weights, test, test @ weights, targets=("real", "real"))
    model_outputs, head = learned("rprop-linear-1", instance)
    assert model_outputs.guesses[""] == pytest.approx(
        instance.test_targets, abs=0.1
    )  # a column for each target
    epochs = int(head["Total-Epochs"])
    assert int(head["Connection-Traversals"]) == 6 * (epochs * (2 * 40 + 1) + epochs // 5 * 20)


@pytest.mark.parametrize("prior", [(), (("passive", "yes"),)])
def test_two_classes_are_one_column_of_zeros_and_ones(prior):
    task = task_view(["real"], ["binary"])
    (line,) = [line for line in task.prior.lines if line.type == "binary"]
    lines = (task.prior.lines[0], line._replace(options=prior))
    coding = load_method("rprop-linear-1").codings(replace(task, prior=task.prior._replace(lines=lines)))[2]
    assert coding == Coding("X2", "0/1", prior or (("passive", "no"),))
    instance = make_instance(np.linspace(-1, 1, 30)[:, np.newaxis], np.zeros(30), np.array([[-1.0], [1.0]]))
    rises = (instance.train_inputs[:, 0] > 0).astype(float)
    target = CodedAttribute(task.targets[0][0], "binary", coding, slice(0, 1), None)
    coded = np.abs(rises - bool(prior))[:, np.newaxis]
    instance = replace(
        instance, task=task, targets=(target,), train_targets=coded, test_targets=coded[[0, -1]]
    )
    model_outputs, _ = learned("rprop-linear-1", instance)
    assert model_outputs.probabilities[0, 0] > 0.5 > model_outputs.probabilities[1, 0]


def test_only_problems_of_proben1_have_their_own_architecture(pump):
    assert pivot_of(pump.task) == "16+8 l"
