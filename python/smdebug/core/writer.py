"""The original's module of this name."""

from tensorwarden.file_writer import FileWriter

__all__ = ["FileWriter"]
