"""See `tensorwarden.file_writer`."""

from tensorwarden.files.file_writer import FileWriter

__all__ = ["FileWriter"]
