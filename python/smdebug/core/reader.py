"""See `tensorwarden.event_reader`."""

from tensorwarden.event_reader import FileReader

__all__ = ["FileReader"]
