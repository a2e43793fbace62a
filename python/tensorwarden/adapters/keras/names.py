"""The names under which tensors of a Keras model are saved, which are those of smdebug and Keras 2.

Keras 3 identifies a variable by its path, "sequential/dense/kernel". Keras 2 had a name for it,
"dense/kernel:0". The path without the model's name, followed by ":0", is that name.
"""

import re
from typing import Any, Dict, Iterator, List, Tuple

# Inputs and outputs of a model, by the collection that holds them.
INPUTS, LABELS, PREDICTIONS = "inputs", "labels", "predictions"
# The value a layer applies its own activation to, as in Dense(activation="tanh").
ACTIVATION_INPUTS = "activation_inputs"

_NUMBERED = r"(?:_\d+)?$"
# Patterns that the adapter adds to the built-in collections; the others are filled by name.
PATTERNS = {
    "biases": r"^(?:.+/)?weights/.*bias",
    "weights": r"^(?:.+/)?weights/((?!bias).)*:\d+$",
    "gradients": r"^gradients/.*Grad" + _NUMBERED,
    "inputs": f"^{INPUTS}{_NUMBERED}",
    "outputs": f"^(?:{LABELS}|{PREDICTIONS}){_NUMBERED}",
    "layers": r"^.+/(?:inputs|outputs)" + _NUMBERED,
}


def variable_name(variable: Any, roots: List[str]) -> str:
    """Returns the Keras 2 name of a variable without the names of models in `roots`."""
    path = getattr(variable, "path", None)
    if not isinstance(path, str):  # A variable of TensorFlow.
        name = getattr(variable, "name", None) or type(variable).__name__
        return name if re.search(r":\d+$", name) else f"{name}:0"
    for root in roots:
        if path.startswith(f"{root}/"):
            path = path[len(root) + 1 :]
            break
    return f"{path}:0"


def gradient_name(variable: str) -> str:
    """Returns the name of the gradient of a variable."""
    return f"gradients/{re.sub(r':[0-9]+$', '', variable)}Grad"


def is_loss(log_key: str) -> bool:
    """Returns whether a metric that Keras logs is a loss: "loss", "val_loss", "<output>_loss"."""
    return log_key.endswith("loss")


def layers_by_name(model: Any) -> Iterator[Tuple[str, Any]]:
    """Yields all layers of a model with their names.

    A nested layer is prefixed with the names of its parents. A repeated name gets a number.
    """
    seen: Dict[str, int] = {}
    known = {id(model)}

    def walk(parent: Any, prefix: str) -> Iterator[Tuple[str, Any]]:
        for layer in parts(parent):
            if id(layer) in known:
                continue
            known.add(id(layer))
            name = unique(prefix + str(layer.name), seen)
            yield name, layer
            yield from walk(layer, f"{name}/")

    yield from walk(model, "")


def parts(layer: Any) -> List[Any]:
    """Returns the layers that a layer or model consists of."""
    flatten = getattr(layer, "_flatten_layers", None)
    if flatten is not None:
        return list(flatten(include_self=False, recursive=False))
    return list(getattr(layer, "layers", ()))


def unique(name: str, seen: Dict[str, int]) -> str:
    """Returns the name, with a number if it was used before."""
    count = seen.get(name, 0)
    seen[name] = count + 1
    return unique(f"{name}_{count}", seen) if count else name


def flat_tensors(values: Any) -> List[Any]:
    """Returns all leaves of nested lists, tuples and dictionaries, without None."""
    if values is None:
        return []
    if isinstance(values, dict):
        values = [values[key] for key in sorted(values, key=str)]
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat_tensors(value)]
    return [values]
