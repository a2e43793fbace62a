"""The original's module of this name."""

from tensorwarden.adapters.mxnet.collection import Collection, CollectionKeys, CollectionManager

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]
