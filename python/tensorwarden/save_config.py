"""When tensors are saved."""

import json
from typing import Any, Dict, List, Mapping, Optional, Union

from tensorwarden.exceptions import SMDebugTypeError, SMDebugValueError
from tensorwarden.modes import ModeKeys

DEFAULT_SAVE_INTERVAL = 500
_SETTINGS = ("save_interval", "start_step", "end_step", "save_steps")


class SaveConfigMode:
    """Which steps of one mode are saved: those listed, and of [start, end) every interval-th."""

    def __init__(
        self,
        save_interval: Optional[Union[int, str]] = None,
        start_step: Optional[Union[int, str]] = None,
        end_step: Optional[Union[int, str]] = None,
        save_steps: Optional[List[int]] = None,
    ):
        self.save_interval = (
            DEFAULT_SAVE_INTERVAL
            if save_interval is None
            else _whole("save_interval", save_interval)
        )
        self.start_step = 0 if start_step is None else _whole("start_step", start_step)
        self.end_step = None if end_step is None else _whole("end_step", end_step)
        self.save_steps = [] if save_steps is None else save_steps
        if not isinstance(self.save_steps, list) or not all(
            isinstance(step, int) for step in self.save_steps
        ):
            raise SMDebugValueError(
                f"save_steps is {self.save_steps!r}; accepted is a list of whole numbers"
            )

    def should_save_step(self, step_num: int) -> bool:
        """Whether the step, counted within the mode, is saved."""
        if step_num in self.save_steps:
            return True
        inside = self.start_step <= step_num and (self.end_step is None or step_num < self.end_step)
        return inside and step_num % self.save_interval == 0

    def to_json_dict(self) -> Dict[str, Any]:
        """As manifests have it."""
        return {
            "save_interval": self.save_interval,
            "save_steps": self.save_steps,
            "start_step": self.start_step,
            "end_step": self.end_step,
        }

    @classmethod
    def from_dict(
        cls,
        params: Optional[Mapping[str, Any]],
        default_values: Optional[Mapping[str, Any]] = None,
    ) -> Optional["SaveConfigMode"]:
        """From settings by name; those missing come from default_values. None stays None."""
        if params is None:
            return None
        defaults = {} if default_values is None else default_values
        for given in (params, defaults):
            if not isinstance(given, dict):
                raise SMDebugTypeError(f"{given!r} is no dictionary of save settings")
        return cls(**{name: params.get(name, defaults.get(name)) for name in _SETTINGS})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SaveConfigMode):
            return NotImplemented
        return self.to_json_dict() == other.to_json_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={getattr(self, name)!r}" for name in _SETTINGS)
        return f"SaveConfigMode({settings})"


class SaveConfig:
    """One SaveConfigMode for each mode. A mode left open is filled in from the hook's settings."""

    def __init__(
        self,
        mode_save_configs: Optional[Dict[ModeKeys, Optional[SaveConfigMode]]] = None,
        save_interval: Optional[int] = None,
        start_step: Optional[int] = None,
        end_step: Optional[int] = None,
        save_steps: Optional[List[int]] = None,
    ):
        self.mode_save_configs: Dict[ModeKeys, Optional[SaveConfigMode]]
        if mode_save_configs is None:
            self.mode_save_configs = {
                mode: SaveConfigMode(save_interval, start_step, end_step, save_steps)
                for mode in ModeKeys
            }
            return
        for mode, config in mode_save_configs.items():
            if not isinstance(mode, ModeKeys) or not isinstance(
                config, (SaveConfigMode, type(None))
            ):
                raise SMDebugValueError(
                    f"mode_save_configs has {mode!r}: {config!r}; accepted are pairs of a "
                    "ModeKeys and a SaveConfigMode"
                )
        self.mode_save_configs = {mode: mode_save_configs.get(mode) for mode in ModeKeys}

    def get_save_config(self, mode: ModeKeys) -> SaveConfigMode:
        """The settings of one mode."""
        config = self.mode_save_configs[mode]
        if config is None:
            raise SMDebugValueError(
                f"the SaveConfig leaves mode {mode.name} open: it is not ready to be asked before "
                "a hook fills it in"
            )
        return config

    def set_save_config(self, mode: ModeKeys, save_config_mode: SaveConfigMode) -> None:
        """Replaces the settings of one mode."""
        if not isinstance(save_config_mode, SaveConfigMode):
            raise SMDebugValueError(f"{save_config_mode!r} is no SaveConfigMode")
        self.mode_save_configs[mode] = save_config_mode

    def should_save_step(self, mode: ModeKeys, step_num: int) -> bool:
        """Whether the step, counted within the mode, is saved."""
        return self.get_save_config(mode).should_save_step(step_num)

    def merge_default_save_config(self, default_save_config: "SaveConfig") -> None:
        """Fills modes left open from another, and what that leaves open with the defaults."""
        for mode in ModeKeys:
            if self.mode_save_configs[mode] is None:
                config = default_save_config.mode_save_configs[mode]
                self.mode_save_configs[mode] = SaveConfigMode() if config is None else config

    def to_json_dict(self) -> Dict[str, Any]:
        """As manifests have it."""
        return {
            mode.name: None if config is None else config.to_json_dict()
            for mode, config in self.mode_save_configs.items()
        }

    def to_json(self) -> str:
        """The text of to_json_dict."""
        return json.dumps(self.to_json_dict())

    @classmethod
    def from_dict(
        cls,
        params: Optional[Mapping[Any, Any]],
        default_values: Optional[Mapping[str, Any]] = None,
    ) -> Optional["SaveConfig"]:
        """From modes, or their names, to a SaveConfigMode or a dictionary of its settings."""
        if params is None:
            return None
        configs = {}
        for mode, config in params.items():
            if isinstance(mode, str):
                if mode not in ModeKeys.__members__:
                    raise SMDebugValueError(
                        f"'{mode}' is no mode; accepted are {', '.join(ModeKeys.__members__)}"
                    )
                mode = ModeKeys[mode]
            if isinstance(config, dict):
                config = SaveConfigMode.from_dict(config, default_values)
            configs[mode] = config
        return cls(mode_save_configs=configs)

    @classmethod
    def from_json(cls, json_str: str) -> Optional["SaveConfig"]:
        """From the text of to_json."""
        return cls.from_dict(json.loads(json_str))

    @classmethod
    def from_save_config_mode(cls, save_config_mode: SaveConfigMode) -> "SaveConfig":
        """The same settings for every mode."""
        return cls(mode_save_configs=dict.fromkeys(ModeKeys, save_config_mode))

    @classmethod
    def parse(cls, obj: Any) -> "SaveConfig":
        """From whatever a hook accepts: nothing, a SaveConfig, a SaveConfigMode, a dictionary."""
        if obj is None:
            return cls()
        if isinstance(obj, SaveConfig):
            return obj
        if isinstance(obj, SaveConfigMode):
            return cls.from_save_config_mode(obj)
        if isinstance(obj, dict):
            config = cls.from_dict(obj)
            assert config is not None
            return config
        raise SMDebugTypeError(
            f"save_config is {obj!r}; accepted are a SaveConfig, a SaveConfigMode and a dictionary "
            "from modes to SaveConfigMode"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SaveConfig):
            return NotImplemented
        return self.mode_save_configs == other.mode_save_configs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"SaveConfig({self.mode_save_configs!r})"


def _whole(name: str, value: Union[int, str]) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise SMDebugValueError(f"{name} is {value!r}; accepted is a whole number") from None
