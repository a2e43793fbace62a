"""The cost of data loaders."""

from tensorwarden.profiler.notebook.dataloader_analysis import PT_dataloader_analysis

__all__ = [
    "PT_dataloader_analysis",
]
