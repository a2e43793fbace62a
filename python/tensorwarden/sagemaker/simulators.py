"""Context managers that simulate a SageMaker job, or the absence of one, for tests."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from tensorwarden.sagemaker.constants import (
    CONFIG_FILE_PATH_ENV_STR,
    DEFAULT_SAGEMAKER_OUTDIR,
    DEFAULT_SAGEMAKER_TENSORBOARD_PATH,
    TENSORBOARD_CONFIG_FILE_PATH_ENV_STR,
)
from tensorwarden.sagemaker.files import ensure_dir

_TEMPORARY = tempfile.gettempdir()


class SagemakerSimulator:
    """Sets the environment of a job and writes its configuration files; removes both on exit.

    With `cleanup=False`, output folders of an earlier job are kept on entry.
    """

    def __init__(
        self,
        json_config_path: str = f"{_TEMPORARY}/zcc_config.json",
        tensorboard_dir: str = f"{_TEMPORARY}/tensorboard",
        training_job_name: str = "sm_job",
        json_file_contents: str = "{}",
        cleanup: bool = True,
    ):
        self.out_dir = DEFAULT_SAGEMAKER_OUTDIR
        self.json_config_path = json_config_path
        self.tb_json_config_path = DEFAULT_SAGEMAKER_TENSORBOARD_PATH
        self.tensorboard_dir = tensorboard_dir
        self.training_job_name = training_job_name
        self.json_file_contents = json_file_contents
        self.cleanup = cleanup

    def __enter__(self) -> SagemakerSimulator:
        if self.cleanup:
            shutil.rmtree(self.out_dir, ignore_errors=True)
        shutil.rmtree(self.tensorboard_dir, ignore_errors=True)
        wanted = {
            CONFIG_FILE_PATH_ENV_STR: self.json_config_path,
            TENSORBOARD_CONFIG_FILE_PATH_ENV_STR: self.tb_json_config_path,
            "TRAINING_JOB_NAME": self.training_job_name,
        }
        self._before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)
        for path, text in (
            (self.json_config_path, self.json_file_contents),
            (self.tb_json_config_path, json.dumps({"LocalPath": self.tensorboard_dir})),
        ):
            ensure_dir(path)
            Path(path).write_text(text)
        return self

    def __exit__(self, *_: Any) -> None:
        for path in (self.json_config_path, self.tb_json_config_path):
            Path(path).unlink()
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class ScriptSimulator:
    """Simulates a process outside of any job, with empty output folders."""

    def __init__(self, out_dir: str = f"{_TEMPORARY}/test", tensorboard_dir: str | None = None):
        self.out_dir = out_dir
        self.tensorboard_dir = tensorboard_dir

    def __enter__(self) -> ScriptSimulator:
        self._clear()
        self._job = os.environ.pop("TRAINING_JOB_NAME", None)
        return self

    def __exit__(self, *_: Any) -> None:
        self._clear()
        if self._job is not None:
            os.environ["TRAINING_JOB_NAME"] = self._job

    def _clear(self) -> None:
        for folder in (self.out_dir, self.tensorboard_dir):
            if folder:
                shutil.rmtree(folder, ignore_errors=True)
