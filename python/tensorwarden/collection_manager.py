"""See `tensorwarden.config.collection_manager`."""

from tensorwarden.config.collection_manager import CollectionManager

__all__ = ["CollectionManager"]
