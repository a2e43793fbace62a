"""The one hook of a process."""

import os
from typing import Any, Optional, Type

from tensorwarden.exceptions import SMDebugTypeError

_hook: Any = None


def enabled() -> bool:
    """Whether the environment lets capture happen: USE_SMDEBUG is not false."""
    return os.environ.get("USE_SMDEBUG", "true").strip().lower() not in ("0", "false")


def get_hook(
    hook_class: Type[Any],
    json_config_path: Optional[str] = None,
    create_if_not_exists: bool = False,
) -> Any:
    """The hook if it is of that class; else, if asked for, one from the configuration file. None
    if there is no such file."""
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
    """Makes a hook the process's."""
    from tensorwarden.hook import BaseHook

    global _hook
    if not isinstance(custom_hook, BaseHook):
        raise SMDebugTypeError(f"{custom_hook!r} is no hook")
    _hook = custom_hook


def del_hook() -> None:
    """Forgets the hook; it is not closed."""
    global _hook
    _hook = None
