"""Runs a script, SCRIPT ARGUMENTS..., whose pauses are short: clients of the cloud look after a job
every ten seconds or more, and jobs of tests take less."""

import runpy
import sys
import time

MOST_S = 0.5
usual_sleep = time.sleep
time.sleep = lambda seconds: usual_sleep(min(seconds, MOST_S))
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
