"""A registered model: its names, and which of its tensors are watched when."""

import contextlib
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

import torch
from torch.nn.parameter import is_lazy

from tensorwarden.adapters.pytorch.backward import RecallCheck
from tensorwarden.adapters.pytorch.inert import Compilations, ModuleHook, inside_of_compiled
from tensorwarden.adapters.pytorch.tensors import PROBES
from tensorwarden.base.troubles import say_once

# States of a parameter. It has no shape until the first forward pass in nn.LazyLinear.
_TRAINED, _FROZEN, _SHAPELESS = "trained", "frozen", "shapeless"


class WatchedModule(NamedTuple):
    """A module, and whether plain inputs and outputs of it are requested."""

    module: Any
    name: str
    inputs: bool
    outputs: bool


class Watched(NamedTuple):
    """What is watched in a step in which certain collections are due."""

    parameters: List[torch.Tensor]
    parameter_numbers: List[int]
    trained: List[torch.Tensor]  # Parameters whose gradients are requested.
    gradient_numbers: List[int]
    modules: List[WatchedModule]
    inside: List[Tuple[Any, str]]  # Modules that are requested, but inside of compiled ones.
    others: List[Tuple[Any, str]]  # Modules requested only if they have unforeseen names.
    of_parameters: (
        bool  # Whether parameters or gradients are requested, even if there are none now.
    )


class Model:
    """A root module with the names under which its tensors are saved."""

    def __init__(self, root: torch.nn.Module):
        self.root = root
        # The compiled form of a model uses the model's names.
        self.named = getattr(root, "_orig_mod", root)
        self.name = self.named._get_name()
        # PyTorch does not call modules inside a scripted one.
        self.modules: Dict[Any, str] = {}
        scripted = None
        for name, module in self.named.named_modules():
            if scripted is not None and name.startswith(scripted):
                continue
            if isinstance(module, torch.jit.ScriptModule):
                scripted = f"{name}." if name else ""
            self.modules[module] = name
        self.modules[self.named] = self.name
        for module, name in self.modules.items():
            _set_name(module, name)
        if root is not self.named:
            _set_name(root, self.name)
        self._is_compiled = root is not self.named
        self.recalls = RecallCheck()
        # For watched modules: whether they have dictionaries or more tensors than foreseen.
        self.has_more_names: Dict[Any, bool] = {}
        # The hook that begins a step.
        self.entry: Optional[ModuleHook] = None
        self._watched: Dict[int, Watched] = {}
        self._compilations = Compilations.count
        self._parameters: List[Tuple[str, torch.Tensor, str]] = []

    def captured_modules(self) -> Dict[Any, str]:
        """Returns the modules whose inputs and outputs are captured, with their names.

        For a compiled model, returns only the model.
        """
        return {self.named: self.name} if self.is_compiled() else self.modules

    def hookable_modules(self) -> List[Any]:
        """Returns the model and those of its parts that call hooks: neither scripted ones nor parts
        of compiled ones."""
        compiled = self._compiled_parts()
        parts = [
            module
            for module in self.modules
            if module is not self.named
            and module not in compiled
            and not isinstance(module, torch.jit.ScriptModule)
        ]
        return [*parts, self.root]

    def watched(
        self,
        due: int,
        matches: Callable[[str], int],
        number: Callable[[str], int],
        unforeseen: bool = True,
    ) -> Watched:
        """Returns what is watched when these collections are due. `unforeseen`: names may be
        requested that depend on what modules return.

        Valid until parameters are added, removed or frozen, which is checked whenever parameters or
        gradients are saved.
        """
        if self._compilations != Compilations.count:
            self._compilations = Compilations.count
            self._watched.clear()
        known = self._watched.get(due)
        if known is not None and not known.of_parameters:
            return known
        parameters = list(self._named_parameters())
        if not _same(parameters, self._parameters):
            self._parameters = parameters
            self._watched.clear()
            known = None
        if known is None:
            known = self._watch(due, matches, number, unforeseen)
            self._watched[due] = known
        return known

    def known(self, due: int) -> Optional[Watched]:
        """Returns the last result of watched(); None if there is none."""
        return self._watched.get(due)

    def _watch(
        self,
        due: int,
        matches: Callable[[str], int],
        number: Callable[[str], int],
        unforeseen: bool,
    ) -> Watched:
        saved = [row for row in self._parameters if matches(row[0]) & due]
        gradients = [row for row in self._parameters if matches(f"gradient/{row[0]}") & due]
        modules: List[WatchedModule] = []
        inside: List[Tuple[Any, str]] = []
        others: List[Tuple[Any, str]] = []
        compiled = self._compiled_parts()
        for module, name in self.modules.items():
            outputs, inputs = (
                any(matches(f"{name}_{kind}_{k}") & due for k in PROBES)
                for kind in ("output", "input")
            )
            wanted = outputs or inputs
            if module in compiled:
                if wanted:
                    inside.append((module, name))
            elif wanted:
                modules.append(WatchedModule(module, name, inputs, outputs))
            elif unforeseen:
                others.append((module, name))
        trained = [(p, name) for name, p, state in gradients if state == _TRAINED]
        ready = [(p, name) for name, p, state in saved if state != _SHAPELESS]
        return Watched(
            [p for p, _ in ready],
            [number(name) for _, name in ready],
            [p for p, _ in trained],
            [number(f"gradient/{name}") for _, name in trained],
            modules,
            inside,
            others,
            bool(saved or gradients),
        )

    def _compiled_parts(self) -> Set[Any]:
        """The modules inside of compiled ones. The model itself is none, in whatever form it was
        registered."""
        whole = self.is_compiled()
        compiled = set(self.modules) if whole else inside_of_compiled(self.root)
        return compiled - {self.named}

    def is_compiled(self) -> bool:
        """Returns whether the model runs as a whole as compiled code."""
        return self._is_compiled or (self.entry is not None and self.entry.between_compiled)

    def _named_parameters(self) -> Iterator[Tuple[str, torch.Tensor, str]]:
        for name, parameter in self.named.named_parameters():
            if is_lazy(parameter):
                state = _SHAPELESS
            else:
                state = _TRAINED if parameter.requires_grad else _FROZEN
            yield f"{self.name}_{name}", parameter, state

    @property
    def device(self) -> str:
        """The kind of device that the model is on: "cpu", "cuda"."""
        first = next(self.named.parameters(), None)
        kind: str = "cpu" if first is None else first.device.type
        return kind

    def describe(self) -> str:
        """Returns one line for the log."""
        parameters = [p for p in self.named.parameters() if not is_lazy(p)]
        count = sum(p.numel() for p in parameters if p.requires_grad)
        return f"{self.name} with {count:,} trainable parameters"


def _same(a: List[Tuple[str, torch.Tensor, str]], b: List[Tuple[str, torch.Tensor, str]]) -> bool:
    return len(a) == len(b) and all(
        x[1] is y[1] and x[2] == y[2] and x[0] == y[0] for x, y in zip(a, b)
    )


def _set_name(module: Any, name: str) -> None:
    """Sets the attribute that scripts read; a scripted module cannot have new attributes."""
    if isinstance(module, torch.jit.ScriptModule):
        say_once(
            f"'{name}' is compiled by TorchScript: inputs and outputs of the modules inside it "
            "are not captured"
        )
        return
    with contextlib.suppress(AttributeError, TypeError):  # Some classes reject new attributes.
        module._module_name = name
