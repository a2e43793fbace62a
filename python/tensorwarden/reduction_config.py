"""What is saved of a tensor."""

import json
from typing import Any, Dict, List, Mapping, Optional, Tuple

from tensorwarden.exceptions import SMDebugValueError

ALLOWED_REDUCTIONS = ["min", "max", "mean", "std", "variance", "sum", "prod"]
ALLOWED_NORMS = ["l1", "l2"]


class ReductionConfig:
    """Which figures are saved of a tensor, and whether its values are too."""

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
                raise SMDebugValueError(f"{name} is {value!r}; accepted are True and False")
        self.save_raw_tensor = save_raw_tensor
        self.save_shape = save_shape

    @classmethod
    def from_dict(cls, params: Optional[Mapping[str, Any]]) -> Optional["ReductionConfig"]:
        """From the form of manifests: all reductions in one comma string. None stays None."""
        if params is None:
            return None
        if not isinstance(params, dict):
            raise SMDebugValueError(f"{params!r} is no dictionary of reduction settings")
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
        """From the text of to_json."""
        return cls.from_dict(json.loads(json_str))

    def to_json_dict(self) -> Dict[str, Any]:
        """As manifests have it."""
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
        """The text of to_json_dict."""
        return json.dumps(self.to_json_dict())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReductionConfig):
            return NotImplemented
        return vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"ReductionConfig({settings})"


def _checked(name: str, given: Optional[List[str]], allowed: List[str]) -> List[str]:
    words = [] if given is None else given
    for word in words:
        if word not in allowed:
            raise SMDebugValueError(f"{name} has {word!r}, which is none of {', '.join(allowed)}")
    return words
