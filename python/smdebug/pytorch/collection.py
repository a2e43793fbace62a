"""See `tensorwarden.adapters.pytorch.collection`."""

from tensorwarden.adapters.pytorch.collection import Collection, CollectionKeys, CollectionManager

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]
