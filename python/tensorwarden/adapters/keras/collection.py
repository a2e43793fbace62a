"""Keras's collections, to which variables and layers can be added."""

import json
import re
from typing import Any, Callable, Dict, List, Optional, Tuple

from tensorwarden import _core
from tensorwarden import collection as base
from tensorwarden import collection_manager as base_manager
from tensorwarden.adapters.keras.names import PATTERNS
from tensorwarden.collection import CollectionKeys
from tensorwarden.exceptions import SMDebugTypeError
from tensorwarden.modes import ModeKeys

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]


class Collection(base.Collection):
    """A named set of tensors with what is saved of them and when."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._layers: List[Tuple[Any, bool, bool]] = []
        self._added: List[Any] = []

    def add(self, arg: Any) -> None:
        """Adds a variable, a tensor with a name, or a list or set of them."""
        if isinstance(arg, (list, tuple, set)):
            for part in arg:
                self.add(part)
        elif isinstance(arg, str):
            self.add_tensor_name(arg)
        elif hasattr(arg, "path") or hasattr(arg, "name"):
            self._added.append(arg)
        else:
            raise SMDebugTypeError(
                f"{arg!r} cannot be added to collection '{self.name}'; accepted are variables, "
                "tensors that have a name, and lists and sets of them"
            )

    def add_for_mode(self, arg: Any, mode: Optional[ModeKeys] = None) -> None:
        """As add: a tensor of that name is saved in whatever mode it exists."""
        self.add(arg)

    def add_keras_layer(self, layer: Any, inputs: bool = False, outputs: bool = True) -> None:
        """Adds what goes into a layer, or comes out of it. The layer must be part of a model that
        the hook sees before the first step."""
        if not hasattr(layer, "name"):
            raise SMDebugTypeError(f"{layer!r} is no Keras layer")
        self._layers.append((layer, inputs, outputs))

    def resolve(
        self, variable_names: Callable[[Any], List[str]], layer_name: Callable[[Any], str]
    ) -> None:
        """Puts the names of what was added in place of it, now that the models are known."""
        for variable in self._added:
            self.tensor_names.update(variable_names(variable))
        for layer, inputs, outputs in self._layers:
            for kind, wanted in (("inputs", inputs), ("outputs", outputs)):
                if wanted:
                    self.include(rf"^{re.escape(layer_name(layer))}/{kind}(?:_\d+)?$")
        self._added, self._layers = [], []


class CollectionManager(base_manager.CollectionManager):
    """Keras's collections by name; the built-in ones exist from the start."""

    collection_class = Collection

    def __init__(self, collections: Optional[Dict[str, Any]] = None, create_default: bool = True):
        super().__init__(collections, create_default)

    def _create_default(self) -> None:
        for collection in json.loads(_core.builtin_collections("tensorflow")):
            self.add(Collection.from_dict(collection))

    def add_patterns(self) -> None:
        """Fills the built-in collections, whoever configured them."""
        for name, pattern in PATTERNS.items():
            collection = self.collections.get(name)
            if collection is not None and pattern not in collection.include_regex:
                collection.include(pattern)
