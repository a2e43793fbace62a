"""A training that runs until it is stopped."""

import time

while True:
    time.sleep(0.1)
