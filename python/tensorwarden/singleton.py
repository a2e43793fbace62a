"""The hook of a process."""

import os
from typing import Any, Optional, Type

from tensorwarden.exceptions import SMDebugTypeError

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


def set_hook(custom_hook: Any) -> None:
    """Sets the hook of this process. Raises SMDebugTypeError for anything but a hook."""
    from tensorwarden.hook import BaseHook

    global _hook
    if not isinstance(custom_hook, BaseHook):
        raise SMDebugTypeError(f"custom_hook is {custom_hook!r}; expected a hook")
    _hook = custom_hook


def del_hook() -> None:
    """Removes the hook of this process without closing it."""
    global _hook
    _hook = None
