"""Capture in MXNet Gluon."""

from tensorwarden.adapters.mxnet.hook import Hook
from tensorwarden.adapters.mxnet.singleton import del_hook, get_hook, set_hook

__all__ = ["Hook", "del_hook", "get_hook", "set_hook"]
