"""Base class of the charts, and helpers for bokeh."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

# One color per series, distinguishable with color vision deficiency.
COLOURS = (
    *("#3b6fb6", "#d9792b", "#3a9a6b", "#b0413e", "#7d5ba6"),
    *("#8c6d46", "#c85a9c", "#6b7280", "#9aa233", "#2aa1b3"),
)


def colour(index: int) -> str:
    """Returns the color of the series with this number."""
    return COLOURS[index % len(COLOURS)]


def import_bokeh() -> Any:
    """Imports bokeh and the modules that charts use. Raises ImportError with instructions."""
    try:
        import bokeh.embed
        import bokeh.io
        import bokeh.layouts
        import bokeh.models
        import bokeh.plotting
        import bokeh.resources
    except ImportError as error:
        raise ImportError(
            f"cannot import bokeh, which draws the charts: {error}; run: pip install bokeh"
        ) from error
    return bokeh


def new_figure(width: int, height: int, **options: Any) -> Any:
    """Creates a figure of a size in pixels, with any version of bokeh."""
    bokeh = import_bokeh()
    version = tuple(int(part) for part in bokeh.__version__.split(".")[:2])
    prefix = "plot_" if version < (2, 4) else ""
    size = {f"{prefix}width": width, f"{prefix}height": height}
    return bokeh.plotting.figure(**size, **options)


def in_notebook() -> bool:
    """Returns whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


class Chart:
    """A group of figures.

    `layout` is the bokeh object that holds them; None before anything is drawn. In a notebook it is
    shown when it is drawn. Elsewhere, `save` writes it as a web page.
    """

    _notebook_is_ready = False

    def __init__(self) -> None:
        self.layout: Any = None
        self._handle: Any = None

    def show(self) -> Any:
        """Shows the figures if this is a notebook, and returns them."""
        if self.layout is not None and in_notebook():
            bokeh = import_bokeh()
            if not Chart._notebook_is_ready:
                # The scripts are embedded: reading the notebook needs no network.
                bokeh.io.output_notebook(bokeh.resources.INLINE, hide_banner=True)
                Chart._notebook_is_ready = True
            self._handle = bokeh.io.show(self.layout, notebook_handle=True)
        return self.layout

    def save(self, path: str | Path) -> str:
        """Writes the figures as a web page that needs no network; returns its path.

        Raises ValueError if nothing was drawn.
        """
        if self.layout is None:
            raise ValueError(f"cannot save: {type(self).__name__} has not drawn anything")
        bokeh = import_bokeh()
        page = bokeh.embed.file_html(self.layout, bokeh.resources.INLINE, type(self).__name__)
        Path(path).write_text(page)
        return str(path)

    def _draw(self, layout: Any) -> Any:
        self.layout = layout
        return self.show()

    def _push(self) -> None:
        """Sends changes of the sources to the notebook that shows them."""
        if self._handle is not None:
            import_bokeh().io.push_notebook(handle=self._handle)
