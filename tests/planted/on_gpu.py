"""Runs a script with all its tensors on the GPU: `python on_gpu.py SCRIPT`."""

import runpy
import sys

import torch

torch.set_default_device("cuda")
runpy.run_path(sys.argv[1], run_name="__main__")
