"""Reports metrics of a training job to the service that runs it.

The service reads the files below $SAGEMAKER_METRICS_DIRECTORY, one for each process, with one JSON
object on each line. They become metrics of the job: `FinalMetricDataList`, CloudWatch.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import IO

from tensorwarden.base.troubles import say_once

DIRECTORY_VARIABLE = "SAGEMAKER_METRICS_DIRECTORY"


class MetricsFile:
    """The metrics file of this process. Does nothing outside of a job."""

    def __init__(self) -> None:
        self._file: IO[str] | None = None
        self._process = 0

    def report(
        self, name: str, value: float, iteration: int, timestamp: float | None = None
    ) -> None:
        """Adds a value of a metric, now or at `timestamp` (seconds since 1970). Never raises."""
        folder = os.environ.get(DIRECTORY_VARIABLE)
        if not folder:
            return
        line = {
            "MetricName": name,
            "Value": value,
            "Timestamp": time.time() if timestamp is None else timestamp,
            "IterationNumber": iteration,
        }
        try:
            # A line is written at once: whoever reads the file sees only whole ones.
            self._opened(folder).write(json.dumps(line) + "\n")
        except (OSError, TypeError, ValueError) as error:
            say_once(f"metric '{name}' is not reported: {error}")

    def _opened(self, folder: str) -> IO[str]:
        # A forked process has its own file.
        if self._file is None or self._process != os.getpid():
            self._process = os.getpid()
            path = Path(folder) / f"{self._process}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a", buffering=1, encoding="utf-8")
        return self._file
