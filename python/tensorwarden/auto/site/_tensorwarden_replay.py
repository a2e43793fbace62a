"""Starts `warden replay` in the Python of a training, which need not have this package."""

import sys

import _tensorwarden_boot

if __name__ == "__main__":
    sys.path[:] = [path for path in sys.path if path != _tensorwarden_boot._HERE]
    _tensorwarden_boot.find_package()
    from tensorwarden.adapters.pytorch.rerun.command import main

    sys.exit(main())
