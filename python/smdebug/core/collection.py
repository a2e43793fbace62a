"""See `tensorwarden.collection`."""

from tensorwarden.config.collection import Collection, CollectionKeys

__all__ = ["Collection", "CollectionKeys"]
