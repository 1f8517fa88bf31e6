"""A task instance as a learning method gets it, and its predictions as the texts of prediction files.

Predictions are checked, rounded and decoded at once, so that what is kept is what losses are computed from.
Source: DELVE manual, sections 7.3 to 7.5 and appendix C (`mloss`)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from delvecore.encoding.codings import code_of, column_names, decode_densities, density_scale
from delvecore.encoding.encode import EncodedInstance, TaskPlan, encode_instance, with_targets
from delvecore.encoding.instances import Instance
from delvecore.errors import DelveError
from delvecore.losses.predictions import OUTPUTS
from delvecore.methods.protocol import CodedAttribute, LearningInstance, Predictions, TaskView
from delvecore.number_format.text_columns import numbers_of
from delvecore.writers.task_files import predictions_text


def learning_instance(plan: TaskPlan, instance: Instance) -> LearningInstance:
    """Return one instance encoded. Raises DelveError for values that its codings cannot encode."""
    encoded = encode_instance(plan, instance)
    return LearningInstance(
        task=TaskView(plan.cases.dataset, plan.cases.prototask, plan.prior, plan.task),
        number=instance.number,
        inputs=_coded_attributes(plan, plan.inputs, encoded),
        targets=_coded_attributes(plan, plan.targets, encoded),
        train_inputs=encoded.train_inputs,
        train_targets=encoded.train_targets,
        test_inputs=encoded.test_inputs,
        test_targets=encoded.test_targets,
        validation=encoded.validation,
        bounds=encoded.bounds,
    )


def with_frames(learning: LearningInstance, plan: TaskPlan, instance: Instance) -> LearningInstance:
    """Return an instance with its inputs as data frames, too: a column an attribute, as it is in the data."""
    training, _ = with_targets(plan, instance)
    frame = plan.input_frame
    return replace(learning, frames=(frame.iloc[training], frame.iloc[instance.test]))


def _coded_attributes(
    plan: TaskPlan, numbers: Iterable[int], encoded: EncodedInstance
) -> tuple[CodedAttribute, ...]:
    coded, first = [], 0
    for number in numbers:
        attribute, coding = plan.cases.dataset.attribute(number), plan.codings[number]
        last = first + len(column_names(attribute, coding))
        kind, constants = plan.prior.line(number).type, encoded.normalization.get(number)
        coded.append(CodedAttribute(attribute, kind, coding, slice(first, last), constants))
        first = last
    return tuple(coded)


DIGITS = 5
"""Guesses have so many significant digits relative to the absolute deviation of the training targets, log
densities and probabilities so many decimals. Losses need far fewer, and the last bits of floating point
arithmetic, which differ between machines, do not show in the files."""
TRANSFORMED_DIGITS = DIGITS + 2
"""Significant digits of guesses of a transformed target, whose scale varies from case to case."""
LEAST_DIGITS = 4
"""Significant digits of small probabilities, whose logs count."""


def prediction_texts(instance: LearningInstance, predictions: Predictions) -> dict[str, str]:
    """Return {file name: text} of the prediction files of an instance, decoded, and of its records. Raises
    DelveError for arrays of the wrong shape and for values that are no predictions."""
    number, texts = instance.number, {}
    for loss, guess in predictions.guesses.items():
        name = f"guess.{loss}.{number}" if loss else f"guess.{number}"
        coded = _checked(name, guess, instance.test_targets.shape)
        texts[name] = predictions_text([_decoded(target, coded) for target in instance.targets])
    if predictions.probabilities is not None:
        name = f"prob.{number}"
        shape = len(instance.test_targets), len(instance.targets[0].attribute.range.categories or ())
        columns = _checked(name, predictions.probabilities, shape, low=0.0).T.tolist()
        texts[name] = predictions_text([[_probability(value) for value in column] for column in columns])
    if predictions.outputs is not None:
        name = f"{OUTPUTS}.{number}"
        shape = len(instance.test_targets), len(instance.targets[0].attribute.range.categories or ())
        columns = _checked(name, predictions.outputs, shape).T.tolist()
        texts[name] = predictions_text([_fixed(column, DIGITS) for column in columns])
    if predictions.log_densities is not None:
        name = f"lptarg.L.{number}"
        texts[name] = predictions_text([_log_densities(name, instance, predictions)])
    return texts | {f"{name}.{number}": text for name, text in predictions.records.items()}


def _checked(
    name: str, values: np.ndarray, shape: tuple[int, ...], *, low: float = -np.inf, zero_density: bool = False
) -> np.ndarray:
    """Return predictions as float64; DelveError where they do not have the shape or are not predictions."""
    values = np.asarray(values, dtype=np.float64)
    if values.shape != shape:
        raise DelveError(f"{name}: expected predictions of shape {shape}, found {values.shape}")
    good = (np.isfinite(values) & (values >= low)) | (zero_density & np.isneginf(values))
    if not good.all():
        case = int(np.argwhere(~good)[0][0])
        wanted = "probabilities" if np.isfinite(low) else "finite numbers"
        raise DelveError(f"{name}: expected {wanted}, found {values[~good][0]} for test case {case}")
    return values


def _values(target: CodedAttribute, coded: np.ndarray) -> Sequence[str]:
    """Return the values of a target, as text, that coded ones stand for."""
    return code_of(target.attribute, target.coding).decode(coded[:, target.columns], target.constants)


def _decoded(target: CodedAttribute, coded: np.ndarray) -> Sequence[str]:
    words = _values(target, coded)
    if target.is_categorical:
        return words
    if target.coding.option("transform"):
        return [f"{float(word):.{TRANSFORMED_DIGITS}g}" for word in words]
    spread = target.constants.absolute_deviation if target.constants else 0.0
    decimals = DIGITS - 1 - math.floor(math.log10(spread)) if spread else DIGITS
    return _fixed(numbers_of(words).tolist(), decimals)


def _probability(value: float) -> str:
    """Return a probability to DIGITS decimals, or with LEAST_DIGITS significant digits where it is small."""
    fixed = f"{value:.{DIGITS}f}"
    return fixed if value >= 10.0 ** (LEAST_DIGITS - DIGITS - 1) else f"{value:.{LEAST_DIGITS}g}"


def _fixed(values: list[float], decimals: int) -> list[str]:
    """Return numbers to so many decimals (fewer than none: tens, hundreds), without a sign if zero."""
    if decimals < 0:
        values, decimals = [round(value, decimals) for value in values], 0
    form = f"%.{decimals}f"
    words = (f"{form} " * len(values) % tuple(values)).split()
    zero = form % -0.0
    return [word[1:] if word == zero else word for word in words]


def _log_densities(name: str, instance: LearningInstance, predictions: Predictions) -> list[str]:
    values, shape = np.asarray(predictions.log_densities), (len(instance.test_targets),)
    values = _checked(name, values, shape, zero_density=True)
    if predictions.coded:
        values = _plain_log_densities(values, instance)
    return [word.replace("inf", "Inf") for word in _fixed(values.tolist(), DIGITS)]


def _plain_log_densities(values: np.ndarray, instance: LearningInstance) -> np.ndarray:
    """Return log densities of plain targets; of a censored one the log probability beyond its bound stays."""
    found, is_known = values.copy(), np.ones((len(values), len(instance.targets)), dtype=bool)
    if instance.bounds.size:
        is_known = instance.bounds == 0
    for known in np.unique(is_known, axis=0):
        rows = (is_known == known).all(axis=1)
        targets = [target for target, counts in zip(instance.targets, known, strict=True) if counts]
        codings = [target.coding for target in targets]
        scale = density_scale(codings, [target.constants for target in targets])
        transformed = any(coding.option("transform") for coding in codings)
        true = [_values(target, instance.test_targets[rows]) for target in targets] if transformed else []
        known = (codings, true) if transformed else ()
        found[rows] = decode_densities(values[rows], scale, *known, logarithms=True)
    return found
