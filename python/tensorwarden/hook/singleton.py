"""The hook of this process, for scripts."""

from typing import Any

from tensorwarden.base.exceptions import SMDebugTypeError
from tensorwarden.hook.base import BaseHook
from tensorwarden.hook.current import current_hook, del_hook, enabled, get_hook, keep_hook

__all__ = ["current_hook", "del_hook", "enabled", "get_hook", "set_hook"]


def set_hook(custom_hook: Any) -> None:
    """Sets the hook of this process. Raises SMDebugTypeError for anything but a hook."""
    if not isinstance(custom_hook, BaseHook):
        raise SMDebugTypeError(f"custom_hook is {custom_hook!r}; expected a hook")
    keep_hook(custom_hook)
