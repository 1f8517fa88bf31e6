"""Section 6, schemes for learning experiments: sentences that no other test is named after."""

from delvecore.cli import mgendata, minfo, mstats
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.losses.method_task import open_method_task
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask


def cases_of(instances):
    return [(one.training.tolist(), one.test.tolist()) for one in instances]


def test_instances_do_not_depend_on_method_prior_or_loss(small):
    hierarchy = Hierarchy([str(small)])
    dataset = read_dataset(hierarchy, "demo")
    cases = prototask_cases(hierarchy, dataset, read_prototask(hierarchy, dataset, "age"))
    standard, vague = (
        cases_of(task_instances(hierarchy, cases, Task("demo", "age", prior, 4)))
        for prior in ("std", "vague")
    )
    assert standard == vague
    for method in ("base", "line"):
        found = open_method_task(hierarchy, method, "demo", "age", "std.4")
        assert cases_of(found.plan.instances) == standard


def test_commands_use_the_instances_that_a_file_lists(features, run_command):
    # river/flow/std.15.instances: two instances, 1 to 15 and 31 to 45 train, 21 to 30 and 51 to 60 test.
    directory = features / "methods/new/river/flow/std.15"
    directory.mkdir(parents=True)
    (features / "encoding").write_text("INDEX copy\n")
    codings = str(features / "encoding")
    assert run_command(mgendata.main, "-q", "-c", codings, directory=directory).code == 0
    trained = [
        line.split()[0] for n in range(2) for line in (directory / f"train.{n}").read_text().splitlines()
    ]
    tested = [
        line.split()[0] for n in range(2) for line in (directory / f"test.{n}").read_text().splitlines()
    ]
    assert [int(float(word)) for word in trained] == [*range(1, 16), *range(31, 46)]
    assert [int(float(word)) for word in tested] == [*range(21, 31), *range(51, 61)]
    assert "INDEX" in run_command(minfo.main, directory=directory).out
    statistics = run_command(mstats.main, "-l", "S", "/bold/river/flow/std.15").out
    assert "2 disjoint training sets, each containing 15 cases" in statistics
