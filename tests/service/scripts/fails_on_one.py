"""Fails on the second host as soon as the first one is there; the first one waits for long."""

import os
import time
from pathlib import Path

own = Path(os.environ["SM_MODEL_DIR"])
hosts = own.parents[3]
(own / "begun").touch()
if os.environ["SM_CURRENT_HOST"] != "algo-2":
    time.sleep(600)
while not (hosts / "algo-1/opt/ml/model/begun").exists():
    time.sleep(0.05)
Path(os.environ["SM_OUTPUT_DIR"], "failure").write_text("no such column: label")
raise SystemExit(3)
