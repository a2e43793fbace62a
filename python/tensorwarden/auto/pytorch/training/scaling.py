"""Follows mixed precision scalers: by what they multiply losses, and which steps they leave out."""

from typing import Any

import torch

from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.pytorch.training.late_number import LateNumber

# In a row, after a step that was done. A scaler skips a few whenever its scale is too large.
# As in warden/rules/loss_scaler.cc, which says when it is reported.
_TOO_MANY = 5
_GPU_EVERY = 5  # Losses after which the scale of a GPU is sent again.


class Scaling:
    """Knows the scale, and how many steps in a row were left out.

    A scale on a GPU is read when the host has waited for the gradients anyway, or late.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._scale = 1.0  # The last one that is known.
        self._in_a_row = 0
        self._has_stepped = False
        self._losses = 0
        self._late_scale = LateNumber()
        self._late_found = LateNumber()

    def scale(self, scaler: Any) -> None:
        """A scaler is about to multiply a loss."""
        self._losses += 1
        self._look(scaler, is_idle=False)
        self._journal.note("loss_scale", self._scale)

    def step(self, scaler: Any, skipped: bool) -> None:
        """A scaler has called an optimizer, or has not because its gradients are not finite."""
        self._look(scaler, is_idle=skipped)
        self._note(skipped)

    def step_of(self, optimizer: Any) -> None:
        """An optimizer is called that leaves out steps on its own if `found_inf` is not 0."""
        found = optimizer.found_inf
        if not found.is_cuda:
            self._note(bool(found))
            return
        late = self._late_found.take()
        if late is not None:
            self._note(late != 0)
        if not torch.cuda.is_current_stream_capturing():
            self._late_found.send(found)

    @property
    def is_stuck(self) -> bool:
        """Whether the last step was left out for another reason than too large a scale."""
        too_many = self._has_stepped and self._in_a_row >= _TOO_MANY
        return self._in_a_row > 0 and (too_many or self._scale <= 1)

    def _note(self, skipped: bool) -> None:
        self._in_a_row = self._in_a_row + 1 if skipped else 0
        self._has_stepped = self._has_stepped or not skipped
        self._journal.note("scaler_skipped", self._in_a_row)
        self._journal.note("loss_scale", self._scale)

    def _look(self, scaler: Any, is_idle: bool) -> None:
        """Reads the scale. `is_idle`: the host has just waited for the GPU."""
        scale = getattr(scaler, "_scale", None)  # None before the first loss.
        if scale is None or is_idle or not scale.is_cuda:
            self._scale = float(scaler.get_scale())
        elif not torch.cuda.is_current_stream_capturing():
            late = self._late_scale.take()
            if late is not None:
                self._scale = late
            if self._losses % _GPU_EVERY == 1:
                self._late_scale.send(scale)
