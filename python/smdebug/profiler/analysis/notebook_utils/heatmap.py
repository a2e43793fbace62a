"""System metrics at a glance."""

from tensorwarden.profiler.notebook.heatmap import Heatmap

__all__ = [
    "Heatmap",
]
