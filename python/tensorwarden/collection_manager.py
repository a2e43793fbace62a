"""The collections of a run, by name."""

import json
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Type, Union

from tensorwarden.collection import Collection
from tensorwarden.exceptions import SMDebugError, SMDebugTypeError, SMDebugValueError

_KEYS = ("collections", "_meta")


class CollectionManager:
    """Keeps collections by name and makes those that are asked for first."""

    # What create_collection makes.
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
        """For a framework's own manager, which knows what exists without configuration."""

    def create_collection(self, name: str, cls: Optional[Type[Collection]] = None) -> None:
        """Makes an empty one unless there is one of that name."""
        if name not in self.collections:
            self.collections[name] = (cls or self.collection_class)(name)

    def get_collections(self) -> Dict[str, Collection]:
        """All, by name; the dictionary itself, not a copy."""
        return self.collections

    def add(self, arg: Union[str, Collection]) -> None:
        """Adds a collection in place of any of its name, or makes one of that name."""
        if isinstance(arg, str):
            self.create_collection(arg)
        elif isinstance(arg, Collection):
            self.collections[arg.name] = arg
        else:
            raise SMDebugTypeError(f"{arg!r} is neither a Collection nor the name of one")

    def get(self, name: str, create: bool = True) -> Collection:
        """The one of that name, made if there is none and create says so."""
        if name not in self.collections:
            if not create:
                known = ", ".join(self.collections)
                raise SMDebugError(f"there is no collection '{name}'; there are {known}")
            self.create_collection(name)
        return self.collections[name]

    def update_meta(self, meta: Mapping[str, Any]) -> None:
        """Puts figures about the run over those known."""
        if not isinstance(meta, dict):
            raise SMDebugTypeError(f"meta is {meta!r}; accepted is a dictionary")
        self._meta.update(meta)

    def get_num_workers(self) -> int:
        """How many workers save."""
        return int(self._meta["num_workers"])

    def set_num_workers(self, num_workers: int) -> None:
        """Says how many workers save."""
        self._meta["num_workers"] = int(num_workers)

    def to_json_dict(self) -> Dict[str, Any]:
        """As the manifest has it."""
        return {
            "collections": {name: c.to_json_dict() for name, c in self.collections.items()},
            "_meta": self._meta,
        }

    def export(self, out_dir: str, filename: str) -> None:
        """Writes the manifest into a run's folder."""
        folder = Path(out_dir) / "collections" / "000000000"
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / (filename + ".tmp")
        unfinished.write_text(json.dumps(self.to_json_dict()))
        unfinished.rename(folder / filename)

    @classmethod
    def load(
        cls, filename: str, collection_class: Type[Collection] = Collection
    ) -> "CollectionManager":
        """From a manifest file."""
        return cls.load_from_string(Path(filename).read_text(), collection_class)

    @classmethod
    def load_from_string(
        cls, s: str, collection_class: Type[Collection] = Collection
    ) -> "CollectionManager":
        """From a manifest's text."""
        params = json.loads(s)
        for key in params:
            if key not in _KEYS:
                raise SMDebugValueError(f"unknown key {key!r}; accepted are {' and '.join(_KEYS)}")
        manager = cls(create_default=False)
        for collection in params["collections"].values():
            manager.add(collection_class.from_dict(collection))
        manager.update_meta(params.get("_meta", {}))
        return manager

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CollectionManager):
            return NotImplemented
        return self.collections == other.collections

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"CollectionManager({', '.join(self.collections)})"
