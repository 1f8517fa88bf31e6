"""Documents next to the results of a method: its summary, settings, description and programs.

Source: DELVE manual, sections 7.1 and 7.6: documentation and programs are part of a submission."""

import inspect
import os
from importlib import import_module

from delvecore.locations import shipped
from delvecore.methods import METHODS
from delvecore.readers.files import find_file, plain_name, read_document, read_text
from delvecore.readers.hierarchy import SOURCE_DIRECTORY
from delvecore.runner.command_method import Runnable
from delvecore.workflows.method import WorkflowMethod
from delvecore.workflows.workflow_spec import Workflow, settings_of
from delvecore.writers.files import StagedFiles, finish_writing
from delvecore.writers.files import describe_method as write_description


def describe_method(method: Runnable, into: str, workflow: str | None = None) -> None:
    """Write the documents of a method next to its results in a delve directory, unless they exist.

    workflow: file of a workflow. Raises Fault for results of other settings under the same name."""
    directory = os.path.join(into, "methods", method.name)
    if isinstance(method, WorkflowMethod) and workflow:
        name = os.path.basename(workflow)
        write_description(
            directory,
            settings_of(method.workflow),
            summary=_summary(method.workflow),
            sources={name: read_text(workflow), "Documentation": _description(method.workflow, name)},
            remedy="give the workflow another name with --name, or remove that directory",
        )
    elif description := getattr(method, "description", None):
        summary, text = description
        write_description(
            directory,
            getattr(method, "settings", {}),
            summary=summary,
            sources={"Documentation": text},
            remedy="remove that directory, or write elsewhere with --into",
        )
    elif method.name in METHODS:
        _describe_registered(method.name, directory)


def _describe_registered(name: str, directory: str) -> None:
    """Write `Summary` and `Source` of a registered method, unless they exist."""
    summary, sources = _documents(name)
    source = os.path.join(directory, SOURCE_DIRECTORY)
    for place, files in ((directory, {"Summary": summary}), (source, sources)):
        finish_writing(place)
        missing = {file: text for file, text in files.items() if not find_file(os.path.join(place, file))}
        if missing:
            os.makedirs(place, exist_ok=True)
            with StagedFiles(place) as staged:
                for file, text in missing.items():
                    staged.write(file, text)


def _documents(name: str) -> tuple[str, dict[str, str]]:
    """Return the summary of a registered method, and the texts of its `Source` by name, with its modules.

    The texts are those that ship with the program, otherwise the docstring of the method's module."""
    entry = METHODS[name]
    modules = [import_module(f"delvecore.methods.{module}") for module in entry.modules]
    sources = {f"{file}.py": inspect.getsource(one) for file, one in zip(entry.modules, modules, strict=True)}
    if known := shipped("delve", "methods", name):
        place = os.path.join(known, SOURCE_DIRECTORY)
        texts = {plain_name(file): read_document(os.path.join(place, file)) for file in os.listdir(place)}
        return read_document(os.path.join(known, "Summary")), {**texts, **sources}
    return f"{name} {entry.purpose}.\n", {f"{name}.txt": f"{inspect.getdoc(modules[0])}\n", **sources}


INTRODUCTION = """\
{name} is a workflow. Its settings, including defaults, are in `Settings`, and the file that defines it is in
`{file}`; nothing else was chosen.

{steps}

Encoding: see `Coding-used` of each task; docs/running.md, Workflows, describes each step. All of
it is done within the training set of each instance. Costs: the seconds of each instance are in `Costs`.
"""
BEFORE = {
    "impute": "missing inputs are filled in",
    "scale": "inputs that are numbers are scaled",
    "select": "the inputs with the most information on the target are kept",
    "smote": "cases between rare ones are added, and fewer of the others are drawn",
    "oversample": "cases of rare classes are repeated",
    "undersample": "cases of frequent classes are left out",
}
AFTER = {
    "fill": "missing predictions are filled in",
    "clip": "guesses are put into a range",
    "positive": "negative guesses become zero",
    "integer": "guesses are rounded",
    "utility": "the category with the largest expected utility is guessed",
}


def _summary(workflow: Workflow) -> str:
    parameters = ", ".join(f"{key} = {value}" for key, value in workflow.learner.options.items())
    learner = f"{workflow.learner.name}({parameters})" if parameters else workflow.learner.name
    window = [f"in a {workflow.window.kind} window"] if workflow.window else []
    steps = [step.kind for step in workflow.pre], [learner, *window], [step.kind for step in workflow.post]
    line = ", then ".join(", ".join(part) for part in steps if part)
    return f"{workflow.summary or 'A workflow.'}\n\n{line}\n" if workflow.summary else f"Workflow: {line}.\n"


def _description(workflow: Workflow, name: str) -> str:
    before = [f"- {step.kind}: {BEFORE.get(step.kind, step.place)}." for step in workflow.pre]
    after = [f"- {step.kind}: {AFTER.get(step.kind, step.place)}." for step in workflow.post]
    every = ""
    if window := workflow.window:
        every = f", learned again after every {window.options['relearn']} test cases ({window.kind} window)"
    steps = "\n".join([*before, f"- {workflow.learner.name} learns and predicts{every}.", *after])
    text = INTRODUCTION.format(name=workflow.name, file=name, steps=steps)
    return f"{text}\n{workflow.description}\n" if workflow.description else text
