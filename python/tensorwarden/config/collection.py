"""Collections: named sets of tensors."""

import json
from typing import Any, Dict, Iterable, List, Mapping, Optional, Set, Union

from tensorwarden.base.exceptions import SMDebugTypeError, SMDebugValueError
from tensorwarden.base.modes import ModeKeys
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig, SaveConfigMode


class CollectionKeys:
    """Names of the built-in collections."""

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
    """A named set of tensors with settings for what is saved of them and when.

    A tensor belongs to it if its name is in `tensor_names` or a pattern of `include_regex` is found
    in its name. `reduction_config` and `save_config` override the settings of the hook.
    """

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
        self.tensor_names = tensor_names
        self.reduction_config = reduction_config
        self.save_config = save_config
        self.save_histogram = save_histogram

    @property
    def tensor_names(self) -> Set[str]:
        """Names of the tensors added by name, in addition to those that match a pattern."""
        return self._tensor_names

    @tensor_names.setter
    def tensor_names(self, names: Optional[Union[List[str], Set[str]]]) -> None:
        if names is not None and not isinstance(names, (list, set)):
            raise SMDebugTypeError(f"tensor_names is {names!r}; expected a list or a set")
        self._tensor_names = names if isinstance(names, set) else set(names or ())

    @property
    def reduction_config(self) -> Optional[ReductionConfig]:
        """What is saved of the tensors. None uses the settings of the hook."""
        return self._reduction_config

    @reduction_config.setter
    def reduction_config(self, config: Optional[ReductionConfig]) -> None:
        if config is not None and not isinstance(config, ReductionConfig):
            raise SMDebugTypeError(f"reduction_config is {config!r}; expected a ReductionConfig")
        self._reduction_config = config

    @property
    def save_config(self) -> Optional[SaveConfig]:
        """When the tensors are saved. None uses the settings of the hook."""
        return self._save_config

    @save_config.setter
    def save_config(
        self, config: Optional[Union[SaveConfig, Dict[ModeKeys, SaveConfigMode]]]
    ) -> None:
        if isinstance(config, dict):
            config = SaveConfig(mode_save_configs=config)
        if config is not None and not isinstance(config, SaveConfig):
            raise SMDebugTypeError(
                f"save_config is {config!r}; expected a SaveConfig or a dictionary of "
                "SaveConfigMode by mode"
            )
        self._save_config = config

    def include(self, t: Union[str, Iterable[str]]) -> None:
        """Adds one pattern or a list of patterns. A tensor matches if a pattern is found in its
        name."""
        if isinstance(t, str):
            self.include_regex.append(t)
        elif isinstance(t, list):
            for pattern in t:
                self.include(pattern)
        else:
            raise SMDebugTypeError(f"pattern is {t!r}; expected a string or a list of strings")

    def has_tensor_name(self, tname: str) -> bool:
        """Returns whether the tensor was added by name."""
        return tname in self._tensor_names

    def add_tensor_name(self, tname: str) -> None:
        """Adds a tensor by name."""
        self._tensor_names.add(tname)

    def remove_tensor_name(self, tname: str) -> None:
        """Removes a tensor that was added by name; does nothing if it was not."""
        self._tensor_names.discard(tname)

    def to_json_dict(self) -> Dict[str, Any]:
        """Returns the collection in the format of the manifest."""
        return {
            "name": self.name,
            "include_regex": self.include_regex,
            "tensor_names": sorted(self._tensor_names),
            "reduction_config": self.reduction_config and self.reduction_config.to_json_dict(),
            "save_config": self.save_config and self.save_config.to_json_dict(),
            "save_histogram": self.save_histogram,
        }

    def to_json(self) -> str:
        """Returns to_json_dict as JSON text."""
        return json.dumps(self.to_json_dict())

    @classmethod
    def from_dict(cls, params: Mapping[str, Any]) -> "Collection":
        """Creates a collection from a manifest entry."""
        if not isinstance(params, dict):
            raise SMDebugValueError(f"collection is {params!r}; expected a dictionary")
        return cls(
            params.get("name"),  # type: ignore[arg-type]  # A missing name stays None.
            include_regex=params.get("include_regex") or [],
            tensor_names=set(params.get("tensor_names") or ()),
            reduction_config=ReductionConfig.from_dict(params.get("reduction_config")),
            save_config=SaveConfig.from_dict(params.get("save_config")),
            save_histogram=params.get("save_histogram", True),
        )

    @classmethod
    def from_json(cls, json_str: str) -> "Collection":
        """Parses the text that to_json returns."""
        return cls.from_dict(json.loads(json_str))

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Collection):
            return NotImplemented
        return self.to_json_dict() == other.to_json_dict()

    def __repr__(self) -> str:
        return f"Collection({self.to_json_dict()!r})"
