"""Writes a run of runs.py with the original library's own writers.

write_with_original.py foreign OUT
write_with_original.py recorded|recorded-original-types OUT SNAPSHOT.json

by an interpreter that has smdebug. A recorded run takes the values of its reductions, and the names
in its collections, from a snapshot: they are the other side's to compute.
"""

import sys
from pathlib import Path

import numpy as np
import runs
import snapshot

from smdebug.core.access_layer.utils import training_has_ended
from smdebug.core.collection import Collection
from smdebug.core.collection_manager import CollectionManager
from smdebug.core.modes import ModeKeys
from smdebug.core.reduction_config import ReductionConfig
from smdebug.core.save_config import SaveConfig
from smdebug.core.utils import serialize_tf_device
from smdebug.core.writer import FileWriter


def file_name(worker: str) -> str:
    return serialize_tf_device(worker) if worker.startswith("/") else worker


def write_step(out: str, step: runs.Step) -> None:
    mode = ModeKeys[step.mode]
    writer = FileWriter(out, worker=file_name(step.worker), step=step.step)
    for name, shape in step.shapes:
        writer.write_shape(name, shape, mode=mode, mode_step=step.mode_step)
    for name, array in step.records:
        if runs.dtype_of(array) == "bfloat16":
            continue  # Beyond the original.
        writer.write_tensor(array, name, mode=mode, mode_step=step.mode_step)
    writer.close()


def split(reductions: tuple[str, ...], norms: bool, absolute: bool) -> list[str]:
    chosen = [r for r in reductions if r.startswith("abs_") == absolute]
    return [
        r.removeprefix("abs_") for r in chosen if (r.removeprefix("abs_") in ("l1", "l2")) == norms
    ]


def write_manifest(out: str, run: runs.Run, worker: str) -> None:
    manager = CollectionManager()
    manager.set_num_workers(len(run.workers))
    for c in run.collections:
        reductions = ReductionConfig(
            reductions=split(c.reductions, norms=False, absolute=False),
            norms=split(c.reductions, norms=True, absolute=False),
            abs_reductions=split(c.reductions, norms=False, absolute=True),
            abs_norms=split(c.reductions, norms=True, absolute=True),
            save_raw_tensor=c.save_raw_tensor,
            save_shape=c.save_shape,
        )
        manager.add(
            Collection(
                c.name,
                include_regex=list(c.include_regex),
                tensor_names=list(c.tensor_names),
                reduction_config=reductions,
                save_config=SaveConfig(save_interval=1),
                save_histogram=c.save_histogram,
            )
        )
    manager.export(out, f"{file_name(worker)}_collections.json")


def complete(run: runs.Run, seen: snapshot.Snapshot) -> None:
    prefix = "smdebug/reductions/"
    for step in run.steps:
        for i, (name, _) in enumerate(step.records):
            if name.startswith(prefix):
                reduction, tensor = name.removeprefix(prefix).split("/", 1)
                value = seen.entries[tensor, step.step, step.worker].reductions[reduction]
                step.records[i] = (name, np.array(value.number(), value.dtype))
    for c in run.collections:
        c.tensor_names = tuple(seen.collections[c.name])


def main(which: str, out: str, seen: str = "") -> None:
    if which == "foreign":
        run = runs.foreign_run()
    else:
        run = runs.recorded_run(original_types_only=which == "recorded-original-types")
        complete(run, snapshot.load(Path(seen)))
    for step in run.steps:
        write_step(out, step)
    for worker in run.workers:
        write_manifest(out, run, worker)
    training_has_ended(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
