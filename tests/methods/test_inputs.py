"""The coding of inputs: integers with a finite range are scaled by their range."""

import numpy as np

from delvecore.methods.standard import InputMethod, usable_inputs
from tests.methods.problems import make_instance, task_view


def test_only_integers_with_a_finite_range_are_copied():
    codings = InputMethod().codings(task_view(["real", "integer", "pixel", "nominal"], ["pixel"]))
    assert {number: coding.coding for number, coding in codings.items()} == {3: "copy"}


def test_the_range_of_a_copied_integer_becomes_minus_one_to_one():
    train, test = np.array([[0.5, 0.0], [0.25, 4.0]]), np.array([[3.0, 16.0]])
    instance = make_instance(train, [0.0, 1.0], test, inputs=["real", "pixel"])
    found = usable_inputs(instance)
    np.testing.assert_array_equal(found[0], [[0.5, -1.0], [0.25, -0.5]])
    np.testing.assert_array_equal(found[1], [[3.0, 1.0]])
    np.testing.assert_array_equal(instance.train_inputs, train)
