"""MXNet collections, to which inputs and outputs of blocks can be added."""

import json
from typing import Any, Dict, Tuple

from tensorwarden import _core
from tensorwarden.config import collection as base
from tensorwarden.config import collection_manager as base_manager
from tensorwarden.config.collection import CollectionKeys

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]


class Collection(base.Collection):
    """A named set of tensors with settings for what is saved of them and when."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._blocks: Dict[Any, Tuple[bool, bool]] = {}

    def add_block_tensors(self, block: Any, inputs: bool = False, outputs: bool = True) -> None:
        """Adds the inputs or outputs of a block.

        The block must be registered with the hook or belong to a registered block.
        """
        self._blocks[block] = (inputs, outputs)

    @property
    def blocks(self) -> Dict[Any, Tuple[bool, bool]]:
        """The added blocks, each with whether its inputs and outputs are included."""
        return self._blocks


class CollectionManager(base_manager.CollectionManager):
    """MXNet collections by name. The built-in collections exist from the start."""

    collection_class = Collection

    def __init__(self, collections: Any = None, create_default: bool = True):
        super().__init__(collections, create_default)

    def _create_default(self) -> None:
        for collection in json.loads(_core.builtin_collections("mxnet")):
            self.add(Collection.from_dict(collection))
