"""MXNet's collections, to which a block's inputs and outputs can be added."""

import json
from typing import Any, Dict, Tuple

from tensorwarden import _core
from tensorwarden import collection as base
from tensorwarden import collection_manager as base_manager
from tensorwarden.collection import CollectionKeys

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]


class Collection(base.Collection):
    """A named set of tensors with what is saved of them and when."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._blocks: Dict[Any, Tuple[bool, bool]] = {}

    def add_block_tensors(self, block: Any, inputs: bool = False, outputs: bool = True) -> None:
        """Adds what goes into a block, or comes out of it. The block must be registered with the
        hook, or be part of one that is."""
        self._blocks[block] = (inputs, outputs)

    @property
    def blocks(self) -> Dict[Any, Tuple[bool, bool]]:
        """The blocks that were added, each with whether inputs and outputs are meant."""
        return self._blocks


class CollectionManager(base_manager.CollectionManager):
    """MXNet's collections by name; the built-in ones exist from the start."""

    collection_class = Collection

    def __init__(self, collections: Any = None, create_default: bool = True):
        super().__init__(collections, create_default)

    def _create_default(self) -> None:
        for collection in json.loads(_core.builtin_collections("mxnet")):
            self.add(Collection.from_dict(collection))
