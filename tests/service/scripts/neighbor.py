"""A job with something to lose: in its folders and in memory that processes share."""

import ctypes
import time
from pathlib import Path

for folder in ("/tmp", "/var/tmp", "/dev/shm"):
    (Path(folder) / "neighbor-secret").write_text("mine")
ctypes.CDLL(None).shmget(4711, 4096, 0o1666)
Path("/opt/ml/model/weights").write_text("mine")
print("begun", flush=True)
time.sleep(600)
