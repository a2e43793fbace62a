"""The options that all hooks have."""

from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Union

from tensorwarden.base.exceptions import SMDebugTypeError
from tensorwarden.config.reduction_config import ReductionConfig


@dataclass
class HookOptions:
    """What a script passes to a hook; `BaseHook` describes each option."""

    out_dir: Optional[str] = None
    export_tensorboard: bool = False
    tensorboard_dir: Optional[str] = None
    dry_run: bool = False
    reduction_config: Optional[ReductionConfig] = None
    save_config: Any = None
    include_regex: Optional[Union[str, List[str]]] = None
    include_collections: Optional[Sequence[Any]] = None
    save_all: bool = False
    include_workers: str = "one"

    def check(self) -> None:
        """Raises RuntimeError without a folder, SMDebugTypeError for a wrong reduction_config."""
        if self.out_dir is None:
            raise RuntimeError("out_dir is missing; expected the folder to save the run in")
        reductions = self.reduction_config
        if reductions is not None and not isinstance(reductions, ReductionConfig):
            raise SMDebugTypeError(
                f"reduction_config is {reductions!r}; expected a ReductionConfig"
            )
