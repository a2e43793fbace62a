"""Saves metrics, tensors and variables under the names of a Keras hook."""

from typing import Any, Dict, List, Optional, Set

from tensorwarden.adapters.keras.collection import CollectionManager
from tensorwarden.adapters.keras.model import WatchedModel
from tensorwarden.adapters.keras.names import is_loss, variable_name
from tensorwarden.adapters.keras.tensors import logged_number, prepared, to_dlpack
from tensorwarden.adapters.keras.workers import find_place
from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.troubles import say_once
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.hook.framework_hook import FrameworkHook
from tensorwarden.hook.options import HookOptions


class SavingHook(FrameworkHook):
    """The part of the Keras hook that uses the core. Errors raise; the callers catch them."""

    framework = "tensorflow"
    collection_manager: CollectionManager
    _manager_class = CollectionManager

    def _set_up(self, collection_manager: Any, options: HookOptions) -> None:
        super()._set_up(collection_manager, options)
        self._watched: List[WatchedModel] = []
        self._optimizers: List[Any] = []
        self._due = 0  # What is due in this step.
        self._numbers: Dict[str, int] = {}  # Numbers of tensors by name.
        self._optimizer_names: Set[str] = set()
        self._saved_collections: Set[str] = set()
        self._saved_metrics: Set[str] = set()  # Metrics saved at step _saved_metrics_step.
        self._saved_metrics_step = -1

    @property
    def worker(self) -> str:
        """The name of this worker: "worker_<rank>"."""
        return f"worker_{find_place().rank}"

    def _get_num_workers(self) -> int:
        return find_place().size

    # ---- Names.

    def matches(self, name: str) -> int:
        """Returns what must be due for a tensor with this name to be saved."""
        if self._raw_core is None:  # A graph is traced before its first step.
            self._prepare()
        assert self._raw_core is not None
        return int(self._raw_core.matches(name))

    def variable_name(self, variable: Any) -> str:
        """Returns the Keras 2 name of a variable of any registered model."""
        return variable_name(variable, [watched.name for watched in self._watched])

    def layer_names(self) -> Dict[int, str]:
        """Returns the names of the layers of all registered models, by id."""
        names: Dict[int, str] = {}
        for watched in self._watched:
            names.update(watched.names_by_id())
        return names

    def optimizer_variables(self, of: Optional[List[Any]] = None) -> Dict[str, Any]:
        """Returns the requested variables of wrapped optimizers, by name."""
        found: Dict[str, Any] = {}
        asked = CollectionKeys.OPTIMIZER_VARIABLES in self._saved_collections
        for optimizer in self._optimizers if of is None else of:
            for variable in getattr(optimizer, "variables", None) or ():
                name = variable_name(variable, [])
                if asked or self.matches(name):
                    self._optimizer_names.add(name)
                    found[name] = variable
        return found

    def _names_of(self, variable: Any) -> List[str]:
        names = [n for w in self._watched for n, known in w.weights() if known is variable]
        own = self.variable_name(variable)
        return [*names, own, f"weights/{own}"]

    def _prepare(self) -> None:
        self.collection_manager.add_patterns()
        layers = {id(layer): name for w in self._watched for name, layer in w.layers()}
        for collection in self.collection_manager.get_collections().values():
            resolve = getattr(collection, "resolve", None)
            if resolve is not None:
                resolve(self._names_of, lambda layer: layers.get(id(layer), str(layer.name)))
        self._saved_collections = {c.name for c in self._collections_to_save()}
        super()._prepare()

    # ---- Saving.

    def _forget_plans(self) -> None:
        for watched in self._watched:
            watched.plans.clear()

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._core.register(name)
        return number

    def _put_into(self, name: str, collection: str, value: Any) -> None:
        """Saves a tensor for the first time, in a collection whose patterns do not match it."""
        collections = [collection] if collection in self._saved_collections else []
        self._core.save_tensor(name, prepared(value), False, collections)
        self._number(name)

    def _save_metrics(self, metrics: Dict[str, Any], now: bool = False) -> None:
        """Saves metrics by name, each once per step; with `now`, whether due or not."""
        core = self._core
        step = core.step
        if self._saved_metrics_step != step:
            self._saved_metrics_step = step
            self._saved_metrics.clear()
        rest = metrics if now else core.save_metrics(metrics, self._numbers, self._saved_metrics)
        for name in rest:
            if name in self._saved_metrics:
                continue
            number = self._numbers.get(name)
            if now or number is None:
                self._save_metric(name, metrics[name], now)
            else:
                self._save_several(name, number, metrics[name])

    def _save_several(self, name: str, number: int, value: Any) -> None:
        """Saves a metric that is not a single number."""
        array = _logged_number(name, value)
        if array is not None:
            self._core.save(number, array)
            self._saved_metrics.add(name)

    def _save_metric(self, name: str, value: Any, now: bool) -> None:
        array = _logged_number(name, value)
        if array is None:
            return
        collections = [CollectionKeys.LOSSES if is_loss(name) else CollectionKeys.METRICS]
        if now:
            self._core.save_tensor_now(name, array, collections)
        else:
            self._core.save_tensor(name, array, False, collections)
        if self._core.wants(self._number(name)) or now:
            self._saved_metrics.add(name)

    def _save_named(self, tensors: Dict[str, Any]) -> None:
        for name, tensor in tensors.items():
            if name not in self._numbers and name in self._optimizer_names:
                self._put_into(name, CollectionKeys.OPTIMIZER_VARIABLES, tensor)
                continue
            number = self._number(name)
            if self._core.wants(number):
                self._save(name, number, tensor)

    def _save(self, name: str, number: int, tensor: Any) -> None:
        packed = to_dlpack(tensor)
        if packed is not None and self._core.save(number, packed):
            return
        try:
            self._core.save(number, prepared(tensor))
        except TypeError as error:
            say_once(f"'{name}' is not saved: {error}")

    def _save_variables(self, watched: WatchedModel, mode: ModeKeys) -> None:
        plan = watched.plans.get((self._due, mode))
        if plan is not None:
            for name, number, variable in plan:
                self._save(name, number, variable)
            return
        variables = dict(watched.weights())
        optimizer = getattr(watched.model, "optimizer", None)
        if mode is ModeKeys.TRAIN and optimizer is not None:
            variables.update(self.optimizer_variables([optimizer]))
        self._save_named(variables)
        numbered = ((name, self._numbers[name], v) for name, v in variables.items())
        watched.plans[self._due, mode] = [row for row in numbered if self._core.wants(row[1])]


def _logged_number(name: str, value: Any) -> Any:
    array = logged_number(value)
    if array is None:
        say_once(f"'{name}' is not saved: expected a number, got {type(value).__name__}")
    return array
