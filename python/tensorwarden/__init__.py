"""Tensorwarden: watches a training run from inside."""

from tensorwarden._core import __version__

__all__ = ["__version__"]
