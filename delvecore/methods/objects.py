"""Any Python object with `fit(inputs, values)` and `predict(inputs)` as a method.

The name of an object is its place, `module:attribute`, so that any process can import it. docs/running.md
describes permitted objects and their calls. If a file names an object, it runs only if it is a class of a
known package, or trusted."""

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
from delvecore.methods.targets import Distribution, NumberPrediction, TargetProblem
from delvecore.model import CATEGORICAL_TYPES, Coding

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.encoding.encode import TaskPlan


WHILE_IMPORTING = (
    *(ArithmeticError, AttributeError, ImportError, LookupError, NameError, OSError),
    *(RuntimeError, SyntaxError, TypeError, ValueError),
)
"""Errors of the code of other people while an object is imported or created."""
Inputs: TypeAlias = "np.ndarray | pd.DataFrame"
"""Encoded inputs, or the attributes in their original form."""
SEEDS = ("seed", "random_state")
HELD = "validation_data"
"""The argument of `fit` for validation cases, a pair (inputs, values), which are then no training cases."""


def method_from(place: str, name: str | None = None) -> Method:
    """Return an object at `module:attribute` as a method.

    The object is a method (see `delvecore.methods.protocol`), has `fit` and `predict`, or is a class or
    function that creates such an object. name: name of the method, by default that of the object or the
    attribute. Raises DelveError for any other object, and if it cannot be imported."""
    learner = check_object(place, {})
    if all(hasattr(learner, part) for part in ("name", "can", "codings", "fit_predict")):
        if name not in (None, learner.name):
            raise DelveError(f"{place}: expected a method of the name {name}, found {learner.name}")
        return learner
    check_learner(place, learner)
    return ObjectMethod(name or place.rpartition(":")[2].rpartition(".")[2], place)


def check_learner(place: str, learner: object) -> None:
    """Raise DelveError unless an object can learn and predict."""
    if not (hasattr(learner, "fit") and hasattr(learner, "predict")):
        kind = type(learner).__name__
        raise DelveError(f"{place}: expected something with fit and predict, or a method, found {kind}")


def check_object(place: str, parameters: Mapping[str, object]) -> Any:
    """Return an object with parameters, see `make_object`. Raises DelveError if it cannot be created."""
    return _tried(
        place, functools.partial(make_object, load_object(place), np.random.default_rng(0), parameters)
    )


@functools.cache
def load_object(place: str) -> Any:
    """Return the object at `module:attribute`; DelveError if there is none."""
    module, _, attribute = place.partition(":")
    if not (module and attribute):
        raise DelveError(f"{place}: expected module:attribute")
    return _tried(place, lambda: functools.reduce(getattr, attribute.split("."), import_module(module)))


class ObjectMethod(InputMethod):
    """An object with fit and predict, created or copied for each target of each instance.

    Only its name, its place and its parameters are sent to other processes.

    Attributes
    ----------
    predictor : str
        Replacement of `predict`: the name of another method of the object, or the place of a function of
        model and inputs.
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
        self._has_distribution: list[bool] = []  # of each target of the current instance

    @functools.cached_property
    def kind(self) -> str | None:
        """`classifier`, `regressor`, or None if the object does not state it."""
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
        """Learn and predict; predictive distributions are those of the object, if it has any."""
        self._models, self._has_distribution = [], []
        predictions = super().fit_predict(instance, rng)
        models, self._models = tuple(self._models) if self.keep_models else (), []
        if not all(self._has_distribution):
            predictions = replace(predictions, log_densities=None, probabilities=None)
        return replace(predictions, models=models)

    def predict_number(self, problem: TargetProblem, rng: Generator) -> NumberPrediction:
        target, plain = problem.target, problem.instance.plain_targets
        center, scale = target.center_and_scale if plain else (0.0, 1.0)
        values = plain[problem.instance.targets.index(target)] if plain else problem.values
        model, test = self._fitted(problem.instance, values, rng)
        with predicting():
            has_deviations = not self.predictor and "return_std" in _argument_names(model.predict)
            self._has_distribution.append(has_deviations)
            columns = (
                model.predict(test, return_std=True)
                if has_deviations
                else (self._predicted(model, test), np.ones(len(test)))  # fit_predict drops the ones
            )
        mean, deviation = (_row(one, test) for one in columns)
        mean, deviation = (mean - center) / scale, deviation / scale
        return NumberPrediction(mean, mean, Distribution(mean, np.maximum(deviation, SMALLEST_ERROR)))

    def predict_classes(self, problem: TargetProblem, rng: Generator) -> np.ndarray:
        """Return probabilities; a model without any has probability 1 for its class, which is not kept."""
        labels = self._labels(problem)
        model, test = self._fitted(problem.instance, labels[problem.values], rng)
        with predicting():
            predicted = np.asarray(self._predicted(model, test)) if self.predictor else None
        gives_shares = hasattr(model, "predict_proba") if predicted is None else predicted.ndim == 2
        self._has_distribution.append(gives_shares)
        if not gives_shares or (predicted is None and problem.instance.frames):
            if predicted is None:
                with predicting():
                    classes = np.asarray(model.predict(test))
            else:
                classes = predicted
            codes = _codes(_row(classes, test, None), labels)
            if not gives_shares:
                return np.eye(problem.count)[codes]
            problem.guesses.append(codes)
        with predicting():
            shares = np.asarray(
                model.predict_proba(test) if predicted is None else predicted, dtype=np.float64
            )
        known = _codes(getattr(model, "classes_", labels), labels)
        if shares.shape != (len(test), len(known)):
            raise DelveError(f"expected {(len(test), len(known))} probabilities, found {shares.shape}")
        return of_all_classes(shares, known, problem.count)

    def _predicted(self, model: Any, test: Inputs) -> Any:
        """Return the predictions of `predict`, or of the predictor."""
        if ":" in self.predictor:
            return load_object(self.predictor)(model, test, **self.predictor_parameters)
        return getattr(model, self.predictor or "predict")(test, **self.predictor_parameters)

    def _labels(self, problem: TargetProblem) -> np.ndarray:
        """Return the label of each class for the object: its number, unless the object needs the value."""
        return np.arange(problem.count)

    def _fitted(self, instance: LearningInstance, values: np.ndarray, rng: Generator) -> tuple[Any, Inputs]:
        """Return a new fitted object, and the inputs of the test cases."""
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
        """Return the original inputs of training and test cases, None for encoded inputs."""
        return instance.frames

    def _object(self) -> Any:
        return load_object(self.place)

    def _new(self, rng: Generator) -> Any:
        return make_object(self._object(), rng, self.parameters)


class EstimatorMethod(ObjectMethod):
    """An estimator in memory as a method. Other processes receive it as pickled bytes.

    Each training set has a copy. If its `random_state` is None, each copy has another seed.

    Raises DelveError for a class, for an object without fit and predict, and if it cannot be pickled.

    Attributes
    ----------
    plain : mapping of str to PlainData or None
        Original form of inputs, by dataset. Inputs of other datasets are encoded.
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
        """Class and parameters of the estimator, as text."""
        estimator = self._object()
        params = estimator.get_params() if hasattr(estimator, "get_params") else vars(estimator)
        texts = {
            name: re.sub(r" at 0x[0-9a-f]+", "", " ".join(repr(value).split()))
            for name, value in params.items()
        }
        return {"estimator": self.place, **dict(sorted(texts.items()))}

    @property
    def _parts(self) -> list[Any]:
        """The estimator and the estimators in its parameters, such as the steps of a pipeline.

        They are not cached, since other processes can unpickle classes of a script only from `_pickled`."""
        estimator = self._object()
        params = estimator.get_params() if hasattr(estimator, "get_params") else {}
        parts = (one for one in params.values() if hasattr(one, "fit") and not isinstance(one, type))
        return [estimator, *parts]

    @functools.cached_property
    def takes_frames(self) -> bool:
        """Does it choose columns by name, accept any inputs, or have steps of unknown packages?"""
        for part in self._parts:
            is_known, tags = _is_inside(type(part).__module__), _tags(part)
            takes_anything = is_known and bool(tags and tags.no_validation)  # as dummies do
            is_own_step = hasattr(part, "transform") and not is_known
            if hasattr(part, "transformers") or takes_anything or is_own_step or _param(part, "cat_features"):
                return True
        return False

    @functools.cached_property
    def takes_categories(self) -> bool:
        """Does it accept categories as words, by itself or by a step that encodes them?"""
        tags = [_tags(part) for part in self._parts]
        return any(one and (one.input_tags.categorical or one.input_tags.string) for one in tags)

    @functools.cached_property
    def takes_category_types(self) -> bool:
        """Does it use the names and types of the columns of a frame?"""
        estimator = self._parts[0]
        by_type = _param(estimator, "categorical_features") == "from_dtype"
        knows_names = hasattr(type(estimator), "feature_names_in_") and not hasattr(estimator, "steps")
        return by_type or knows_names

    @functools.cached_property
    def takes_gaps(self) -> bool:
        """Does it accept missing values, because a step imputes them or all steps accept them?"""
        steps = getattr(self._parts[0], "steps", None)
        parts = [step for _, step in steps] if isinstance(steps, list) else self._parts[:1]
        tags = [_tags(part) for part in parts]
        imputes = any("Imput" in type(part).__name__ for part in self._parts)
        return imputes or all(one and one.input_tags.allow_nan for one in tags)

    def inputs_of(self, plan: "TaskPlan") -> "pd.DataFrame | None":
        """Return the original inputs of all cases, None for encoded inputs."""
        data = self.plain.get(plan.cases.dataset.name)
        if data is None:
            return None
        key, last = cloudpickle.dumps(data.restore), _FRAMES.get("last")
        if last is None or last[0] is not plan.cases or last[1] != key:
            last = _FRAMES["last"] = plan.cases, key, data.restore(plan.input_frame)
        return last[2]

    def _plain(self, instance: LearningInstance) -> tuple[Inputs, Inputs] | None:
        if instance.frames and self.plain[instance.task.dataset.name].is_array:
            return instance.frames[0].to_numpy(), instance.frames[1].to_numpy()
        return instance.frames

    def _labels(self, problem: TargetProblem) -> np.ndarray:
        data = self.plain.get(problem.instance.task.dataset.name)
        labels = data.labels.get(problem.target.attribute.name) if data else None
        return np.asarray(labels) if labels and self.names_classes else super()._labels(problem)

    def _object(self) -> Any:
        return _unpickled(self._pickled)


@dataclass(frozen=True)
class PlainData:
    """Original form of a dataset.

    Attributes
    ----------
    restore : Callable[[pandas.DataFrame], pandas.DataFrame]
        Converts inputs, a column per attribute, to a frame in the original form.
    is_array : bool
        Whether the original inputs are an array.
    labels : Mapping[str, tuple of object]
        Classes of each target, in order.
    """

    restore: "Callable[[pd.DataFrame], pd.DataFrame]"
    is_array: bool = False
    labels: Mapping[str, tuple[object, ...]] = field(default_factory=dict)


_FRAMES: "dict[str, tuple[object, bytes, pd.DataFrame]]" = {}
"""The last frame with its cases, since all instances and methods of a prototask use the same frame."""


def _codes(values: Any, labels: np.ndarray) -> np.ndarray:
    """Return the positions of values among the labels of classes. Raises DelveError for other values."""
    places = {label: place for place, label in enumerate(labels.tolist())}
    items = np.asarray(values).tolist()
    if strange := [value for value in items if value not in places]:
        expected = (
            f"a category from 0 to {len(labels) - 1}"
            if labels.dtype.kind == "i"
            else f"one of {list(places)}"
        )
        shown = f"{strange[0]:g}" if isinstance(strange[0], float) else repr(strange[0])
        raise DelveError(f"expected {expected}, found {shown}")
    return np.array([places[value] for value in items], dtype=np.int64)


@functools.lru_cache(maxsize=64)
def _unpickled(pickled: bytes) -> Any:
    return pickle.loads(pickled)


def make_object(thing: Any, rng: Generator, parameters: Mapping[str, object] | None = None) -> Any:
    """Return an object that a class or a function creates, or a copy of any other object, with parameters.

    It receives a seed under a usual name, or the generator as `rng`, unless the parameters have one. The
    shared generators of Python and NumPy are seeded."""
    random.seed(state(rng))
    np.random.seed(state(rng))
    explicit = dict(parameters or {})
    is_ready = hasattr(thing, "fit") or hasattr(thing, "fit_predict") or not callable(thing)
    if is_ready and not isinstance(thing, type):
        learner = copy.deepcopy(thing)
        if explicit:
            learner.set_params(**explicit)
    else:
        names = _argument_names(thing)
        seeds = {name: state(rng) for name in SEEDS if name in names}
        learner = thing(**(seeds | ({"rng": rng} if "rng" in names else {}) | explicit))
    if hasattr(learner, "get_params") and hasattr(learner, "set_params"):
        params = learner.get_params()
        states = [name for name in sorted(params) if name.split("__")[-1] == "random_state"]
        learner.set_params(**{name: state(rng) for name in states if params[name] is None})
    return learner


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
    """Return a parameter of an estimator, None if it has no parameter of this name."""
    return estimator.get_params().get(name) if hasattr(estimator, "get_params") else None


def _argument_names(thing: Callable[..., object]) -> set[str]:
    try:
        return set(inspect.signature(thing).parameters)
    except ValueError:
        return set()  # some classes in C have no signature


def _rows(inputs: Inputs, chosen: np.ndarray) -> Inputs:
    return inputs[chosen] if isinstance(inputs, np.ndarray) else inputs.iloc[chosen]


def _row(values: object, test: Inputs, dtype: type | None = np.float64) -> np.ndarray:
    row = np.asarray(values, dtype=dtype)
    if row.size != len(test):
        raise DelveError(f"expected {len(test)} predictions, found {row.shape}")
    return row.reshape(-1)


PACKAGES = ("sklearn", "imblearn")
"""Packages with classes with `fit` that a file may name."""
READ_FILES = ("memory",)
"""Parameters with a path from which Python objects are unpickled, which can run any program."""


def check_trusted(place: str, *, trust: bool, where: str = "", parameters: Collection[str] = ()) -> None:
    """Raise DelveError unless an object that a file names may be imported and run.

    Classes from PACKAGES that have `fit` may run. Other objects need the user's trust, and are logged once.

    place: `module:attribute`, or the path of a Python file and `:attribute`; trust: does the user trust the
    file? where: file and line, for the log; parameters: names of the object's parameters in the file.

    >>> check_trusted("subprocess:Popen", trust=False)
    Traceback (most recent call last):
    delvecore.errors.DelveError: expected a class with fit from sklearn or imblearn, found subprocess:Popen; \
read what it does, and add --trust to run it
    """
    unsafe = [name for name in parameters if name.rpartition("__")[2] in READ_FILES]
    if not unsafe and is_known(place):
        return
    text = f"{place} with the parameter {unsafe[0]}" if unsafe else place
    if trust:
        _log_trusted(f"{where}: " if where else "", text)
        return
    expected = f"a class with fit from {' or '.join(PACKAGES)}"
    raise DelveError(f"expected {expected}, found {text}; read what it does, and add {TRUST} to run it")


@functools.cache
def _log_trusted(where: str, text: str) -> None:
    logging.getLogger("delvecore").warning("%sruns %s, which %s allows", where, text, TRUST)


def is_known(place: str) -> bool:
    """Is this a class with `fit` that is defined in one of PACKAGES? Only PACKAGES are imported.

    A missing class counts as known, so that a later error reports its absence."""
    module, _, attribute = place.partition(":")
    if not _is_inside(module):
        return False
    try:
        thing = functools.reduce(getattr, attribute.split("."), import_module(module))
    except (ImportError, AttributeError):
        return True
    return isinstance(thing, type) and hasattr(thing, "fit") and _is_inside(thing.__module__)


def _is_inside(module: str) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in PACKAGES)
