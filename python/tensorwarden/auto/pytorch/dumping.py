"""Writes steps that are not finite into the run: `warden run --guard dump`."""

import math
import os
from typing import Any, Callable, Dict, List, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.compiling import compiling
from tensorwarden.adapters.pytorch.dumps.layout import DumpError, one_line, size_text
from tensorwarden.adapters.pytorch.dumps.recorder import ForwardPass, Recorder
from tensorwarden.adapters.pytorch.dumps.writing import BadStep, write_dump
from tensorwarden.auto.common.messages import warn

MOST_VARIABLE = "TENSORWARDEN_DUMPS"
SIZE_VARIABLE = "TENSORWARDEN_DUMP_BYTES"
_MOST_BYTES = 16 * 10**9


class Dumping:
    """Records what steps start from, and dumps bad ones. A failure is reported, and ends it."""

    def __init__(self, hook: Callable[[], Any], optimizers: Callable[[], List[Any]]) -> None:
        self._hook = hook
        self._optimizers = optimizers
        self._recorder = Recorder()
        self._left = int(os.environ.get(MOST_VARIABLE) or 1)
        self._most_bytes = int(os.environ.get(SIZE_VARIABLE) or _MOST_BYTES)

    @property
    def is_on(self) -> bool:
        """Whether another step would be dumped."""
        return self._left > 0

    def forward(self, model: Any, args: Any, kwargs: Dict[str, Any]) -> None:
        """A captured model is about to be called."""
        hook = self._hook()
        if self.is_on and hook is not None and model.training and torch.is_grad_enabled():
            named = getattr(model, "_orig_mod", model)
            # The hook counts the step only after this.
            self._try(self._recorder.forward, named, named._get_name(), hook.step + 1, args, kwargs)

    def output(self, _: Any, inputs: Any, outputs: Any) -> None:
        """A captured model has returned."""
        self._try(self._recorder.output, outputs)

    def loss(
        self, name: str, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any], value: Any
    ) -> None:
        """A loss module or function was called."""
        self._try(self._recorder.loss, name, module, args, kwargs, value)

    def backward(self, value: Any, scaler: Any = None) -> None:
        """A loss is about to run backward, or to be scaled for it."""
        self._try(self._recorder.backward, value, scaler)

    def stepped(self) -> None:
        """The models have changed, or the gradients are not used."""
        if self.is_on:
            self._recorder.clear()
        else:
            self._recorder = Recorder()  # Without the copies of buffers.

    def bad_loss(self) -> Optional[str]:
        """Returns a text about a loss of this step that is not finite, else None."""
        values = [p.value for p in self._recorder.passes if p.value is not None]
        bad = [float(v) for v in values if not math.isfinite(float(v))] if self.is_on else []
        return f"the loss is {bad[0]}" if bad else None

    def dump(self, why: str, found: Optional[Dict[str, Any]], scale: Optional[float]) -> None:
        """Writes this step."""
        if not self.is_on:
            return
        self._left -= 1
        passes = list(self._recorder.passes)
        hook = self._hook()
        if hook is None or not passes:
            warn("a bad step is not dumped: no forward pass of it was recorded")
            return
        try:
            self._write(hook, passes, why, found, scale)
        except Exception as error:
            reason = error if isinstance(error, DumpError) else one_line(error)
            warn(f"step {passes[-1].call.step} is not dumped: {reason}. Training continues.")

    def _write(
        self,
        hook: Any,
        passes: List[ForwardPass],
        why: str,
        found: Optional[Dict[str, Any]],
        scale: Optional[float],
    ) -> None:
        step = passes[-1].call.step
        steps = [made.call.step for made in passes]
        if scale is None:
            scale = next((p.scaler.get_scale() for p in passes if p.scaler is not None), None)
        bad = BadStep(
            step,
            hook.worker,
            why,
            found if found and found["step"] in steps else None,
            passes,
            self._recorder.left_out,
            self._optimizers(),
            scale if scale != 1 else None,
        )
        place, size = write_dump(str(hook.out_dir), bad, self._most_bytes)
        warn(
            f"step {step} is dumped to {place} ({size_text(size)}); run it again with: "
            f"warden replay {hook.out_dir} {step}"
        )

    def _try(self, method: Callable[..., None], *args: Any) -> None:
        if not self.is_on or compiling():
            return
        try:
            method(*args)
        except Exception as error:
            self._left = 0
            self._recorder.clear()
            warn(f"no steps are dumped: {type(error).__name__}: {error}. Training continues.")
