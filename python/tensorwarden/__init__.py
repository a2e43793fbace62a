"""Tensorwarden captures tensors of ML trainings and finds problems in them."""

from typing import Any

from tensorwarden._core import __version__

__all__ = ["Client", "__version__", "show"]


def __getattr__(name: str) -> Any:
    # Imported on demand: training scripts do not need the client and its imports.
    if name == "Client":
        from tensorwarden.client import Client

        return Client
    if name == "show":
        from tensorwarden.report.shown_run import show

        return show
    raise AttributeError(f"module 'tensorwarden' has no attribute {name!r}")
