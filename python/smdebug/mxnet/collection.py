"""See `tensorwarden.adapters.mxnet.collection`."""

from tensorwarden.adapters.mxnet.collection import Collection, CollectionKeys, CollectionManager

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]
