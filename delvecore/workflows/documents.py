"""What stands beside the results of a workflow: its file, its settings, a summary and a description.

Results of one name are of one choice of settings: others are refused."""

import os

from delvecore.errors import Fault
from delvecore.readers.files import find_file, read_text
from delvecore.readers.settings import SETTINGS, settings_text
from delvecore.workflows.workflow_spec import Workflow, settings_of
from delvecore.writers.files import StagedFiles

__all__ = ["describe"]

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
    directory = os.path.join(methods, workflow.name)
    source = os.path.join(directory, "Source")
    settings, path = settings_text(settings_of(workflow)), find_file(os.path.join(source, SETTINGS))
    if path or os.path.isdir(directory):
        found = read_text(path) if path else ""
        if found != settings:
            _refuse(directory, found, settings)
    os.makedirs(source, exist_ok=True)
    name = os.path.basename(file)
    texts = {name: read_text(file), SETTINGS: settings, "Documentation": _description(workflow, name)}
    for place, files in ((directory, {"Summary": _summary(workflow)}), (source, texts)):
        with StagedFiles(place) as staged:
            for one, text in files.items():
                staged.write(one, text)


def _refuse(directory: str, found: str, settings: str) -> None:
    before, now = set(found.splitlines()), settings.splitlines()
    others = [line for line in now if line not in before]
    expected = f"no results of other settings than {', '.join(others) or 'these'}"
    had = [line for line in found.splitlines() if line not in now]
    remedy = "give the workflow another name with --name, or remove that directory"
    raise Fault(directory, expected, ", ".join(had) or "results without settings", remedy)


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
    every = f", learned anew after every {window.relearn} test cases ({window.kind} window)" if window else ""
    steps = "\n".join([*before, f"- {workflow.learner.name} learns and predicts{every}.", *after])
    text = INTRODUCTION.format(name=workflow.name, file=name, steps=steps)
    return f"{text}\n{workflow.description}\n" if workflow.description else text
