"""See `tensorwarden.collection_manager`."""

from tensorwarden.collection_manager import CollectionManager

__all__ = ["CollectionManager"]
