"""Seeds of instances."""

import hashlib

from delvecore.model import Task
from delvecore.runner.one_instance import instance_seed

TASK = Task("demo", "age", "std", 128)


def test_the_seed_is_the_first_63_bits_of_the_hash_of_the_names():
    bits = "".join(f"{byte:08b}" for byte in hashlib.sha256(b"rf-1/demo/age/std.128/0").digest())
    assert instance_seed("rf-1", TASK, 0) == int(bits[:63], 2)


def test_every_instance_method_and_task_has_its_own_seed():
    tasks = (TASK, TASK._replace(training_size=64), TASK._replace(prior="vague"))
    seeds = {instance_seed(method, task, n) for method in ("a", "b") for task in tasks for n in range(8)}
    assert len(seeds) == 2 * 3 * 8
