"""Methods that scripts written for smdebug override or call in a subclass of the hook.

```python
class GradientsOfOutputs(smd.Hook):
    def forward_hook(self, module, inputs, outputs):
        outputs.register_hook(self.backward_hook(f"{module._module_name}_output"))
        self._write_outputs(module._module_name, outputs)
```
"""

from typing import Any, Callable

import torch

from tensorwarden.hook.framework_hook import FrameworkHook

_GRADIENT_PREFIX = "gradient/"


class OverridableHook(FrameworkHook):
    """The part of the PyTorch hook that a subclass may replace."""

    _due: int

    def forward_hook(self, module: torch.nn.Module, inputs: Any, outputs: Any) -> None:
        """Saves the inputs and outputs of a module.

        A subclass that overrides it is called after the forward pass of each module of a registered
        model, and of registered losses, at steps in which something is due.
        """
        name: Any = module._module_name
        self._write_inputs(name, inputs)
        self._write_outputs(name, outputs)

    def backward_hook(self, tname: str) -> Callable[[torch.Tensor], None]:
        """Returns a function for `Tensor.register_hook` that saves the gradient of a tensor as
        "gradient/<tname>"."""

        def back(gradient: torch.Tensor) -> None:
            if gradient is not None and self._due:
                self._guarded(self._save_one, f"{_GRADIENT_PREFIX}{tname}", gradient)

        return back

    def _write_inputs(self, name: str, inputs: Any) -> None:
        """Saves tensors as "<name>_input_0" and so on, if a collection that is due has them."""
        if self._due:
            self._save_nested(f"{name}_input_", inputs)

    def _write_outputs(self, name: str, outputs: Any) -> None:
        """Saves tensors as "<name>_output_0" and so on, if a collection that is due has them."""
        if self._due:
            self._save_nested(f"{name}_output_", outputs)

    @property
    def _overrides_forward_hook(self) -> bool:
        return type(self).forward_hook is not OverridableHook.forward_hook

    # ---- Provided by the hook.

    def _guarded(self, function: Callable[..., None], *args: Any) -> None:
        raise NotImplementedError

    def _save_nested(self, prefix: str, values: Any) -> None:
        raise NotImplementedError

    def _save_one(self, name: str, tensor: torch.Tensor) -> None:
        raise NotImplementedError
