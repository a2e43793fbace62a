"""Reads a run with the original library and prints, as JSON, its collections and every value to the
last bit:

{"collections": {name: tensors}, "values": {tensor: {mode: {step: [type, shape, hex]}}}}
"""

import json
import sys

from smdebug.core.modes import ModeKeys
from smdebug.trials import create_trial


def main() -> None:
    trial = create_trial(sys.argv[1])
    values = {}
    for name in trial.tensor_names():
        tensor = trial.tensor(name)
        for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT):
            for step in tensor.steps(mode=mode):
                value = tensor.value(step, mode=mode)
                row = [value.dtype.str, list(value.shape), value.tobytes().hex()]
                values.setdefault(name, {}).setdefault(mode.name, {})[step] = row
    collections = {
        name: sorted(trial.tensor_names(collection=name)) for name in trial.collections()
    }
    print(json.dumps({"collections": collections, "values": values}))


main()
