"""Notices evaluation in train mode, and training in eval mode."""

from typing import Any, Dict

import torch
from torch import nn

from tensorwarden.adapters.pytorch.compiling import compiling, hide_from_torchscript
from tensorwarden.auto.common.journal import Journal
from tensorwarden.base.lines import calling_line
from tensorwarden.base.patching import Patches

_IN_A_ROW = 3
_BY_MODE = (nn.modules.batchnorm._BatchNorm, nn.modules.dropout._DropoutNd)


class Modes:
    """Follows the mode of each forward pass."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._dropout = _Dropout()
        self._depends: Dict[int, bool] = {}
        self._unlearned = 0  # Forward passes in a row without gradients, in train mode.
        self._evaluations = 0  # Of these, those that were evaluations.
        self._trained = False  # A backward pass came in train mode.
        self.saw_backward = False
        self._eval_backwards = 0
        self._in_eval = 0  # Forward passes in eval mode.
        self._eval_forward = False  # Since the last backward pass, with gradients.

    def watch(self) -> None:
        """Watches for dropout that is not a module."""
        self._dropout.watch()

    def depends_on_mode(self, model: Any) -> bool:
        """Returns whether a module of the model behaves differently in train and eval mode."""
        if self._dropout.seen:
            return True
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
        if model.training and torch.is_grad_enabled():
            self._unlearned = 0
            return
        if not model.training:
            self._in_eval += 1
            self._journal.note("forwards_in_eval_mode", self._in_eval)
        if torch.is_grad_enabled() and not model.training and self.depends_on_mode(model):
            self._eval_forward = True
        if torch.is_grad_enabled():
            self._unlearned = 0
        elif model.training and self.depends_on_mode(model):
            self._unlearned += 1
            if self._unlearned >= _IN_A_ROW:  # Samples for another model come one by one.
                self._note_evaluation()

    def forward_of_training(self) -> None:
        """A forward pass begins, in train mode and with gradients."""
        self._unlearned = 0

    @property
    def looks_at_losses(self) -> bool:
        """Whether the next loss tells what a forward pass was for."""
        return self._unlearned > 0 or not self.saw_backward

    def loss_without_gradient(self) -> None:
        """A loss is computed while gradients are off."""
        if 0 < self._unlearned < _IN_A_ROW:
            self._note_evaluation()

    def _note_evaluation(self) -> None:
        self._evaluations += 1
        self._journal.note("evaluations_in_train_mode", self._evaluations)
        if not self._journal.has("evaluation_line"):
            self._journal.fact("evaluation_line", calling_line())

    def backward(self) -> None:
        """A loss is about to run backward."""
        self.saw_backward = True
        was_eval, self._eval_forward = self._eval_forward, False
        if not was_eval:
            self._trained = True
            self._eval_backwards = 0
        elif self._trained:
            self._eval_backwards += 1
            self._journal.note("backwards_in_eval_mode", self._eval_backwards)
            if not self._journal.has("eval_mode_line"):
                self._journal.fact("eval_mode_line", calling_line())


class _Dropout:
    """Notices the function dropout, until it is called in train mode for the first time."""

    def __init__(self) -> None:
        self.seen = False
        self._patches = Patches()

    def watch(self) -> None:
        self._patches.put(nn.functional, "dropout", self._wrap)
        hide_from_torchscript(self._patches)

    def _wrap(self, original: Any) -> Any:
        def dropout(
            input: Any,
            p: float = 0.5,
            training: bool = True,
            inplace: bool = False,
        ) -> Any:
            if not compiling() and training and p > 0 and not self.seen:
                self.seen = True
                self._patches.remove()
            return original(input, p, training, inplace)

        return dropout
