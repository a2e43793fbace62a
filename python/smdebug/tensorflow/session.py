"""See `tensorwarden.adapters.keras.sessions`."""

from tensorwarden.adapters.keras.sessions import EstimatorHook, SessionHook

__all__ = ["EstimatorHook", "SessionHook"]
