"""Takes memory without end, in a second process as data loaders do. Needs nothing but Python."""

import os
import time

print("taking memory", flush=True)
if os.fork() == 0:
    blocks = []
    while True:
        blocks.append(b"x" * (16 << 20))
# Only those who are killed with all others get past this.
time.sleep(3600)
