"""Sets up capture in every Python process below `warden run`, which puts this folder on PYTHONPATH,
and redirects the SageMaker SDK in processes with the variables of `warden env`.

Python runs this file at its start. It then removes its folder from sys.path and runs the
sitecustomize that it hides.
"""

import os
import sys


def _set_up():
    here = __file__.rpartition("/")[0]
    if os.environ.get("TENSORWARDEN_AUTO") == "1":
        try:
            import _tensorwarden_boot

            _tensorwarden_boot.begin()
        except Exception as error:
            print(f"tensorwarden: Capture disabled: {error}. Training continues.", file=sys.stderr)
    if os.environ.get("TENSORWARDEN_SDK") == "1":
        try:
            import _tensorwarden_sdk

            _tensorwarden_sdk.begin()
        except Exception as error:
            print(f"tensorwarden: SageMaker SDK not redirected: {error}", file=sys.stderr)
    sys.path[:] = [path for path in sys.path if path != here]


def _run_the_next():
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    from importlib.util import module_from_spec

    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_set_up()
_run_the_next()
