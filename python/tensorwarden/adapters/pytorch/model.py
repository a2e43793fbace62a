"""A registered model: its names, and which of its tensors are looked at when."""

from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Tuple

import torch

from tensorwarden.troubles import say_once

# Enough numbered inputs and outputs to see whether a pattern is meant for them.
_PROBES = range(16)


class Watched(NamedTuple):
    """What is looked at in a step in which certain collections are due."""

    parameters: List[torch.Tensor]
    parameter_numbers: List[int]
    gradients: List[Tuple[torch.Tensor, int]]
    modules: List[Tuple[Any, str]]


class Model:
    """A root module with the names that its tensors are saved under."""

    def __init__(self, root: torch.nn.Module):
        self.root = root
        # The compiled form of a model has the model's own names.
        self.named = getattr(root, "_orig_mod", root)
        self.name = self.named._get_name()
        self.modules: Dict[Any, str] = {}
        for name, module in self.named.named_modules():
            self.modules[module] = name
        self.modules[self.named] = self.name
        for module, name in self.modules.items():
            _set_name(module, name)
        if root is not self.named:
            _set_name(root, self.name)
        self._watched: Dict[int, Watched] = {}
        self._parameters: List[Tuple[str, torch.Tensor, bool]] = []

    def watched(
        self,
        due: int,
        matches: Callable[[str], int],
        number: Callable[[str], int],
    ) -> Watched:
        """What is looked at when these collections are due. Kept until parameters come, go or are
        frozen, which is looked for whenever parameters or gradients are saved."""
        known = self._watched.get(due)
        if known is not None and not (known.parameters or known.gradients):
            return known
        parameters = list(self._named_parameters())
        if not _same(parameters, self._parameters):
            self._parameters = parameters
            self._watched.clear()
            known = None
        if known is None:
            known = self._watch(due, matches, number)
            self._watched[due] = known
        return known

    def _watch(
        self,
        due: int,
        matches: Callable[[str], int],
        number: Callable[[str], int],
    ) -> Watched:
        saved = [(p, name) for name, p, _ in self._parameters if matches(name) & due]
        gradients = [
            (p, f"gradient/{name}") for name, p, requires_grad in self._parameters if requires_grad
        ]
        return Watched(
            [p for p, _ in saved],
            [number(name) for _, name in saved],
            [(p, number(name)) for p, name in gradients if matches(name) & due],
            [
                (module, name)
                for module, name in self.modules.items()
                if any(
                    matches(f"{name}_{kind}_{k}") & due
                    for k in _PROBES
                    for kind in ("output", "input")
                )
            ],
        )

    def _named_parameters(self) -> Iterator[Tuple[str, torch.Tensor, bool]]:
        for name, parameter in self.named.named_parameters():
            yield f"{self.name}_{name}", parameter, parameter.requires_grad

    def describe(self) -> str:
        """One line for the log."""
        count = sum(p.numel() for p in self.named.parameters() if p.requires_grad)
        return f"{self.name} with {count:,} trainable parameters"


def _same(a: List[Tuple[str, torch.Tensor, bool]], b: List[Tuple[str, torch.Tensor, bool]]) -> bool:
    return len(a) == len(b) and all(
        x[1] is y[1] and x[2] == y[2] and x[0] == y[0] for x, y in zip(a, b)
    )


def _set_name(module: Any, name: str) -> None:
    """Scripts read it; a scripted module takes no new attributes."""
    if isinstance(module, torch.jit.ScriptModule):
        say_once(
            f"'{name}' is compiled by TorchScript: its parameters, gradients, inputs and outputs "
            "are captured, but not those of the modules inside it"
        )
        return
    module._module_name = name
