"""Tensorwarden: watches a training run from inside."""

from typing import Any

from tensorwarden._core import __version__

__all__ = ["Client", "__version__"]


def __getattr__(name: str) -> Any:
    # Training programs have no use for it, and should not wait for what it needs.
    if name == "Client":
        from tensorwarden.client import Client

        return Client
    raise AttributeError(f"module 'tensorwarden' has no attribute {name!r}")
