"""The MXNet hook of a process."""

from typing import Optional

from tensorwarden.adapters.mxnet.hook import Hook
from tensorwarden.hook import singleton
from tensorwarden.hook.singleton import del_hook, set_hook

__all__ = ["del_hook", "get_hook", "set_hook"]


def get_hook(json_config_path: Optional[str] = None) -> Optional[Hook]:
    """Returns the hook of this process, creating it from the configuration file if there is none.

    Returns None if there is no such file or USE_SMDEBUG is false.
    """
    return singleton.get_hook(Hook, json_config_path, create_if_not_exists=True)
