"""Counts the losses whose graphs are still in memory."""

from typing import Any

MARK = "tensorwarden"


class Graphs:
    """Marks losses in their graphs, and knows how many marked ones are alive; not of bare steps.

    The mark is an entry in the metadata of the graph's last node. It keeps nothing alive, and
    disappears with the node.
    """

    def __init__(self) -> None:
        self.alive = 0

    def mark(self, value: Any) -> None:
        """Marks a loss that was recorded."""
        metadata = getattr(getattr(value, "grad_fn", None), "metadata", None)
        if metadata is not None and MARK not in metadata:
            metadata[MARK] = _Mark(self)

    def mark_uncounted(self, value: Any) -> None:
        """The same in a bare step, without counting it."""
        metadata = getattr(getattr(value, "grad_fn", None), "metadata", None)
        if metadata is not None and MARK not in metadata:
            metadata[MARK] = None


class _Mark:
    __slots__ = ("_graphs",)

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs
        graphs.alive += 1

    def __del__(self) -> None:
        self._graphs.alive -= 1
