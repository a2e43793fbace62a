"""A registered block: the blocks inside it, its parameters, and what can be read of them."""

from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from mxnet.gluon import Block
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

from tensorwarden.adapters.mxnet.tensors import PROBES
from tensorwarden.base.troubles import say_once


class Model:
    """A root block whose forward passes are steps."""

    def __init__(self, root: Block):
        self.root = root
        self.name = root.name

    def blocks(self) -> Dict[Block, str]:
        """Returns the root and all blocks inside it with their names. More may follow until the
        first forward pass."""
        found: Dict[Block, str] = {}
        for block, _ in _walk(self.root, None):
            found[block] = block.name
        return found

    def parameters(self) -> List[Any]:
        """Returns the parameters of all blocks inside."""
        return list(self.root.collect_params().values())

    def unreachable(self, wanted: Callable[[str], bool]) -> Optional[Tuple[str, str]]:
        """Returns the names of a requested block that is not called, and of the hybridized block
        around it.

        A hybridized block is a single operator. Returns None if there is no such block.
        """
        for block, hybridized in _walk(self.root, None):
            if hybridized is not None and wanted(block.name):
                return block.name, hybridized.name
        return None

    def describe(self) -> str:
        """Returns one line for the log."""
        return f"{self.name} with {len(self.parameters())} parameter arrays"


def io_names(name: str) -> Iterator[str]:
    """Yields the names that inputs and outputs of a block may have."""
    for number in PROBES:
        yield f"{name}_output_{number}"
        yield f"{name}_input_{number}"


def is_traced(inputs: Any) -> bool:
    """Returns whether a block is only traced, without computing anything."""
    if isinstance(inputs, (list, tuple)):
        return any(is_traced(value) for value in inputs)
    return isinstance(inputs, Symbol)


def data_of(parameter: Any) -> Optional[NDArray]:
    """Returns the values on the first device, as smdebug does: after an update all devices agree.

    Returns None if there are no values yet, or only parts of them.
    """
    if parameter._data is None:
        return None
    return _first(parameter, parameter.data)


def gradient_of(parameter: Any) -> Optional[NDArray]:
    """Returns the gradient on the first device; None if there is none."""
    if parameter.grad_req == "null" or getattr(parameter, "_grad", None) is None:
        return None
    return _first(parameter, parameter.grad)


def _first(parameter: Any, read: Callable[[Any], NDArray]) -> Optional[NDArray]:
    try:
        return read(parameter.list_ctx()[0])
    except (
        RuntimeError
    ) as error:  # Each device has only the rows that it uses of a row_sparse parameter.
        reason = str(error).partition("\n")[0]
        say_once(f"parameter '{parameter.name}' is not captured: {reason}")
        return None


def _walk(
    block: Block, hybridized: Optional[Block], seen: Optional[set] = None
) -> Iterator[Tuple[Block, Optional[Block]]]:
    """Yields each block once, with the hybridized block around it."""
    seen = set() if seen is None else seen
    if block in seen:
        return
    seen.add(block)
    yield block, hybridized
    if hybridized is None and getattr(block, "_active", False):
        hybridized = block
    for child in block._children.values():
        yield from _walk(child, hybridized, seen)
