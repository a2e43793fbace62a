"""See `tensorwarden.collection`."""

from tensorwarden.collection import Collection, CollectionKeys

__all__ = ["Collection", "CollectionKeys"]
