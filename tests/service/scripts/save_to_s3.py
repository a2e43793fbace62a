"""Saves a tensor at every step, as a training does: OUT_DIR STOP_FILE [STEPS].

Ends after so many steps, else when the file appears. Prints a line before the first step.
"""

import os
import sys
import time

import numpy as np

from tensorwarden.config.collection_manager import CollectionManager
from tensorwarden.config.save_config import SaveConfig
from tensorwarden.hook.base import BaseHook


def main() -> None:
    out_dir, stop_file = sys.argv[1:3]
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else sys.maxsize
    hook = BaseHook(
        CollectionManager(),
        out_dir=out_dir,
        save_config=SaveConfig(save_interval=1),
        include_collections=["mine"],
    )
    print(hook.run_folder, flush=True)
    for step in range(steps):
        if os.path.exists(stop_file):  # noqa: PTH110
            break
        hook._begin_step()
        values = np.random.default_rng(step).standard_normal(5000)
        hook.save_tensor("numbers", values, collections_to_write="mine")
        time.sleep(0.005)  # A step of a small model.
    hook.close()


main()
