#!python
"""The command `warden` of a wheel: runs the program that is in the package.

Imports nothing that Python has not loaded already, so that it costs little time."""

import os
import sys

for _folder in sys.path:
    _program = _folder + "/tensorwarden/bin/warden"
    if os.access(_program, os.X_OK):
        os.execv(_program, ["warden", *sys.argv[1:]])
sys.exit("cannot find tensorwarden/bin/warden; run: pip install --force-reinstall tensorwarden")
