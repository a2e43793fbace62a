"""The constructor that the hooks of the frameworks share."""

from typing import Any, List, Optional, Sequence, Type, Union

from tensorwarden.config.collection_manager import CollectionManager
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.hook.base import BaseHook
from tensorwarden.hook.options import HookOptions


class FrameworkHook(BaseHook):
    """A hook with the collections of its framework.

    Derived classes override `_set_up`, and not the constructor, unless they have more options.
    """

    _manager_class: Type[CollectionManager] = CollectionManager

    def __init__(
        self,
        out_dir: Optional[str] = None,
        export_tensorboard: bool = False,
        tensorboard_dir: Optional[str] = None,
        dry_run: bool = False,
        reduction_config: Optional[ReductionConfig] = None,
        save_config: Any = None,
        include_regex: Optional[Union[str, List[str]]] = None,
        include_collections: Optional[Sequence[Any]] = None,
        save_all: bool = False,
        include_workers: str = "one",
    ):
        options = HookOptions(
            out_dir,
            export_tensorboard,
            tensorboard_dir,
            dry_run,
            reduction_config,
            save_config,
            include_regex,
            include_collections,
            save_all,
            include_workers,
        )
        self._set_up(self._manager_class(), options)
