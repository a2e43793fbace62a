"""A training whose gradient vanishes at every other step, for measuring how soon that is told:
python flickering.py FOLDER STEPS"""

import sys
import time

import torch

import smdebug.pytorch as smd


def main():
    folder, steps = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
    hook = smd.Hook(out_dir=folder, save_all=True, save_config=smd.SaveConfig(save_interval=1))
    hook.register_module(model)
    for step in range(steps):
        model.zero_grad()
        (float(step % 2 == 0) * model(torch.randn(16, 64))).mean().backward()
        time.sleep(0.05)
    hook.close()


main()
