"""What is exported for TensorBoard is read by a real one."""

import json
import subprocess
from pathlib import Path

from keras_training import compiled, data, fit

import smdebug.tensorflow as smd

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / "build/venv/bin/python"
READ = """
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

found = {}
for mode in ("TRAIN", "EVAL"):
    run = EventAccumulator(f"{sys.argv[1]}/{mode}", {"scalars": 0, "histograms": 0}).Reload()
    found[mode] = {
        "scalars": {t: [[e.step, e.value] for e in run.Scalars(t)] for t in run.Tags()["scalars"]},
        "histograms": {
            tag: [
                [e.step, e.histogram_value.num, e.histogram_value.max]
                for e in run.Histograms(tag)
            ]
            for tag in run.Tags()["histograms"]
        },
    }
print(json.dumps(found))
"""


def test_scalars_and_histograms(make_hook):
    kinds = ["weights", "gradients"]
    hook = make_hook(export_tensorboard=True, include_collections=kinds)
    model = compiled()
    x, y = data()
    history = fit(model, hook, validation_data=(x, y), validation_batch_size=12)
    hook.close()
    command = [str(PYTHON), "-c", READ, f"{hook.out_dir}/tensorboard"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    losses = found["TRAIN"]["scalars"]["loss"]
    assert [step for step, _ in losses] == [0, 1, 2]
    saved = smd.create_trial(hook.out_dir).tensor("loss")
    for step, loss in losses:
        assert abs(loss - saved.value(step).item()) < 1e-6
    (validation,) = found["EVAL"]["scalars"]["val_loss"]
    assert abs(validation[1] - history["val_loss"][0]) < 1e-6
    rows = found["TRAIN"]["histograms"]["weights/hidden/weights/hidden/kernel_0"]
    assert [row[:2] for row in rows] == [[0, 12], [1, 12], [2, 12]]
    assert abs(rows[-1][2] - model.layers[0].kernel.numpy().max()) < 1e-6
    assert "gradients/gradients/last/kernelGrad" in found["TRAIN"]["histograms"]
