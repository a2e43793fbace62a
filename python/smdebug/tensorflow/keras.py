"""See `tensorwarden.adapters.keras.hook`."""

from tensorwarden.adapters.keras.hook import KerasHook
from tensorwarden.base.modes import ModeKeys
from tensorwarden.config.collection import CollectionKeys

__all__ = ["CollectionKeys", "KerasHook", "ModeKeys"]
