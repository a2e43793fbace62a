"""Trains a small network, the same in every run: OUT_DIR STOP_FILE [STEPS].

Ends after so many steps, else when the file appears. Prints the folder of the run before the first
step, and the seconds of each step after the last one.
"""

import json
import sys
import time
from pathlib import Path

import torch
from torch import nn

import smdebug.pytorch as smd


def main() -> None:
    out_dir, stop_file = sys.argv[1:3]
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else sys.maxsize
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 4))
    optimizer = torch.optim.Adam(model.parameters())
    criterion = nn.CrossEntropyLoss()
    hook = smd.Hook(
        out_dir=out_dir,
        save_config=smd.SaveConfig(save_interval=1),
        include_collections=["weights", "gradients", "losses"],
    )
    hook.register_module(model)
    hook.register_loss(criterion)
    print(hook.run_folder, flush=True)
    x, y = torch.randn(64, 16), torch.randint(0, 4, (64,))
    seconds = []
    while len(seconds) < steps and not Path(stop_file).exists():
        begun = time.perf_counter()
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begun)
        time.sleep(0.002)  # Data would be loaded now.
    hook.close()
    print(json.dumps(seconds), flush=True)


main()
