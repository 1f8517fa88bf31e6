"""Documents beside the results of a workflow: its file, its settings, a summary and a description."""

import os

from delvecore.readers.files import read_text
from delvecore.workflows.workflow_spec import Workflow, settings_of
from delvecore.writers.files import describe_method

INTRODUCTION = """\
{name} is a workflow. Its settings, defaults too, stand in `Settings`, and the file that it was made of in
`{file}`; nothing else was chosen.

{steps}

Encoding: as `Coding-used` says of each task; see docs/running.md, Workflows, for what each step does. All of
it is done within the training set of each instance. Costs: the seconds of each instance stand in `Costs`.
"""
BEFORE = {
    "impute": "missing inputs are filled in",
    "scale": "inputs that are numbers are scaled",
    "select": "the inputs that tell most of the target are kept",
    "smote": "cases between rare ones are added, and fewer of the others drawn",
    "oversample": "cases of rare classes are repeated",
    "undersample": "cases of frequent classes are left out",
}
AFTER = {
    "fill": "predictions that are missing are filled in",
    "clip": "guesses are put into a range",
    "positive": "negative guesses become zero",
    "integer": "guesses are rounded",
    "utility": "the category of the largest expected utility is guessed",
}


def describe(workflow: Workflow, file: str, methods: str) -> None:
    """Write what a method is, unless it is written already. file: of the workflow; methods: the directory
    `methods` of a delve directory. Raises Fault where results of other settings are there."""
    name = os.path.basename(file)
    describe_method(
        os.path.join(methods, workflow.name),
        settings_of(workflow),
        summary=_summary(workflow),
        sources={name: read_text(file), "Documentation": _description(workflow, name)},
        remedy="give the workflow another name with --name, or remove that directory",
    )


def _summary(workflow: Workflow) -> str:
    parameters = ", ".join(f"{key} = {value}" for key, value in workflow.learner.parameters.items())
    learner = f"{workflow.learner.name}({parameters})" if parameters else workflow.learner.name
    window = [f"in a {workflow.window.kind} window"] if workflow.window else []
    steps = [step.kind for step in workflow.pre], [learner, *window], [step.kind for step in workflow.post]
    line = ", then ".join(", ".join(part) for part in steps if part)
    return f"{workflow.summary or 'A workflow.'}\n\n{line}\n" if workflow.summary else f"Workflow: {line}.\n"


def _description(workflow: Workflow, name: str) -> str:
    before = [f"- {step.kind}: {BEFORE.get(step.kind, step.place)}." for step in workflow.pre]
    after = [f"- {step.kind}: {AFTER.get(step.kind, step.place)}." for step in workflow.post]
    window = workflow.window
    every = (
        f", learned again after every {window.relearn} test cases ({window.kind} window)" if window else ""
    )
    steps = "\n".join([*before, f"- {workflow.learner.name} learns and predicts{every}.", *after])
    text = INTRODUCTION.format(name=workflow.name, file=name, steps=steps)
    return f"{text}\n{workflow.description}\n" if workflow.description else text
