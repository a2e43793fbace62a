"""A captured model: the names of its layers and variables."""

import weakref
from typing import Any, Dict, Iterator, List, Tuple

from tensorwarden.adapters.keras.names import (
    ACTIVATION_INPUTS,
    INPUTS,
    LABELS,
    PREDICTIONS,
    gradient_name,
    layers_by_name,
    parts,
    unique,
    variable_name,
)


class WatchedModel:
    """Names the layers and variables of a model.

    Names are computed on demand: a subclassed model creates its layers when it is first called.
    """

    def __init__(self, model: Any):
        self._model = weakref.ref(model)
        self.name = str(model.name)
        # The variables to save, with their names and numbers, by what is due and the mode. Valid
        # while the model does not change.
        self.plans: Dict[Tuple[int, Any], List[Tuple[str, int, Any]]] = {}

    @property
    def model(self) -> Any:
        """The model; None after the script has released it."""
        return self._model()

    def layers(self) -> List[Tuple[str, Any]]:
        """Returns all layers by name."""
        model = self.model
        return [] if model is None else list(layers_by_name(model))

    def names_by_id(self) -> Dict[int, str]:
        """Returns the names of all layers by id, for a Collector."""
        names = {id(layer): name for name, layer in self.layers()}
        if self.model is not None:
            names[id(self.model)] = ""
        return names

    def variable_name(self, variable: Any) -> str:
        """Returns the name of a variable without the name of the model."""
        return variable_name(variable, [self.name])

    def weights(self) -> List[Tuple[str, Any]]:
        """Returns the variables that are or were trained, by the names they are saved under."""
        model = self.model
        if model is None:
            return []
        seen: Dict[str, int] = {}
        known: Dict[int, Any] = {}
        found = []
        owners = [(str(layer.name), layer) for layer in parts(model)]
        own = [(self.name, v) for v in getattr(model, "_trainable_variables", ())]
        for layer, variable in [*own, *_trained(owners)]:
            if id(variable) in known:
                continue
            known[id(variable)] = variable
            name = f"{layer}/weights/{self.variable_name(variable)}"
            found.append((unique(name, seen), variable))
        return found

    def foreseen_names(self) -> Iterator[str]:
        """Yields names that tensors of a step may have, to check whether one is requested."""
        for base in (INPUTS, LABELS, PREDICTIONS):
            yield from (base, f"{base}_0", f"{base}_1")
        for name, _ in self.layers():
            yield f"{name}/{ACTIVATION_INPUTS}"
            for kind in ("inputs", "outputs"):
                yield from (f"{name}/{kind}{number}" for number in ("", "_0", "_1", "_2"))
            # Variables that do not exist yet.
            yield gradient_name(f"{name}/kernel:0")
            yield gradient_name(f"{name}/bias:0")
        for _, variable in self.weights():
            yield gradient_name(self.variable_name(variable))


def _trained(owners: List[Tuple[str, Any]]) -> Iterator[Tuple[str, Any]]:
    for name, layer in owners:
        own: Any = getattr(layer, "_trainable_variables", None)
        if own is None:
            own = getattr(layer, "trainable_weights", ())
        for variable in own:
            yield name, variable
        yield from _trained([(name, part) for part in parts(layer)])
