"""Notices evaluation in train mode, and training in eval mode."""

from typing import Any, Dict

import torch
from torch import nn

from tensorwarden.auto.pytorch.training.journal import Journal

_BY_MODE = (nn.modules.batchnorm._BatchNorm, nn.modules.dropout._DropoutNd)


class Modes:
    """Follows the mode of each forward pass."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._depends: Dict[int, bool] = {}
        self._unlearned = 0  # Forward passes in a row without gradients, in train mode.
        self._trained = False  # A backward pass came in train mode.
        self._eval_backwards = 0
        self._last_was_eval = False

    def depends_on_mode(self, model: Any) -> bool:
        """Returns whether a module of the model behaves differently in train and eval mode."""
        known = self._depends.get(id(model))
        if known is None:
            known = any(
                isinstance(module, _BY_MODE) and getattr(module, "p", 1) > 0
                for module in model.modules()
            )
            self._depends[id(model)] = known
        return known

    def forward(self, model: Any) -> None:
        """A forward pass of a model begins."""
        self._last_was_eval = not model.training and self.depends_on_mode(model)
        if torch.is_grad_enabled():
            self._unlearned = 0
        elif model.training and self.depends_on_mode(model):
            self._unlearned += 1
            self._journal.note("forwards_without_gradient_in_train_mode", self._unlearned)

    def backward(self) -> None:
        """A loss is about to run backward."""
        if not self._last_was_eval:
            self._trained = True
            self._eval_backwards = 0
        elif self._trained:
            self._eval_backwards += 1
            self._journal.note("backwards_in_eval_mode", self._eval_backwards)
