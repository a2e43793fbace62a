"""See `tensorwarden.adapters.keras.collection`."""

from tensorwarden.adapters.keras.collection import Collection, CollectionKeys, CollectionManager

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]
