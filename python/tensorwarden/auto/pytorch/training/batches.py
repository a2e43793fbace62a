"""Notices batches that repeat: the same one at every step, or one sample in all rows."""

import sys
import weakref
from pathlib import Path
from typing import Any, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.compiling import compiling, hide_from_torchscript
from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.pytorch.training.loading import Loading
from tensorwarden.base.patching import Patches

_MOST_ROWS = 64
_MOST_VALUES = 1 << 16
_LEAST_IN_A_ROW = 4  # Values of a sample; with fewer, samples may well be equal.


class Batches:
    """Compares the inputs of a model with those of the look before."""

    def __init__(self, journal: Journal, loading: Loading) -> None:
        self._journal = journal
        self._loading = loading
        self._orders = _Orders()
        self._last: weakref.WeakKeyDictionary[Any, torch.Tensor] = weakref.WeakKeyDictionary()
        self._repeats = 0

    def watch(self) -> None:
        """Watches for permutations, in which a script goes through its data."""
        self._orders.watch()

    def forget_orders(self) -> None:
        """A training begins: what was drawn before has split the data, not ordered it."""
        self._orders.longest = 0

    def look(self, model: Any, inputs: Tuple[Any, ...]) -> None:
        """Looks at the inputs of a model, or of its first layer."""
        tensors = [v for v in inputs if type(v) is torch.Tensor and v.dim() > 0]
        if not tensors or len(tensors[0]) < 2 or tensors[0].numel() == 0:
            return
        first = tensors[0].detach()
        with torch.no_grad():
            part = first[:_MOST_ROWS].reshape(min(len(first), _MOST_ROWS), -1)
            part = part[:, : max(1, _MOST_VALUES // len(part))]
            same_rows = bool((part == part[:1]).all())
            if part.shape[1] >= _LEAST_IN_A_ROW:
                several = bool((part[0] != part[0, 0]).any())
                self._journal.note("input_rows_same", float(same_rows and several))
            if same_rows or any(len(tensor) != len(first) for tensor in tensors):
                return
            self._compare(model, part, len(first))

    def _compare(self, model: Any, part: torch.Tensor, rows: int) -> None:
        before = self._last.get(model)
        self._last[model] = part.clone()
        drawn = self._loading.take_drawn() or self._orders.longest >= 2 * rows
        if before is None or before.device != part.device or before.shape[1:] != part.shape[1:]:
            return
        common = min(len(before), len(part))
        same = drawn and torch.equal(before[:common], part[:common])
        self._repeats = self._repeats + 1 if same else 0
        self._journal.note("same_batch", self._repeats)


class _Orders:
    """Notices the longest permutation that a script draws itself."""

    _MOST_CALLS = 64  # Then scripts have shown what they do.

    def __init__(self) -> None:
        self.longest = 0
        self._calls = 0
        self._patches = Patches()
        self._library = str(Path(torch.__file__).parent)

    def watch(self) -> None:
        self._patches.put(torch, "randperm", self._wrap)
        hide_from_torchscript(self._patches)

    def _wrap(self, original: Any) -> Any:
        def randperm(*args: Any, **kwargs: Any) -> Any:
            if not compiling():
                self._note(args[0] if args else kwargs.get("n"), sys._getframe(1))
            return original(*args, **kwargs)

        return randperm

    def _note(self, length: Optional[Any], caller: Any) -> None:
        if isinstance(length, int) and not caller.f_code.co_filename.startswith(self._library):
            self.longest = max(self.longest, length)
            self._calls += 1
            if self._calls >= self._MOST_CALLS:
                self._patches.remove()
