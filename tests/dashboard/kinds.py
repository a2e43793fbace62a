"""A run of every kind that can be written without a training, for tests that visit all of them."""

import json
from pathlib import Path

import gpu_profile
import numpy as np
import step_profile
from models import write_models
from sweep import write_sweep
from unhappy import write_runs

from tensorwarden.files.file_writer import FileWriter

LAYERED, RANKED = "layered", "ranked"
RANKS = 3
GPUS, STEPS = gpu_profile.NAME, step_profile.NAME


def write_kinds(folder: Path) -> None:
    """Runs that diverged, crashed, were swept, profiled, and saved tensors of all kinds."""
    write_runs(folder)
    write_sweep(folder)
    write_models(folder)
    write_layers(folder / LAYERED)
    write_ranks(folder / RANKED)
    step_profile.write_step_run(folder / STEPS)
    gpu_profile.write_gpu_run(folder / GPUS)


def write_layers(folder: Path) -> None:
    """Weights, gradients and outputs of three layers, and the images that went into the first."""
    random = np.random.default_rng(1)
    names: dict[str, list[str]] = {"weights": [], "gradients": [], "outputs": [], "inputs": []}
    for step in range(4):
        saved = [("inputs", "images", (2, 3, 8, 8))]
        for layer in range(3):
            saved += [
                ("weights", f"conv.{layer}.weight", (8, 4)),
                ("gradients", f"gradient/conv.{layer}.weight", (8, 4)),
                ("outputs", f"conv.{layer}_output_0", (2, 4, 6, 6)),
            ]
        with FileWriter(str(folder), "worker_0", step=step) as writer:
            for collection, name, shape in saved:
                writer.write_tensor(random.normal(size=shape), name, mode_step=step)
                if name not in names[collection]:
                    names[collection].append(name)
    write_collections(folder, names)


def write_ranks(folder: Path) -> None:
    """Times and losses of several workers, of which the last is slow."""
    for rank in range(RANKS):
        own = 0.3 if rank == RANKS - 1 else 0.1
        saved = {"step_seconds": 0.3, "exchange_seconds": 0.3 - own, "loader_seconds": 0.01}
        for step in range(6):
            with FileWriter(str(folder), f"worker_{rank}", step=step) as writer:
                writer.write_tensor(np.float64(1 / (1 + step + rank)), "loss", mode_step=step)
                for name, seconds in saved.items():
                    writer.write_tensor(np.float64(seconds), f"training/{name}", mode_step=step)
    names = {"losses": ["loss"], "training": [f"training/{name}" for name in saved]}
    write_collections(folder, names, RANKS)


def write_collections(folder: Path, names: dict[str, list[str]], workers: int = 1) -> None:
    """What belongs to which collection, and that the run has ended."""
    collections = {
        name: {"name": name, "include_regex": [], "tensor_names": tensors}
        for name, tensors in names.items()
    }
    place = folder / "collections/000000000"
    place.mkdir(parents=True)
    written = json.dumps({"collections": collections, "_meta": {"num_workers": workers}})
    for worker in range(workers):
        (place / f"worker_{worker}_collections.json").write_text(written)
    (folder / "training_job_end.ts").touch()
