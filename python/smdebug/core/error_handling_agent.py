"""See `tensorwarden.troubles`."""

from tensorwarden.base.troubles import BASE_ERROR_MESSAGE, ErrorHandlingAgent

__all__ = ["BASE_ERROR_MESSAGE", "ErrorHandlingAgent"]
