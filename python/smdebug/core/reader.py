"""See `tensorwarden.event_reader`."""

from tensorwarden.files.event_reader import FileReader

__all__ = ["FileReader"]
