"""A registered block: the blocks inside it, its parameters, and what can be seen of them."""

from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from mxnet.gluon import Block
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

from tensorwarden.adapters.mxnet.tensors import PROBES
from tensorwarden.troubles import say_once


class Model:
    """A root block whose forwards are steps."""

    def __init__(self, root: Block):
        self.root = root
        self.name = root.name

    def blocks(self) -> Dict[Block, str]:
        """The root and all blocks inside it, with their names. More may come until the first
        forward."""
        found: Dict[Block, str] = {}
        for block, _ in _walk(self.root, None):
            found[block] = block.name
        return found

    def parameters(self) -> List[Any]:
        """Of all blocks inside."""
        return list(self.root.collect_params().values())

    def unreachable(self, wanted: Callable[[str], bool]) -> Optional[Tuple[str, str]]:
        """A block that is wanted but not called, and the hybridized one around it, which has become
        one operator: by name. None if there is none."""
        for block, hybridized in _walk(self.root, None):
            if hybridized is not None and wanted(block.name):
                return block.name, hybridized.name
        return None

    def describe(self) -> str:
        """One line for the log."""
        return f"{self.name} with {len(self.parameters())} arrays of parameters"


def io_names(name: str) -> Iterator[str]:
    """The names that inputs and outputs of a block may have."""
    for number in PROBES:
        yield f"{name}_output_{number}"
        yield f"{name}_input_{number}"


def is_traced(inputs: Any) -> bool:
    """Whether a block is called to see what it would compute, and nothing is computed."""
    if isinstance(inputs, (list, tuple)):
        return any(is_traced(value) for value in inputs)
    return isinstance(inputs, Symbol)


def data_of(parameter: Any) -> Optional[NDArray]:
    """Its values on the first of its devices, as in the original: after an update all have the
    same. None if it has none yet, or only in parts."""
    if parameter._data is None:
        return None
    return _first(parameter, parameter.data)


def gradient_of(parameter: Any) -> Optional[NDArray]:
    """Its gradient on the first of its devices; None if it has none."""
    if parameter.grad_req == "null" or getattr(parameter, "_grad", None) is None:
        return None
    return _first(parameter, parameter.grad)


def _first(parameter: Any, read: Callable[[Any], NDArray]) -> Optional[NDArray]:
    try:
        return read(parameter.list_ctx()[0])
    except RuntimeError as error:  # Of row_sparse ones each device has but the rows that it uses.
        reason = str(error).partition("\n")[0]
        say_once(f"parameter '{parameter.name}' is not captured: {reason}")
        return None


def _walk(
    block: Block, hybridized: Optional[Block], seen: Optional[set] = None
) -> Iterator[Tuple[Block, Optional[Block]]]:
    """Each block once, with the hybridized one that it lies in."""
    seen = set() if seen is None else seen
    if block in seen:
        return
    seen.add(block)
    yield block, hybridized
    if hybridized is None and getattr(block, "_active", False):
        hybridized = block
    for child in block._children.values():
        yield from _walk(child, hybridized, seen)
