"""Roles of tensors in a model, such as "relu_output", independent of the tensors' names.

The defaults of rules, and configurations written for smdebug, use MXNet's names for these roles. An
adapter knows which tensors of its framework have them.
"""

import re
from typing import Any, Dict, Iterable, List

from tensorwarden.config.collection import Collection

# Name prefixes of the tensors with each role.
Roles = Dict[str, List[str]]

FIRST_INPUT = "first_input"
FIRST_EMBEDDING_INPUT = "first_embedding_input"
PREDICTIONS = "predictions"
LABELS = "labels"

# By name of the collection that holds the tensors of a role; smdebug uses other names for some.
_ROLE_OF = {
    **{f"{kind}_input": f"{kind}_input" for kind in ("relu", "tanh", "sigmoid")},
    **{f"{kind}_output": f"{kind}_output" for kind in ("relu", "tanh", "sigmoid")},
    **{role: role for role in (FIRST_INPUT, FIRST_EMBEDDING_INPUT, PREDICTIONS, LABELS)},
    "input_image": FIRST_INPUT,
    "input_sequence": FIRST_EMBEDDING_INPUT,
}
# Names per pattern. Separate patterns for thousands of names would take seconds to match, and the
# length of a pattern is limited.
_NAMES_IN_PATTERN = 64


class TensorRoles:
    """The roles of a run's tensors, and the collections that hold tensors by role."""

    def __init__(self) -> None:
        self._roles: Roles = {}
        self._holders: List[Collection] = []
        self._core: Any = None

    def add(self, roles: Roles) -> None:
        """Adds roles. Works after the core exists, because models and losses may appear late."""
        roles = merge(self._roles, roles)
        if self._core is None:
            return
        self._core.add_roles(roles)
        for collection in self._holders:
            patterns = _widen(collection, roles)
            if patterns:
                self._core.include(collection.name, patterns)

    def fill(self, collections: Iterable[Collection]) -> None:
        """Adds tensors by role to the collections named after a role. Call before the core reads
        them."""
        self._holders = [c for c in collections if c.name in _ROLE_OF]
        for collection in self._holders:
            _widen(collection, self._roles)
            if not collection.include_regex and not collection.tensor_names:
                # The core warns of a collection without tensors, but this one may be filled later.
                collection.include(f".*{_ROLE_OF[collection.name]}")

    def tell(self, core: Any) -> None:
        """Passes all roles to the core, now and when more are added."""
        self._core = core
        core.add_roles(self._roles)


def merge(roles: Roles, more: Roles) -> Roles:
    """Adds new name prefixes to `roles` and returns them."""
    new: Roles = {}
    for role, beginnings in more.items():
        known = roles.setdefault(role, [])
        new[role] = [beginning for beginning in beginnings if beginning not in known]
        known += new[role]
    return new


def _widen(collection: Collection, roles: Roles) -> List[str]:
    """Adds the tensors of the collection's role. Returns the new patterns."""
    found = _patterns(roles.get(_ROLE_OF[collection.name], []))
    patterns = [pattern for pattern in found if pattern not in collection.include_regex]
    collection.include(patterns)
    return patterns


def _patterns(beginnings: List[str]) -> List[str]:
    # A name with a number is complete: "x_input_1" must not match "x_input_10".
    names = [re.escape(b) + ("" if b.endswith("_") else "$") for b in beginnings]
    groups = [names[at : at + _NAMES_IN_PATTERN] for at in range(0, len(names), _NAMES_IN_PATTERN)]
    return [f"^(?:{'|'.join(group)})" if len(group) > 1 else f"^{group[0]}" for group in groups]
