"""Runs a built-in algorithm in a job of `warden serve`: `python _tensorwarden_algorithm.py NAME`.

Uses only modules that every interpreter has: that of the job may lack what the algorithm needs,
and then this says so.
"""

import importlib
import os
import sys

import _tensorwarden_boot

_MAINS = {"xgboost": "tensorwarden.algorithms.xgboost.main"}


def run(name):
    """Returns the exit code of the algorithm."""
    # The folder of this file is on the path because Python runs it.
    sys.path[:] = [path for path in sys.path if path != __file__.rpartition("/")[0]]
    try:
        _tensorwarden_boot.find_package()
        main = importlib.import_module(_MAINS[name]).main
    except Exception as error:
        reason = (
            f"the built-in algorithm {name} cannot run with {sys.executable}: {error}. Install "
            f'tensorwarden and {name} there, or set "python" for the image in environments.json'
        )
        print(f"tensorwarden: {reason}", file=sys.stderr)
        output = os.environ.get("SM_OUTPUT_DIR") or "/opt/ml/output"
        with open(f"{output}/failure", "w") as file:  # noqa: PTH123
            file.write(reason)
        return 1
    return main()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1]))
