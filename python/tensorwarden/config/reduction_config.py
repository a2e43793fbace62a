"""Selects what is saved of a tensor."""

import json
from typing import Any, Dict, List, Mapping, Optional, Tuple

from tensorwarden.base.exceptions import SMDebugValueError

ALLOWED_REDUCTIONS = ["min", "max", "mean", "std", "variance", "sum", "prod"]
ALLOWED_NORMS = ["l1", "l2"]


class ReductionConfig:
    """Selects the statistics to save of a tensor, and whether to save its values and shape.

    Raises SMDebugValueError for an unknown reduction or norm.
    """

    def __init__(
        self,
        reductions: Optional[List[str]] = None,
        abs_reductions: Optional[List[str]] = None,
        norms: Optional[List[str]] = None,
        abs_norms: Optional[List[str]] = None,
        save_raw_tensor: bool = False,
        save_shape: bool = False,
    ):
        self.reductions = _checked("reductions", reductions, ALLOWED_REDUCTIONS)
        self.abs_reductions = _checked("abs_reductions", abs_reductions, ALLOWED_REDUCTIONS)
        self.norms = _checked("norms", norms, ALLOWED_NORMS)
        self.abs_norms = _checked("abs_norms", abs_norms, ALLOWED_NORMS)
        for name, value in (("save_raw_tensor", save_raw_tensor), ("save_shape", save_shape)):
            if not isinstance(value, bool):
                raise SMDebugValueError(f"{name} is {value!r}; expected True or False")
        self.save_raw_tensor = save_raw_tensor
        self.save_shape = save_shape

    @classmethod
    def from_dict(cls, params: Optional[Mapping[str, Any]]) -> Optional["ReductionConfig"]:
        """Creates a configuration from a manifest entry, where all reductions form one
        comma-separated string. Returns None for None."""
        if params is None:
            return None
        if not isinstance(params, dict):
            raise SMDebugValueError(f"reduction settings are {params!r}; expected a dictionary")
        parts: Tuple[List[str], List[str], List[str], List[str]] = ([], [], [], [])
        for word in (word.strip() for word in params.get("reductions", "").split(",")):
            if not word:
                continue
            absolute = word.startswith("abs_")
            name = word[len("abs_") :] if absolute else word
            norm = name.endswith("_norm")
            name = name[: -len("_norm")] if norm else name
            parts[2 * norm + absolute].append(name)
        reductions, abs_reductions, norms, abs_norms = parts
        return cls(
            reductions,
            abs_reductions,
            norms,
            abs_norms,
            params.get("save_raw_tensor", False),
            params.get("save_shape", False),
        )

    @classmethod
    def from_json(cls, json_str: str) -> Optional["ReductionConfig"]:
        """Parses the text that to_json returns."""
        return cls.from_dict(json.loads(json_str))

    def to_json_dict(self) -> Dict[str, Any]:
        """Returns the configuration in the format of the manifest."""
        words = [
            *self.reductions,
            *(f"{norm}_norm" for norm in self.norms),
            *(f"abs_{name}" for name in self.abs_reductions),
            *(f"abs_{norm}_norm" for norm in self.abs_norms),
        ]
        return {
            "save_raw_tensor": self.save_raw_tensor,
            "reductions": ",".join(words),
            "save_shape": self.save_shape,
        }

    def to_json(self) -> str:
        """Returns to_json_dict as JSON text."""
        return json.dumps(self.to_json_dict())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReductionConfig):
            return NotImplemented
        return vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # Mutable, not hashable.

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"ReductionConfig({settings})"


def _checked(name: str, given: Optional[List[str]], allowed: List[str]) -> List[str]:
    words = [] if given is None else given
    for word in words:
        if word not in allowed:
            raise SMDebugValueError(
                f"{name} contains {word!r}; expected one of: {', '.join(allowed)}"
            )
    return words
