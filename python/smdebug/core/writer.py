"""See `tensorwarden.file_writer`."""

from tensorwarden.file_writer import FileWriter

__all__ = ["FileWriter"]
