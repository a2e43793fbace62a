"""Selects the steps at which tensors are saved."""

import json
from typing import Any, Dict, List, Mapping, Optional, Union

from tensorwarden.base.exceptions import SMDebugTypeError, SMDebugValueError
from tensorwarden.base.modes import ModeKeys

DEFAULT_SAVE_INTERVAL = 500
_SETTINGS = ("save_interval", "start_step", "end_step", "save_steps", "save_seconds")


class SaveConfigMode:
    """Selects the steps of one mode that are saved.

    Saved are the steps in `save_steps`, and every `save_interval`-th step from `start_step` up to,
    but not including, `end_step`. With `save_seconds`, the first step is also saved, and every step
    that begins at least so many seconds after the last saved one. Raises SMDebugValueError for
    values that are not integers.
    """

    def __init__(
        self,
        save_interval: Optional[Union[int, str]] = None,
        start_step: Optional[Union[int, str]] = None,
        end_step: Optional[Union[int, str]] = None,
        save_steps: Optional[List[int]] = None,
        save_seconds: Optional[Union[int, str]] = None,
    ):
        self.save_interval = (
            DEFAULT_SAVE_INTERVAL
            if save_interval is None
            else _whole("save_interval", save_interval)
        )
        self.start_step = 0 if start_step is None else _whole("start_step", start_step)
        self.end_step = None if end_step is None else _whole("end_step", end_step)
        self.save_steps = [] if save_steps is None else save_steps
        self.save_seconds = None if save_seconds is None else _whole("save_seconds", save_seconds)
        if not isinstance(self.save_steps, list) or not all(
            isinstance(step, int) for step in self.save_steps
        ):
            raise SMDebugValueError(
                f"save_steps is {self.save_steps!r}; expected a list of integers"
            )

    def should_save_step(self, step_num: int) -> bool:
        """Returns whether the step, counted within the mode, is saved whenever it begins."""
        if step_num in self.save_steps:
            return True
        inside = self.start_step <= step_num and (self.end_step is None or step_num < self.end_step)
        return inside and step_num % self.save_interval == 0

    def to_json_dict(self) -> Dict[str, Any]:
        """Returns the settings in the format of the manifest."""
        settings: Dict[str, Any] = {
            "save_interval": self.save_interval,
            "save_steps": self.save_steps,
            "start_step": self.start_step,
            "end_step": self.end_step,
        }
        if self.save_seconds is not None:
            settings["save_seconds"] = self.save_seconds
        return settings

    @classmethod
    def from_dict(
        cls,
        params: Optional[Mapping[str, Any]],
        default_values: Optional[Mapping[str, Any]] = None,
    ) -> Optional["SaveConfigMode"]:
        """Creates settings from a dictionary. Missing keys come from `default_values`. Returns None
        for None."""
        if params is None:
            return None
        defaults = {} if default_values is None else default_values
        for given in (params, defaults):
            if not isinstance(given, dict):
                raise SMDebugTypeError(f"save settings are {given!r}; expected a dictionary")
        return cls(**{name: params.get(name, defaults.get(name)) for name in _SETTINGS})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SaveConfigMode):
            return NotImplemented
        return self.to_json_dict() == other.to_json_dict()

    __hash__ = None  # type: ignore[assignment]  # Mutable, not hashable.

    def __repr__(self) -> str:
        names = _SETTINGS[: 4 if self.save_seconds is None else 5]
        settings = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"SaveConfigMode({settings})"


class SaveConfig:
    """The save settings of all modes.

    A mode without settings gets those of the hook.
    """

    def __init__(
        self,
        mode_save_configs: Optional[Mapping[ModeKeys, Optional[SaveConfigMode]]] = None,
        save_interval: Optional[int] = None,
        start_step: Optional[int] = None,
        end_step: Optional[int] = None,
        save_steps: Optional[List[int]] = None,
        save_seconds: Optional[int] = None,
    ):
        self.mode_save_configs: Dict[ModeKeys, Optional[SaveConfigMode]]
        if mode_save_configs is None:
            self.mode_save_configs = {
                mode: SaveConfigMode(save_interval, start_step, end_step, save_steps, save_seconds)
                for mode in ModeKeys
            }
            return
        for mode, config in mode_save_configs.items():
            if not isinstance(mode, ModeKeys) or not isinstance(
                config, (SaveConfigMode, type(None))
            ):
                raise SMDebugValueError(
                    f"mode_save_configs contains {mode!r}: {config!r}; expected a SaveConfigMode "
                    "by ModeKeys"
                )
        self.mode_save_configs = {mode: mode_save_configs.get(mode) for mode in ModeKeys}

    def get_save_config(self, mode: ModeKeys) -> SaveConfigMode:
        """Returns the settings of one mode. Raises SMDebugValueError if the mode has none yet."""
        config = self.mode_save_configs[mode]
        if config is None:
            raise SMDebugValueError(
                f"mode {mode.name} has no save settings yet; the hook sets them at the first step"
            )
        return config

    def set_save_config(self, mode: ModeKeys, save_config_mode: SaveConfigMode) -> None:
        """Replaces the settings of one mode."""
        if not isinstance(save_config_mode, SaveConfigMode):
            raise SMDebugValueError(
                f"save_config_mode is {save_config_mode!r}; expected a SaveConfigMode"
            )
        self.mode_save_configs[mode] = save_config_mode

    def should_save_step(self, mode: ModeKeys, step_num: int) -> bool:
        """Returns whether the step, counted within the mode, is saved."""
        return self.get_save_config(mode).should_save_step(step_num)

    def merge_default_save_config(self, default_save_config: "SaveConfig") -> None:
        """Fills the modes without settings from another SaveConfig, then from the defaults."""
        for mode in ModeKeys:
            if self.mode_save_configs[mode] is None:
                config = default_save_config.mode_save_configs[mode]
                self.mode_save_configs[mode] = SaveConfigMode() if config is None else config

    def to_json_dict(self) -> Dict[str, Any]:
        """Returns the settings in the format of the manifest."""
        return {
            mode.name: None if config is None else config.to_json_dict()
            for mode, config in self.mode_save_configs.items()
        }

    def to_json(self) -> str:
        """Returns to_json_dict as JSON text."""
        return json.dumps(self.to_json_dict())

    @classmethod
    def from_dict(
        cls,
        params: Optional[Mapping[Any, Any]],
        default_values: Optional[Mapping[str, Any]] = None,
    ) -> Optional["SaveConfig"]:
        """Creates a SaveConfig from a dictionary by mode or mode name.

        The values are SaveConfigMode objects or dictionaries of their settings. Returns None for
        None. Raises SMDebugValueError for an unknown mode.
        """
        if params is None:
            return None
        configs = {}
        for mode, config in params.items():
            if isinstance(mode, str):
                if mode not in ModeKeys.__members__:
                    raise SMDebugValueError(
                        f"unknown mode '{mode}'; expected one of: "
                        f"{', '.join(ModeKeys.__members__)}"
                    )
                mode = ModeKeys[mode]
            if isinstance(config, dict):
                config = SaveConfigMode.from_dict(config, default_values)
            configs[mode] = config
        return cls(mode_save_configs=configs)

    @classmethod
    def from_json(cls, json_str: str) -> Optional["SaveConfig"]:
        """Parses the text that to_json returns."""
        return cls.from_dict(json.loads(json_str))

    @classmethod
    def from_save_config_mode(cls, save_config_mode: SaveConfigMode) -> "SaveConfig":
        """Returns a SaveConfig with the same settings for every mode."""
        return cls(mode_save_configs=dict.fromkeys(ModeKeys, save_config_mode))

    @classmethod
    def parse(cls, obj: Any) -> "SaveConfig":
        """Converts None, a SaveConfig, a SaveConfigMode or a dictionary by mode to a SaveConfig."""
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
            f"save_config is {obj!r}; expected a SaveConfig, a SaveConfigMode or a dictionary of "
            "SaveConfigMode by mode"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SaveConfig):
            return NotImplemented
        return self.mode_save_configs == other.mode_save_configs

    __hash__ = None  # type: ignore[assignment]  # Mutable, not hashable.

    def __repr__(self) -> str:
        return f"SaveConfig({self.mode_save_configs!r})"


def _whole(name: str, value: Union[int, str]) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise SMDebugValueError(f"{name} is {value!r}; expected an integer") from None
