"""The original's module of this name."""

from tensorwarden.adapters.keras.sessions import EstimatorHook, SessionHook

__all__ = ["EstimatorHook", "SessionHook"]
