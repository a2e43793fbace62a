"""The Keras hook of a process."""

from typing import Any, Optional

from tensorwarden.adapters.keras.hook import KerasHook
from tensorwarden.adapters.keras.sessions import SessionHook
from tensorwarden.hook import singleton
from tensorwarden.hook.singleton import del_hook, set_hook

__all__ = ["del_hook", "get_hook", "set_hook"]

_CLASSES = {"keras": KerasHook, "session": SessionHook, "estimator": SessionHook}


def get_hook(
    hook_type: Optional[str] = None,
    json_config_path: Optional[str] = None,
    create_if_not_exists: bool = False,
) -> Any:
    """Returns the hook of this process.

    With `create_if_not_exists`, creates one of this type from the configuration file. Returns None
    if there is no such file or USE_SMDEBUG is false. Raises ValueError for an unknown type.
    """
    if hook_type is not None and hook_type not in _CLASSES:
        raise ValueError(f"unknown hook_type {hook_type!r}; expected one of: {', '.join(_CLASSES)}")
    if hook_type is None:
        if create_if_not_exists:
            raise ValueError(f"hook_type is missing; expected one of: {', '.join(_CLASSES)}")
        hook = singleton.current_hook() if singleton.enabled() else None
        return hook if isinstance(hook, tuple(_CLASSES.values())) else None
    return singleton.get_hook(_CLASSES[hook_type], json_config_path, create_if_not_exists)
