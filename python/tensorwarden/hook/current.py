"""The hook of this process."""

import os
from typing import Any, Optional, Type

_hook: Any = None


def enabled() -> bool:
    """Returns whether capture is enabled: USE_SMDEBUG is not false."""
    return os.environ.get("USE_SMDEBUG", "true").strip().lower() not in ("0", "false")


def get_hook(
    hook_class: Type[Any],
    json_config_path: Optional[str] = None,
    create_if_not_exists: bool = False,
) -> Any:
    """Returns the hook of this process if it is of this class.

    With `create_if_not_exists`, otherwise creates one from the configuration file. Returns None if
    there is no such file or capture is disabled.
    """
    global _hook
    if not enabled():
        return None
    if isinstance(_hook, hook_class):
        return _hook
    _hook = None
    if create_if_not_exists:
        try:
            _hook = hook_class.create_from_json_file(json_config_path)
        except FileNotFoundError:
            _hook = None
    return _hook


def current_hook() -> Any:
    """Returns the hook of this process, whatever its class; None if there is none."""
    return _hook


def keep_hook(hook: Any) -> None:
    """Makes this the hook of this process."""
    global _hook
    _hook = hook


def del_hook() -> None:
    """Removes the hook of this process without closing it."""
    global _hook
    _hook = None
