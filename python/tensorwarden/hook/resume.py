"""Continues a run at its last checkpoint after its machine was taken away."""

from typing import Any, Dict, Optional, Protocol

from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.slurm import find_task
from tensorwarden.base.troubles import say_once
from tensorwarden.sagemaker.state_store import StateStore


class Progress(Protocol):
    """What is stored of a hook."""

    @property
    def step(self) -> int:
        """The current global step."""

    @property
    def last_saved_step(self) -> Optional[int]:
        """The last global step at which something was due."""

    @property
    def mode_steps(self) -> Dict[ModeKeys, int]:
        """The last step of each mode."""


class ResumePoint:
    """Reads the steps reached at the last checkpoint and updates them.

    Without a checkpoint configuration, steps start at the beginning and nothing is stored.
    """

    def __init__(self) -> None:
        self.last_step = -1
        self.last_saved_step: Optional[int] = None
        self.last_mode_steps: Dict[ModeKeys, int] = {}
        self._training_run = 0
        self._store = StateStore()
        self.active = self._store.keeps_states
        # Tasks of Slurm share the folder of checkpoints; the first one stores.
        self._is_anothers = (find_task() or (0, 1))[0] > 0
        state = self._store.get_last_saved_state()
        if state is None:
            return
        try:
            self._take(state)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            say_once(
                f"the saved state of the last checkpoint is invalid ({error!r}); steps "
                "restart at 0"
            )

    def _take(self, state: Dict[str, Any]) -> None:
        last_step = int(state["latest-global-step-seen"])
        saved = state.get("latest-global-step-saved")
        self.last_mode_steps = {
            ModeKeys[mode]: int(step)
            for mode, step in state.get("latest-mode-step", {}).items()
            if mode in ModeKeys.__members__
        }
        self._training_run = int(state.get("training-run", 0)) + 1
        self.last_saved_step = None if saved is None else int(saved)
        self.last_step = last_step

    def note(self, hook: Progress) -> None:
        """Stores the step that has just ended if new checkpoints appeared during it."""
        if self._is_anothers or hook.step < 0 or not self._store.is_checkpoint_updated():
            return
        self._store.update_state(
            {
                "training-run": self._training_run,
                "latest-global-step-saved": hook.last_saved_step,
                "latest-global-step-seen": hook.step,
                "latest-mode-step": {m.name: step for m, step in hook.mode_steps.items()},
            }
        )
