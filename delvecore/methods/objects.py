"""Any Python object that learns and predicts as a method: `fit(inputs, values)` and `predict(inputs)`.

An object is named by its place, `module:attribute`, so that any process can fetch it. docs/running.md
describes permitted objects and their calls. Classes of known packages run; other objects that a file names
run only if they are trusted."""

import copy
import functools
import inspect
import logging
import pickle
import random
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import cloudpickle
import numpy as np
from numpy.random import Generator

from delvecore.errors import TRUST, DelveError, Fault
from delvecore.methods.protocol import LearningInstance, Method, Predictions, TaskView
from delvecore.methods.standard import SMALLEST_ERROR, InputMethod, of_all_classes, state, usable_inputs
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import ClassProblem, Gaussian, NumberPrediction, NumberProblem
from delvecore.model import CATEGORICAL_TYPES, Coding

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.encoding.encode import TaskPlan


WHILE_IMPORTING = (
    *(ArithmeticError, AttributeError, ImportError, LookupError, NameError, OSError),
    *(RuntimeError, SyntaxError, TypeError, ValueError),
)
"""What importing or making an object that others wrote may raise."""
Inputs: TypeAlias = "np.ndarray | pd.DataFrame"
"""Encoded inputs, or the attributes as they are in the data."""
SEEDS = ("seed", "random_state")
HELD = "validation_data"
"""The argument of `fit` for the pair (inputs, values) of validation cases, left out of the others."""


def method_from(place: str, name: str | None = None) -> Method:
    """Return the method that an object at `module:attribute` is, or is made into: a method itself (see
    `delvecore.methods.protocol`), something with fit and predict, or a class or function that makes either.
    name: of the method, by default its own or that of the attribute. DelveError for anything else, and for an
    object that cannot be imported."""
    thing = load_object(place)
    found = _tried(place, functools.partial(make_object, thing, np.random.default_rng(0)))
    if all(hasattr(found, part) for part in ("name", "can", "codings", "fit_predict")):
        if name not in (None, found.name):
            raise DelveError(f"{place}: expected a method of the name {name}, found {found.name}")
        return found
    check_learner(place, found)
    return ObjectMethod(name or place.rpartition(":")[2].rpartition(".")[2], place)


def check_learner(place: str, found: object) -> None:
    """Raise DelveError unless what was made of an object can learn and predict."""
    if not (hasattr(found, "fit") and hasattr(found, "predict")):
        kind = type(found).__name__
        raise DelveError(f"{place}: expected something with fit and predict, or a method, found {kind}")


def check_object(place: str, parameters: Mapping[str, object]) -> Any:
    """Return the object that is made with some parameters; DelveError if it cannot be."""
    return _tried(
        place, functools.partial(make_object, load_object(place), np.random.default_rng(0), parameters)
    )


@functools.cache
def load_object(place: str) -> Any:
    """Return what is found at `module:attribute`; DelveError if there is nothing."""
    module, _, attribute = place.partition(":")
    if not (module and attribute):
        raise DelveError(f"{place}: expected module:attribute")
    return _tried(place, lambda: functools.reduce(getattr, attribute.split("."), import_module(module)))


class ObjectMethod(InputMethod):
    """Something with fit and predict; made anew, or copied, for each target of each instance.

    Only its name, its place and its parameters pass from process to process.

    Attributes
    ----------
    predictor : str
        Replacement of `predict`: the name of another function of the object, called with inputs, or the place
        of a function, called with model and inputs.
    predictor_parameters : mapping of str to object or None
        Further arguments of the predictor.
    keep_models : bool
        Whether the fitted objects are part of the predictions.
    """

    def __init__(
        self,
        name: str,
        place: str,
        parameters: Mapping[str, object] | None = None,
        *,
        predictor: str = "",
        predictor_parameters: Mapping[str, object] | None = None,
        keep_models: bool = False,
    ) -> None:
        self.name, self.place, self.parameters = name, place, parameters or {}
        self.predictor, self.predictor_parameters = predictor, predictor_parameters or {}
        self.keep_models = keep_models
        self._models: list[object] = []
        self._tells: list[bool] = []
        """Does each target of the instance at hand have a distribution?"""

    @functools.cached_property
    def kind(self) -> str | None:
        """`classifier`, `regressor`, or None if the object does not tell."""
        model = self._new(np.random.default_rng(0))
        tags = _tags(model)
        kind: str | None = tags.estimator_type if tags else getattr(model, "_estimator_type", None)
        return kind

    def can(self, task: TaskView) -> str | None:
        kind = self.kind
        for attribute, line in task.targets:
            wrong = "regressor" if line.type in CATEGORICAL_TYPES else "classifier"
            if kind == wrong:
                return f"its target {attribute.name} is {line.type}, and {self.place} is a {kind}"
        return super().can(task)

    def codings(self, task: TaskView) -> dict[int, Coding]:
        self._object()  # before anything is timed
        return super().codings(task)

    def fit_predict(self, instance: LearningInstance, rng: Generator) -> Predictions:
        """Learn and predict; predictive distributions are those of the object, or there are none."""
        self._models, self._tells = [], []
        found = super().fit_predict(instance, rng)
        models, self._models = tuple(self._models) if self.keep_models else (), []
        if not all(self._tells):
            found = replace(found, log_densities=None, probabilities=None)
        return replace(found, models=models)

    def predict_number(self, problem: NumberProblem, rng: Generator) -> NumberPrediction:
        target, plain = problem.target, problem.instance.plain_targets
        centre, scale = target.centre_and_scale if target and plain else (0.0, 1.0)
        values = plain[problem.instance.targets.index(target)] if target and plain else problem.values
        model, test = self._fitted(problem.instance, values, rng)
        with predicting():
            tells = not self.predictor and _tells_deviations(model)
            self._tells.append(tells)
            found = (
                model.predict(test, return_std=True)
                if tells
                else (self._predicted(model, test), np.ones(len(test)))
            )
        mean, deviation = (_row(one, test) for one in found)  # the latter is not kept where it was not told
        mean, deviation = (mean - centre) / scale, deviation / scale
        return NumberPrediction(mean, mean, Gaussian(mean, np.maximum(deviation, SMALLEST_ERROR)))

    def predict_classes(self, problem: ClassProblem, rng: Generator) -> np.ndarray:
        """Return its probabilities, or all of the probability for what it predicts: not kept then."""
        labels = self._labels(problem)
        model, test = self._fitted(problem.instance, labels[problem.classes], rng)
        with predicting():
            asked = np.asarray(self._predicted(model, test)) if self.predictor else None
        gives_shares = asked.ndim == 2 if asked is not None else hasattr(model, "predict_proba")
        self._tells.append(gives_shares)
        if asked is not None and not gives_shares:
            return np.eye(problem.count)[_codes_of_cases(asked, test, labels)]
        if asked is None and not gives_shares:
            return np.eye(problem.count)[_class_codes(model, test, labels)]
        if asked is None and problem.instance.frames:
            problem.guesses.append(_class_codes(model, test, labels))
        with predicting():
            shares = np.asarray(model.predict_proba(test) if asked is None else asked, dtype=np.float64)
        known = _codes(getattr(model, "classes_", labels), labels)
        if shares.shape != (len(test), len(known)):
            raise DelveError(f"expected {(len(test), len(known))} probabilities, found {shares.shape}")
        return of_all_classes(shares, known, problem.count)

    def _predicted(self, model: Any, test: Inputs) -> Any:
        """Return what the model predicts by `predict`, or by the predictor."""
        if ":" in self.predictor:
            return load_object(self.predictor)(model, test, **self.predictor_parameters)
        return getattr(model, self.predictor or "predict")(test, **self.predictor_parameters)

    def _labels(self, problem: ClassProblem) -> np.ndarray:
        """Return what the object learns for each class: its number, unless it needs the value itself."""
        return np.arange(problem.count)

    def _fitted(self, instance: LearningInstance, values: np.ndarray, rng: Generator) -> tuple[Any, Inputs]:
        """Return a new object that has learned, and the inputs of the test cases."""
        train, test = self._plain(instance) or usable_inputs(instance)
        model = self._new(rng)
        held = instance.validation
        if len(held) and HELD in _argument_names(model.fit):
            rest = np.setdiff1d(np.arange(len(train)), held)
            model.fit(_rows(train, rest), values[rest], **{HELD: (_rows(train, held), values[held])})
        else:
            model.fit(train, values)
        if self.keep_models:
            self._models.append(model)
        return model, test

    def _plain(self, instance: LearningInstance) -> tuple[Inputs, Inputs] | None:
        """Return the inputs of training and test cases as they are in the data, None if they are encoded."""
        return instance.frames

    def _object(self) -> Any:
        return load_object(self.place)

    def _new(self, rng: Generator) -> Any:
        return make_object(self._object(), rng, self.parameters)


class EstimatorMethod(ObjectMethod):
    """An estimator in memory as a method; it passes from process to process as pickled bytes.

    It is copied for each training set. A `random_state` that is None becomes a seed of its own each time.

    Raises DelveError for a class, for something without fit and predict, and for what cannot be pickled.

    Attributes
    ----------
    plain : mapping of str to PlainData or None
        Original form of the inputs, by dataset. Inputs of other datasets are encoded.
    """

    def __init__(
        self, name: str, estimator: object, *, plain: "Mapping[str, PlainData] | None" = None
    ) -> None:
        if isinstance(estimator, type):
            remedy = f"write {estimator.__name__}()"
            raise Fault(name, "an estimator", f"the class {estimator.__name__}", remedy)
        check_learner(name, estimator)
        kind = type(estimator)
        super().__init__(name, f"{kind.__module__}.{kind.__qualname__}")
        self.plain = dict(plain or {})
        params = estimator.get_params() if hasattr(estimator, "get_params") else {}
        self.names_classes = any(
            key.endswith("class_weight") and isinstance(params[key], Mapping) for key in params
        )
        try:
            self._pickled = cloudpickle.dumps(estimator)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            expected = "an estimator that can be pickled"
            raise DelveError(f"{name}: expected {expected}, found {kind.__name__}: {error}") from None

    @property
    def settings(self) -> dict[str, str]:
        """What tells it from other estimators: its class and parameters, as text."""
        estimator = self._object()
        told = estimator.get_params() if hasattr(estimator, "get_params") else vars(estimator)
        shown = {name: re.sub(r" at 0x[0-9a-f]+", "", " ".join(repr(told[name]).split())) for name in told}
        return {"estimator": self.place, **dict(sorted(shown.items()))}

    @property
    def _parts(self) -> list[Any]:
        """Return the estimator and the estimators in its parameters, such as the steps of a pipeline.

        They are not cached, since other processes can unpickle classes of a script only from `_pickled`."""
        estimator = self._object()
        params = estimator.get_params() if hasattr(estimator, "get_params") else {}
        parts = (one for one in params.values() if hasattr(one, "fit") and not isinstance(one, type))
        return [estimator, *parts]

    @functools.cached_property
    def takes_frames(self) -> bool:
        """Does it choose columns by their names, or take any inputs, or have steps that are not known?"""
        for part in self._parts:
            is_known, tags = _is_inside(type(part).__module__), _tags(part)
            takes_anything = is_known and bool(tags and tags.no_validation)  # as dummies do
            is_own_step = hasattr(part, "transform") and not is_known
            if hasattr(part, "transformers") or takes_anything or is_own_step or _param(part, "cat_features"):
                return True
        return False

    @functools.cached_property
    def takes_categories(self) -> bool:
        """Does it take words: has it a step that encodes them, or does it take categories itself?"""
        tags = [_tags(part) for part in self._parts]
        return any(one and (one.input_tags.categorical or one.input_tags.string) for one in tags)

    @functools.cached_property
    def takes_category_types(self) -> bool:
        """Does it know the names and types of the columns of a frame?"""
        estimator = self._parts[0]
        by_type = _param(estimator, "categorical_features") == "from_dtype"
        knows_names = hasattr(type(estimator), "feature_names_in_") and not hasattr(estimator, "steps")
        return by_type or knows_names

    @functools.cached_property
    def takes_gaps(self) -> bool:
        """Does it take missing values: has it a step that imputes, or do all steps take them?"""
        steps = getattr(self._parts[0], "steps", None)
        parts = [step for _, step in steps] if isinstance(steps, list) else self._parts[:1]
        tags = [_tags(part) for part in parts]
        imputes = any("Imput" in type(part).__name__ for part in self._parts)
        return imputes or all(one and one.input_tags.allow_nan for one in tags)

    def inputs_of(self, plan: "TaskPlan") -> "pd.DataFrame | None":
        """Return the inputs of all cases as they are in the data, None if they are encoded."""
        data = self.plain.get(plan.cases.dataset.name)
        return None if data is None else _plain_frame(plan, data)

    def _plain(self, instance: LearningInstance) -> tuple[Inputs, Inputs] | None:
        if instance.frames and self.plain[instance.task.dataset.name].is_array:
            return instance.frames[0].to_numpy(), instance.frames[1].to_numpy()
        return instance.frames

    def _labels(self, problem: ClassProblem) -> np.ndarray:
        data = self.plain.get(problem.instance.task.dataset.name)
        labels = data.labels.get(problem.target.attribute.name) if data and problem.target else None
        return np.asarray(labels) if labels and self.names_classes else super()._labels(problem)

    def _object(self) -> Any:
        return _unpickled(self._pickled)


@dataclass(frozen=True)
class PlainData:
    """How a dataset looks where it comes from.

    Attributes
    ----------
    restore : Callable[[pandas.DataFrame], pandas.DataFrame]
        Makes a frame in the original form from inputs as attributes.
    is_array : bool
        Whether the inputs are an array, without names.
    labels : Mapping[str, tuple of object]
        Classes of each target, in order.
    """

    restore: "Callable[[pd.DataFrame], pd.DataFrame]"
    is_array: bool = False
    labels: Mapping[str, tuple[object, ...]] = field(default_factory=dict)


_FRAMES: "dict[str, tuple[object, bytes, pd.DataFrame]]" = {}
"""The inputs that were made last, with their cases: all instances and methods of a prototask use the same."""


def _plain_frame(plan: "TaskPlan", data: PlainData) -> "pd.DataFrame":
    key, last = cloudpickle.dumps(data.restore), _FRAMES.get("last")
    if last is None or last[0] is not plan.cases or last[1] != key:
        last = _FRAMES["last"] = plan.cases, key, data.restore(plan.input_frame)
    return last[2]


def _class_codes(model: Any, test: Inputs, labels: np.ndarray) -> np.ndarray:
    """Return the numbers of the classes that a model predicts. Raises DelveError for other predictions."""
    with predicting():
        found = np.asarray(model.predict(test))
    return _codes_of_cases(found, test, labels)


def _codes_of_cases(found: np.ndarray, test: Inputs, labels: np.ndarray) -> np.ndarray:
    found = found.reshape(-1)
    if len(found) != len(test):
        raise DelveError(f"expected {len(test)} predictions, found {found.shape}")
    return _codes(found, labels)


def _codes(values: Any, labels: np.ndarray) -> np.ndarray:
    """Return the places of values among the labels of classes. Raises DelveError for others."""
    places = {label: place for place, label in enumerate(labels.tolist())}
    found = np.asarray(values).tolist()
    if strange := [value for value in found if value not in places]:
        expected = (
            f"a category from 0 to {len(labels) - 1}"
            if labels.dtype.kind == "i"
            else f"one of {list(places)}"
        )
        shown = f"{strange[0]:g}" if isinstance(strange[0], float) else repr(strange[0])
        raise DelveError(f"expected {expected}, found {shown}")
    return np.array([places[value] for value in found], dtype=np.int64)


@functools.lru_cache(maxsize=64)
def _unpickled(pickled: bytes) -> Any:
    return pickle.loads(pickled)


def make_object(thing: Any, rng: Generator, parameters: Mapping[str, object] | None = None) -> Any:
    """Return an object made by a class or a function, or a copy of the object that thing is itself, with
    parameters. It gets a seed by one of the usual names, or the generator as `rng`, unless they tell one;
    Python's and NumPy's shared ones are seeded."""
    random.seed(state(rng))
    np.random.seed(state(rng))
    told = dict(parameters or {})
    is_ready = hasattr(thing, "fit") or hasattr(thing, "fit_predict") or not callable(thing)
    if is_ready and not isinstance(thing, type):
        found = copy.deepcopy(thing)
        if told:
            found.set_params(**told)
    else:
        wanted = _argument_names(thing)
        given = {name: state(rng) for name in SEEDS if name in wanted}
        found = thing(**(given | ({"rng": rng} if "rng" in wanted else {}) | told))
    if hasattr(found, "get_params") and hasattr(found, "set_params"):
        params = found.get_params()
        names = [name for name in sorted(params) if name.split("__")[-1] == "random_state"]
        found.set_params(**{name: state(rng) for name in names if params[name] is None})
    return found


def _tried(place: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except WHILE_IMPORTING as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise DelveError(f"{place}: expected an object that can be imported and made, found {why}") from error


def _tags(model: Any) -> Any:
    """Return the tags of an estimator of scikit-learn, None for other objects."""
    tags = getattr(model, "__sklearn_tags__", None)
    return tags() if tags else None


def _param(estimator: Any, name: str) -> Any:
    """Return a parameter of an estimator, None if it has none of this name."""
    return estimator.get_params().get(name) if hasattr(estimator, "get_params") else None


def _argument_names(thing: Callable[..., object]) -> set[str]:
    try:
        return set(inspect.signature(thing).parameters)
    except ValueError:
        return set()  # some classes in C do not tell


def _tells_deviations(model: Any) -> bool:
    return "return_std" in _argument_names(model.predict)


def _rows(inputs: Inputs, chosen: np.ndarray) -> Inputs:
    return inputs[chosen] if isinstance(inputs, np.ndarray) else inputs.iloc[chosen]


def _row(values: object, test: Inputs) -> np.ndarray:
    row = np.asarray(values, dtype=np.float64)
    if row.size != len(test):
        raise DelveError(f"expected {len(test)} predictions, found {row.shape}")
    return row.reshape(-1)


PACKAGES = ("sklearn", "imblearn")
"""Whose classes with `fit` a file may name."""
READ_FILES = ("memory",)
"""Parameters that name a place from which Python objects are read, which may be programs."""


def check_trusted(place: str, *, trust: bool, where: str = "", parameters: Collection[str] = ()) -> None:
    """Raise DelveError unless an object that a file names may be imported and run: a class with `fit` of
    one of PACKAGES, or one that is trusted, which is logged then, once.

    place: `module:attribute`, or the path of a Python file and `:attribute`; trust: did the user say that
    what the file names may run? where: file and line, for the log; parameters: names of those that the file
    gives to the object.

    >>> check_trusted("subprocess:Popen", trust=False)
    Traceback (most recent call last):
    delvecore.errors.DelveError: expected a class with fit of sklearn or imblearn, found subprocess:Popen; \
read what it does, and add --trust to run it
    """
    unsafe = [name for name in parameters if name.rpartition("__")[2] in READ_FILES]
    if not unsafe and is_known(place):
        return
    found = f"{place} with the parameter {unsafe[0]}" if unsafe else place
    if trust:
        _say_trusted(f"{where}: " if where else "", found)
        return
    expected = f"a class with fit of {' or '.join(PACKAGES)}"
    raise DelveError(f"expected {expected}, found {found}; read what it does, and add {TRUST} to run it")


@functools.cache
def _say_trusted(where: str, found: str) -> None:
    logging.getLogger("delvecore").warning("%sruns %s, which %s allows", where, found, TRUST)


def is_known(place: str) -> bool:
    """Is this a class with `fit` that is defined in one of PACKAGES? Nothing else is imported for the answer.
    One that is not there counts as known, so that its absence is told."""
    module, _, attribute = place.partition(":")
    if not _is_inside(module):
        return False
    try:
        found = functools.reduce(getattr, attribute.split("."), import_module(module))
    except (ImportError, AttributeError):
        return True
    return isinstance(found, type) and hasattr(found, "fit") and _is_inside(found.__module__)


def _is_inside(module: str) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in PACKAGES)
