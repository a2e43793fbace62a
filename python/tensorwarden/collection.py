"""Named sets of tensors."""

import json
from typing import Any, Dict, Iterable, List, Mapping, Optional, Set, Union

from tensorwarden.exceptions import SMDebugTypeError, SMDebugValueError
from tensorwarden.modes import ModeKeys
from tensorwarden.reduction_config import ReductionConfig
from tensorwarden.save_config import SaveConfig, SaveConfigMode


class CollectionKeys:
    """The names of the built-in collections."""

    ALL = "all"
    DEFAULT = "default"
    WEIGHTS = "weights"
    BIASES = "biases"
    GRADIENTS = "gradients"
    LOSSES = "losses"
    METRICS = "metrics"
    INPUTS = "inputs"
    OUTPUTS = "outputs"
    LAYERS = "layers"
    OPTIMIZER_VARIABLES = "optimizer_variables"
    TENSORFLOW_SUMMARIES = "tensorflow_summaries"
    SM_METRICS = "sm_metrics"
    HYPERPARAMETERS = "hyperparameters"
    PREDICTIONS = "predictions"
    LABELS = "labels"
    FEATURE_IMPORTANCE = "feature_importance"
    AVERAGE_SHAP = "average_shap"
    FULL_SHAP = "full_shap"
    TREES = "trees"


class Collection:
    """A named set of tensors with what is saved of them and when."""

    def __init__(
        self,
        name: str,
        include_regex: Optional[List[str]] = None,
        tensor_names: Optional[Union[List[str], Set[str]]] = None,
        reduction_config: Optional[ReductionConfig] = None,
        save_config: Optional[Union[SaveConfig, Dict[ModeKeys, SaveConfigMode]]] = None,
        save_histogram: bool = True,
    ):
        self.name = name
        self.include_regex: List[str] = [] if include_regex is None else include_regex
        self.tensor_names = tensor_names  # type: ignore[assignment]
        self.reduction_config = reduction_config
        self.save_config = save_config  # type: ignore[assignment]
        self.save_histogram = save_histogram

    @property
    def tensor_names(self) -> Set[str]:
        """Names of tensors that are in it, beside those that a pattern matches."""
        return self._tensor_names

    @tensor_names.setter
    def tensor_names(self, names: Optional[Union[List[str], Set[str]]]) -> None:
        if names is not None and not isinstance(names, (list, set)):
            raise SMDebugTypeError(f"tensor_names is {names!r}; accepted are a list and a set")
        self._tensor_names = names if isinstance(names, set) else set(names or ())

    @property
    def reduction_config(self) -> Optional[ReductionConfig]:
        """What is saved of its tensors; None: as the hook says."""
        return self._reduction_config

    @reduction_config.setter
    def reduction_config(self, config: Optional[ReductionConfig]) -> None:
        if config is not None and not isinstance(config, ReductionConfig):
            raise SMDebugTypeError(f"reduction_config is {config!r}; accepted is a ReductionConfig")
        self._reduction_config = config

    @property
    def save_config(self) -> Optional[SaveConfig]:
        """When its tensors are saved; None: as the hook says."""
        return self._save_config

    @save_config.setter
    def save_config(
        self, config: Optional[Union[SaveConfig, Dict[ModeKeys, SaveConfigMode]]]
    ) -> None:
        if isinstance(config, dict):
            config = SaveConfig(mode_save_configs=config)
        if config is not None and not isinstance(config, SaveConfig):
            raise SMDebugTypeError(
                f"save_config is {config!r}; accepted are a SaveConfig and a dictionary from modes "
                "to SaveConfigMode"
            )
        self._save_config = config

    def include(self, t: Union[str, Iterable[str]]) -> None:
        """Adds patterns; a tensor belongs to the collection if one is found in its name."""
        if isinstance(t, str):
            self.include_regex.append(t)
        elif isinstance(t, list):
            for pattern in t:
                self.include(pattern)
        else:
            raise SMDebugTypeError(f"{t!r} cannot be included; accepted are str and list")

    def has_tensor_name(self, tname: str) -> bool:
        """Whether the tensor is in it by name."""
        return tname in self._tensor_names

    def add_tensor_name(self, tname: str) -> None:
        """Puts a tensor in by name."""
        self._tensor_names.add(tname)

    def remove_tensor_name(self, tname: str) -> None:
        """Takes a tensor out, if it is in by name."""
        self._tensor_names.discard(tname)

    def to_json_dict(self) -> Dict[str, Any]:
        """As manifests have it."""
        return {
            "name": self.name,
            "include_regex": self.include_regex,
            "tensor_names": sorted(self._tensor_names),
            "reduction_config": self.reduction_config and self.reduction_config.to_json_dict(),
            "save_config": self.save_config and self.save_config.to_json_dict(),
            "save_histogram": self.save_histogram,
        }

    def to_json(self) -> str:
        """The text of to_json_dict."""
        return json.dumps(self.to_json_dict())

    @classmethod
    def from_dict(cls, params: Mapping[str, Any]) -> "Collection":
        """From the form of manifests."""
        if not isinstance(params, dict):
            raise SMDebugValueError(f"{params!r} is no dictionary of a collection")
        return cls(
            params.get("name"),  # type: ignore[arg-type]
            include_regex=params.get("include_regex") or [],
            tensor_names=set(params.get("tensor_names") or ()),
            reduction_config=ReductionConfig.from_dict(params.get("reduction_config")),
            save_config=SaveConfig.from_dict(params.get("save_config")),
            save_histogram=params.get("save_histogram", True),
        )

    @classmethod
    def from_json(cls, json_str: str) -> "Collection":
        """From the text of to_json."""
        return cls.from_dict(json.loads(json_str))

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Collection):
            return NotImplemented
        return self.to_json_dict() == other.to_json_dict()

    def __repr__(self) -> str:
        return f"Collection({self.to_json_dict()!r})"
