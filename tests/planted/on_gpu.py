"""Runs a script with all its tensors on the GPU: `python on_gpu.py SCRIPT ARGUMENTS...`."""

import runpy
import sys

import torch

torch.set_default_device("cuda")
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
