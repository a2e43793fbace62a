"""Follows the operators of a forward pass, and where the first value appeared that is not
finite."""

from typing import Any, Callable, List, NamedTuple, Optional, Tuple

from torch.utils._python_dispatch import TorchDispatchMode

from tensorwarden.adapters.pytorch.finite_values import Badness, look_at, range_of
from tensorwarden.base.lines import calling_line

# Their results hold what was in memory before.
_UNSET = ("empty", "new_empty", "resize", "set_")
# They put infinities where they are wanted, as attention masks do.
_CHOSEN = ("full", "new_full", "fill", "masked_fill", "where", "scalar_tensor", "lift_fresh")
# They pass on values of a mask so low that they become -inf.
_LOWERING = ("add", "mul", "sub", "to_copy")
_MASK_VALUE = -1e4


class Event(NamedTuple):
    """An operator with finite inputs whose result is not finite."""

    operator: str
    line: Optional[str]
    module: Any
    range: Optional[Tuple[float, float]]  # Of the inputs.
    made: Badness
    found: Badness  # In its inputs.


class OperatorWatch(TorchDispatchMode):
    """Looks at the results of all operators. `module` returns the module that runs."""

    def __init__(self, module: Callable[[], Any], caller: str) -> None:
        """`caller`: the file that runs the model, for lines of the script inside of it."""
        super().__init__()
        self._caller = caller
        self._module = module
        self._first_nan: Optional[Event] = None
        self._infinities: List[Event] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if self._first_nan is not None:
            return func(*args, **kwargs)
        name = func.__name__.split(".")[0].lstrip("_").rstrip("_")
        schema = getattr(func, "_schema", None)
        changes = schema is not None and schema.is_mutable
        before = look_at((args, kwargs)) if changes else None
        result = func(*args, **kwargs)
        if name.startswith(_UNSET):
            return result
        made = look_at(result)
        if any(made):
            self._note(name, made, before or look_at((args, kwargs)), (args, kwargs))
        return result

    def _note(self, name: str, made: Badness, found: Badness, inputs: Any) -> None:
        if made.nan and not found.nan:
            self._first_nan = self._event(name, made, found, inputs)
        elif made.inf and not any(found) and not made.nan:
            if name in _CHOSEN or len(self._infinities) > 0:
                return
            event = self._event(name, made, found, inputs)
            lowered = name in _LOWERING and not made.high and event.range is not None
            if not (lowered and event.range is not None and event.range[0] <= _MASK_VALUE):
                self._infinities.append(event)

    def _event(self, name: str, made: Badness, found: Badness, inputs: Any) -> Event:
        return Event(
            name, calling_line(self._caller), self._module(), range_of(inputs), made, found
        )

    def origin(self) -> Optional[Event]:
        """Returns where it started: an infinity that led to NaN comes before it."""
        first = self._first_nan
        computed = self._infinities[0] if self._infinities else None
        if first is None or (computed is not None and first.found.inf):
            return computed
        return first
