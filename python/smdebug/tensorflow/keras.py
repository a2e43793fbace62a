"""See `tensorwarden.adapters.keras.hook`."""

from tensorwarden.adapters.keras.hook import KerasHook
from tensorwarden.collection import CollectionKeys
from tensorwarden.modes import ModeKeys

__all__ = ["CollectionKeys", "KerasHook", "ModeKeys"]
