"""Keras collections, to which variables and layers can be added."""

import json
import re
from typing import Any, Callable, Dict, List, Optional, Tuple

from tensorwarden import _core
from tensorwarden.adapters.keras.names import PATTERNS
from tensorwarden.base.exceptions import SMDebugTypeError
from tensorwarden.base.modes import ModeKeys
from tensorwarden.config import collection as base
from tensorwarden.config import collection_manager as base_manager
from tensorwarden.config.collection import CollectionKeys

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]

_BUILTIN_BIASES = next(
    collection["include_regex"]
    for collection in json.loads(_core.builtin_collections("tensorflow"))
    if collection["name"] == CollectionKeys.BIASES
)


class Collection(base.Collection):
    """A named set of tensors with settings for what is saved of them and when."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._layers: List[Tuple[Any, bool, bool]] = []
        self._added: List[Any] = []

    def add(self, arg: Any) -> None:
        """Adds a variable, a named tensor, a tensor name, or a list or set of them.

        Raises SMDebugTypeError for anything else.
        """
        if isinstance(arg, (list, tuple, set)):
            for part in arg:
                self.add(part)
        elif isinstance(arg, str):
            self.add_tensor_name(arg)
        elif hasattr(arg, "path") or hasattr(arg, "name"):
            self._added.append(arg)
        else:
            raise SMDebugTypeError(
                f"cannot add {arg!r} to collection '{self.name}'; expected a variable, a named "
                "tensor, or a list or set of them"
            )

    def add_for_mode(self, arg: Any, mode: Optional[ModeKeys] = None) -> None:
        """Adds a tensor like `add`. It is saved in every mode in which it exists."""
        self.add(arg)

    def add_keras_layer(self, layer: Any, inputs: bool = False, outputs: bool = True) -> None:
        """Adds the inputs or outputs of a layer.

        The layer must belong to a model that the hook sees before the first step. Raises
        SMDebugTypeError for anything but a layer.
        """
        if not hasattr(layer, "name"):
            raise SMDebugTypeError(f"layer is {layer!r}; expected a Keras layer")
        self._layers.append((layer, inputs, outputs))

    def resolve(
        self, variable_names: Callable[[Any], List[str]], layer_name: Callable[[Any], str]
    ) -> None:
        """Replaces the added objects with their names, once the models are known."""
        for variable in self._added:
            self.tensor_names.update(variable_names(variable))
        for layer, inputs, outputs in self._layers:
            for kind, wanted in (("inputs", inputs), ("outputs", outputs)):
                if wanted:
                    self.include(rf"^{re.escape(layer_name(layer))}/{kind}(?:_\d+)?$")
        self._added, self._layers = [], []


class CollectionManager(base_manager.CollectionManager):
    """Keras collections by name. The built-in collections exist from the start."""

    collection_class = Collection

    def __init__(self, collections: Optional[Dict[str, Any]] = None, create_default: bool = True):
        super().__init__(collections, create_default)

    def _create_default(self) -> None:
        for collection in json.loads(_core.builtin_collections("tensorflow")):
            self.add(Collection.from_dict(collection))

    def add_patterns(self) -> None:
        """Adds the patterns of the built-in collections, also if the user configured them."""
        for name, pattern in PATTERNS.items():
            collection = self.collections.get(name)
            if collection is None:
                continue
            if name == CollectionKeys.BIASES:
                # smdebug's pattern also finds an optimizer's variables, such as Adam's moments.
                collection.include_regex = [
                    regex for regex in collection.include_regex if regex not in _BUILTIN_BIASES
                ]
            if pattern not in collection.include_regex:
                collection.include(pattern)
