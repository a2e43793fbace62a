"""Capture in Keras and TensorFlow 2."""

from tensorwarden.adapters.keras.hook import KerasHook
from tensorwarden.adapters.keras.singleton import del_hook, get_hook, set_hook

__all__ = ["KerasHook", "del_hook", "get_hook", "set_hook"]
