"""Stores the steps reached at checkpoints, for jobs that resume from them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.sagemaker.access import TSAccessFile
from tensorwarden.sagemaker.constants import (
    CHECKPOINT_CONFIG_FILE_PATH_ENV_VAR,
    CHECKPOINT_DIR_KEY,
    DEFAULT_CHECKPOINT_CONFIG_FILE,
    LATEST_GLOBAL_STEP_SEEN,
    METADATA_FILENAME,
)


class StateStore:
    """Stores a state of the training each time new checkpoints appear.

    Without a checkpoint configuration it does nothing and never reports new checkpoints.
    """

    def __init__(self) -> None:
        self._saved_states: list[dict[str, Any]] = []
        self._checkpoint_dir = self._configured_dir()
        self._states_file = None
        if self._checkpoint_dir is not None:
            self._states_file = Path(self._checkpoint_dir, METADATA_FILENAME)
            self._read_states_file(self._states_file)
        self._last_seen = self._checkpoint_files()

    def _configured_dir(self) -> str | None:
        path = Path(os.getenv(CHECKPOINT_CONFIG_FILE_PATH_ENV_VAR, DEFAULT_CHECKPOINT_CONFIG_FILE))
        if not path.exists():
            return None
        try:
            return os.fspath(json.loads(path.read_text())[CHECKPOINT_DIR_KEY])
        except (OSError, ValueError, KeyError, TypeError):
            get_logger().error(
                f"{path} is not a checkpoint configuration; expected "
                f'{{"{CHECKPOINT_DIR_KEY}": folder}}. Training state will not be stored.'
            )
            return None

    def _read_states_file(self, path: Path) -> None:
        if not path.exists():
            return
        try:
            states = json.loads(path.read_text())
            self._saved_states = sorted(states, key=lambda state: state[LATEST_GLOBAL_STEP_SEEN])
        except (OSError, ValueError, KeyError, TypeError) as error:
            get_logger().error(f"cannot read {path}: {error}; starting with an empty state")

    def _checkpoint_files(self) -> dict[str, int]:
        """Returns the size of each checkpoint file, without the files of this class and the
        uploader."""
        found = {}
        for root, _, names in os.walk(self._checkpoint_dir or ""):
            for name in names:
                if name.startswith(METADATA_FILENAME) or "sagemaker-uploaded" in name:
                    continue
                path = os.path.join(root, name)  # noqa: PTH118
                try:
                    found[path] = os.stat(path).st_size  # noqa: PTH116
                except FileNotFoundError:
                    continue  # Removed while listing.
        return found

    @property
    def keeps_states(self) -> bool:
        """Whether states are stored."""
        return self._states_file is not None

    def is_checkpoint_updated(self) -> bool:
        """Returns whether checkpoint files were added, removed or resized since the last call."""
        seen, self._last_seen = self._last_seen, self._checkpoint_files()
        return self._last_seen != seen

    def get_last_saved_state(self) -> dict[str, Any] | None:
        """Returns the state with the highest step; None if there is none."""
        return self._saved_states[-1] if self._saved_states else None

    def update_state(self, ts_state: dict[str, Any]) -> None:
        """Appends a state. The file is replaced as a whole."""
        if self._states_file is None:
            return
        self._saved_states.append(ts_state)
        with TSAccessFile(str(self._states_file), "w") as file:
            file.write(json.dumps(self._saved_states))
