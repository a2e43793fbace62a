"""Parts that tensors play in a model, such as "relu_output", whatever the tensors are called.

The defaults of rules, and configurations written for the original, name such parts by the names
that MXNet gives them. An adapter knows which tensors of its framework play them."""

import re
from typing import Any, Dict, Iterable, List

from tensorwarden.collection import Collection

# For each role the beginnings of the names that play it.
Roles = Dict[str, List[str]]

FIRST_INPUT = "first_input"
FIRST_EMBEDDING_INPUT = "first_embedding_input"
PREDICTIONS = "predictions"
LABELS = "labels"

# By the names of collections that hold what plays a role; some have other names in the original.
_ROLE_OF = {
    **{f"{kind}_input": f"{kind}_input" for kind in ("relu", "tanh", "sigmoid")},
    **{f"{kind}_output": f"{kind}_output" for kind in ("relu", "tanh", "sigmoid")},
    **{role: role for role in (FIRST_INPUT, FIRST_EMBEDDING_INPUT, PREDICTIONS, LABELS)},
    "input_image": FIRST_INPUT,
    "input_sequence": FIRST_EMBEDDING_INPUT,
}
# So many names in one pattern: one by one, thousands would take seconds to look through, and there
# is a limit to a pattern's length.
_NAMES_IN_PATTERN = 64


class TensorRoles:
    """The roles of a run's tensors, and the collections that hold tensors by their role."""

    def __init__(self) -> None:
        self._roles: Roles = {}
        self._holders: List[Collection] = []
        self._core: Any = None

    def add(self, roles: Roles) -> None:
        """Before or after the core was made: models and losses may come to be known late."""
        roles = merge(self._roles, roles)
        if self._core is None:
            return
        self._core.add_roles(roles)
        for collection in self._holders:
            patterns = _widen(collection, roles)
            if patterns:
                self._core.include(collection.name, patterns)

    def fill(self, collections: Iterable[Collection]) -> None:
        """Puts what plays a role into those of the collections, which are to be saved, that bear
        its name. To be called before the core takes them."""
        self._holders = [c for c in collections if c.name in _ROLE_OF]
        for collection in self._holders:
            _widen(collection, self._roles)
            if not collection.include_regex and not collection.tensor_names:
                # The core refuses one that can hold nothing, but this one may be filled later.
                collection.include(f".*{_ROLE_OF[collection.name]}")

    def tell(self, core: Any) -> None:
        """Gives the core all that is known, and from now on what is added."""
        self._core = core
        core.add_roles(self._roles)


def merge(roles: Roles, more: Roles) -> Roles:
    """Adds what is new, and returns it."""
    new: Roles = {}
    for role, beginnings in more.items():
        known = roles.setdefault(role, [])
        new[role] = [beginning for beginning in beginnings if beginning not in known]
        known += new[role]
    return new


def _widen(collection: Collection, roles: Roles) -> List[str]:
    """Adds the tensors of the collection's role; the patterns that are new to it."""
    found = _patterns(roles.get(_ROLE_OF[collection.name], []))
    patterns = [pattern for pattern in found if pattern not in collection.include_regex]
    collection.include(patterns)
    return patterns


def _patterns(beginnings: List[str]) -> List[str]:
    # One with a number is the whole name: "x_input_1" is not meant for "x_input_10".
    names = [re.escape(b) + ("" if b.endswith("_") else "$") for b in beginnings]
    groups = [names[at : at + _NAMES_IN_PATTERN] for at in range(0, len(names), _NAMES_IN_PATTERN)]
    return [f"^(?:{'|'.join(group)})" if len(group) > 1 else f"^{group[0]}" for group in groups]
