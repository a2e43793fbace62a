"""Notes that it ran, waits a little, leaves a model. Needs nothing but Python."""

import argparse
import os
import time
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, default=0.2)
parser.add_argument("--fail", type=int, default=0)
options = parser.parse_args()

if "RAN_FILE" in os.environ:
    # In one piece, however many write at once, and whoever they are.
    os.umask(0)
    ran = os.open(os.environ["RAN_FILE"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.write(ran, (os.environ["TRAINING_JOB_NAME"] + "\n").encode())
print("begun", flush=True)
time.sleep(options.seconds)
Path(os.environ["SM_MODEL_DIR"], "model.txt").write_text("a model\n")
print("done", flush=True)
raise SystemExit(options.fail)
