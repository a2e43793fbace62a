"""Manages the collections of a run by name."""

import json
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Type, Union

from tensorwarden.base.exceptions import SMDebugError, SMDebugTypeError, SMDebugValueError
from tensorwarden.config.collection import Collection

_KEYS = ("collections", "_meta")


class CollectionManager:
    """Holds the collections of a run by name and creates missing ones on request."""

    # The class that create_collection instantiates.
    collection_class: Type[Collection] = Collection

    def __init__(
        self,
        collections: Optional[Dict[str, Collection]] = None,
        create_default: bool = False,
    ):
        self.collections: Dict[str, Collection] = {} if collections is None else collections
        self._meta: Dict[str, Any] = {"num_workers": 1}
        if create_default:
            self._create_default()

    def _create_default(self) -> None:
        """Creates the built-in collections; overridden by the managers of the frameworks."""

    def create_collection(self, name: str, cls: Optional[Type[Collection]] = None) -> None:
        """Creates an empty collection unless one with this name exists."""
        if name not in self.collections:
            self.collections[name] = (cls or self.collection_class)(name)

    def get_collections(self) -> Dict[str, Collection]:
        """Returns all collections by name. This is the internal dictionary, not a copy."""
        return self.collections

    def add(self, arg: Union[str, Collection]) -> None:
        """Adds a collection, replacing any with the same name. A string creates an empty
        collection."""
        if isinstance(arg, str):
            self.create_collection(arg)
        elif isinstance(arg, Collection):
            self.collections[arg.name] = arg
        else:
            raise SMDebugTypeError(f"collection is {arg!r}; expected a Collection or a name")

    def get(self, name: str, create: bool = True) -> Collection:
        """Returns the collection with this name.

        With `create`, a missing collection is created; otherwise it raises SMDebugError.
        """
        if name not in self.collections:
            if not create:
                known = ", ".join(self.collections)
                raise SMDebugError(f"unknown collection '{name}'; expected one of: {known}")
            self.create_collection(name)
        return self.collections[name]

    def update_meta(self, meta: Mapping[str, Any]) -> None:
        """Updates the metadata of the run, for example `num_workers`."""
        if not isinstance(meta, dict):
            raise SMDebugTypeError(f"meta is {meta!r}; expected a dictionary")
        self._meta.update(meta)

    def get_num_workers(self) -> int:
        """Returns the number of workers that save."""
        return int(self._meta["num_workers"])

    def set_num_workers(self, num_workers: int) -> None:
        """Sets the number of workers that save."""
        self._meta["num_workers"] = int(num_workers)

    def to_json_dict(self) -> Dict[str, Any]:
        """Returns the collections and metadata in the format of the manifest."""
        return {
            "collections": {name: c.to_json_dict() for name, c in self.collections.items()},
            "_meta": self._meta,
        }

    def export(self, out_dir: str, filename: str) -> None:
        """Writes the manifest into the run's folder."""
        folder = Path(out_dir) / "collections" / "000000000"
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / (filename + ".tmp")
        unfinished.write_text(json.dumps(self.to_json_dict()))
        unfinished.rename(folder / filename)

    @classmethod
    def load(
        cls, filename: str, collection_class: Type[Collection] = Collection
    ) -> "CollectionManager":
        """Reads a manifest file."""
        return cls.load_from_string(Path(filename).read_text(), collection_class)

    @classmethod
    def load_from_string(
        cls, s: str, collection_class: Type[Collection] = Collection
    ) -> "CollectionManager":
        """Parses the text of a manifest. Raises SMDebugValueError for an unknown key."""
        params = json.loads(s)
        for key in params:
            if key not in _KEYS:
                raise SMDebugValueError(f"unknown key {key!r}; expected one of: {', '.join(_KEYS)}")
        manager = cls(create_default=False)
        for collection in params["collections"].values():
            manager.add(collection_class.from_dict(collection))
        manager.update_meta(params.get("_meta", {}))
        return manager

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CollectionManager):
            return NotImplemented
        return self.collections == other.collections

    __hash__ = None  # type: ignore[assignment]  # Mutable, not hashable.

    def __repr__(self) -> str:
        return f"CollectionManager({', '.join(self.collections)})"
