"""The names that tensors of a Keras model are saved under: those of the original, which had them
from Keras 2.

Keras 3 says where a variable is by its path, "sequential/dense/kernel"; Keras 2 had a name for it,
"dense/kernel:0". The path without the model's own name, and with ":0", is that name."""

import re
from typing import Any, Dict, Iterator, List, Tuple

# Log keys and what goes in and out of a model, by the collection that holds them.
INPUTS, LABELS, PREDICTIONS = "inputs", "labels", "predictions"
# What a layer applies its activation to, where the activation is part of it, as in
# Dense(activation="tanh").
ACTIVATION_INPUTS = "activation_inputs"

_NUMBERED = r"(?:_\d+)?$"
# What the adapter puts into the built-in collections; the others are filled by name.
PATTERNS = {
    "weights": r"^(?:.+/)?weights/((?!bias).)*:\d+$",
    "gradients": r"^gradients/.*Grad" + _NUMBERED,
    "inputs": f"^{INPUTS}{_NUMBERED}",
    "outputs": f"^(?:{LABELS}|{PREDICTIONS}){_NUMBERED}",
    "layers": r"^.+/(?:inputs|outputs)" + _NUMBERED,
}


def variable_name(variable: Any, roots: List[str]) -> str:
    """As Keras 2 called it; roots are the names of models, which are left out."""
    path = getattr(variable, "path", None)
    if not isinstance(path, str):  # TensorFlow's own.
        name = getattr(variable, "name", None) or type(variable).__name__
        return name if re.search(r":\d+$", name) else f"{name}:0"
    for root in roots:
        if path.startswith(f"{root}/"):
            path = path[len(root) + 1 :]
            break
    return f"{path}:0"


def gradient_name(variable: str) -> str:
    """Of the gradient of a variable of that name."""
    return f"gradients/{re.sub(r':[0-9]+$', '', variable)}Grad"


def is_loss(log_key: str) -> bool:
    """Whether a figure that Keras logs is a loss: "loss", "val_loss", "<output>_loss"."""
    return log_key.endswith("loss")


def layers_by_name(model: Any) -> Iterator[Tuple[str, Any]]:
    """All layers in a model with their names: those within a nested one have its name before their
    own. Where two have the same, the second gets a number."""
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
    """The layers that a layer or model is made of."""
    flatten = getattr(layer, "_flatten_layers", None)
    if flatten is not None:
        return list(flatten(include_self=False, recursive=False))
    return list(getattr(layer, "layers", ()))


def unique(name: str, seen: Dict[str, int]) -> str:
    """The name, or with a number if it was there before."""
    count = seen.get(name, 0)
    seen[name] = count + 1
    return unique(f"{name}_{count}", seen) if count else name


def flat_tensors(values: Any) -> List[Any]:
    """All leaves of nested lists, tuples and dictionaries, without None."""
    if values is None:
        return []
    if isinstance(values, dict):
        values = [values[key] for key in sorted(values, key=str)]
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat_tensors(value)]
    return [values]
