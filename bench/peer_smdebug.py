"""The original library at the same work, measured as our own programs are: variants named on the
command line or, line by line, on the standard input; one JSON object for each run.

Runs in the original's environment. Nothing but the standard library is imported before it is
measured, because importing is part of what opening a run costs.
"""

import argparse
import contextlib
import json
import os
import resource
import shutil
import sys
import time
from pathlib import Path

# Else it waits a minute at the end of every run, and tells of much.
os.environ["SMDEBUG_TRAINING_END_DELAY_REFRESH"] = "0"
os.environ["SMDEBUG_LOG_LEVEL"] = "error"

TENSOR_READ = "layer7/weight"
SMALL_TENSORS = 84
SMALL_ELEMENTS = 64
# What is smaller than this stays until somebody removes it: file systems are slow to make files
# right after many were removed.
LARGE_BYTES = 1 << 23


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


class Peer:
    def __init__(self, options):
        self.options = options
        self._array = None
        self._tensors = None
        self._folders = 0

    def versions(self):
        import numpy

        import smdebug

        return {"smdebug": smdebug.__version__, "numpy": numpy.__version__}

    # ---- Reductions.

    def array(self):
        import numpy

        if self._array is None:
            random = numpy.random.default_rng(1)
            self._array = random.standard_normal(self.options.mib << 18, dtype=numpy.float32)
        return self._array

    def reduce(self):
        """All 18 through the function with which it computes a reduction that was not saved."""
        from smdebug.core.reduction_config import ALLOWED_NORMS, ALLOWED_REDUCTIONS
        from smdebug.core.reductions import get_numpy_reduction

        array = self.array()
        names = ALLOWED_REDUCTIONS + ALLOWED_NORMS

        def work():
            for absolute in (False, True):
                for name in names:
                    get_numpy_reduction(name, array, absolute)

        return {"seconds": seconds(work), "bytes": array.nbytes, "calls": 2 * len(names)}

    def numpy(self):
        """The same statistics as somebody would compute them who knows NumPy and the tensor."""
        import numpy

        array = self.array()

        def work():
            for values in (array, numpy.abs(array)):
                simple = values.min(), values.max(), values.mean(), values.sum(), values.prod()
                variance = values.var()
                l2 = numpy.sqrt(numpy.dot(values, values))
            # std is the variance's root, l1 the sum of the absolute values.
            return simple, variance, l2

        return {"seconds": seconds(work), "bytes": array.nbytes}

    # ---- Writing.

    def write_steps(self, steps, tensors):
        from smdebug.core.writer import FileWriter

        self._folders += 1
        folder = Path(self.options.dir) / f"original-{self._folders}"
        shutil.rmtree(folder, ignore_errors=True)

        def work():
            for step in range(steps):
                writer = FileWriter(trial_dir=str(folder), worker="worker_0", step=step)
                for name, values in tensors:
                    writer.write_tensor(tdata=values, tname=name)
                writer.close()

        sample = {
            "seconds": seconds(work),
            "steps": steps,
            "bytes": steps * sum(values.nbytes for _, values in tensors),
        }
        if sample["bytes"] >= LARGE_BYTES:
            shutil.rmtree(folder)
        return sample

    def write(self):
        import numpy

        if self._tensors is None:
            count = self.options.tensor_mib << 18
            self._tensors = [
                (f"layer{i}.weight", numpy.arange(i, i + count, dtype=numpy.float32))
                for i in range(self.options.tensors)
            ]
        return self.write_steps(self.options.steps, self._tensors)

    def write_small(self):
        import numpy

        values = numpy.ones(SMALL_ELEMENTS, dtype=numpy.float32)
        tensors = [(f"layer{i}.weight", values) for i in range(SMALL_TENSORS)]
        return self.write_steps(self.options.small_steps, tensors)

    def write_scalar(self):
        import numpy

        return self.write_steps(self.options.small_steps, [("scalar/loss", numpy.float64([0.5]))])

    # ---- Opening.

    def open(self):
        begin = time.perf_counter()
        from smdebug.trials import create_trial

        imported = time.perf_counter()
        trial = create_trial(self.options.run)
        steps = trial.steps()
        tensor = trial.tensor(TENSOR_READ)
        total = 0.0
        for step in tensor.steps():
            total += float(tensor.value(step).sum())
        return {
            "seconds": time.perf_counter() - imported,
            "import": imported - begin,
            "steps": len(steps),
            "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        }

    # ---- Rules.

    def rule(self):
        """Vanishing gradients by a rule against its API: the mean of the absolute values of each
        gradient at each step."""
        from smdebug.exceptions import NoMoreData
        from smdebug.rules import Rule, invoke_rule
        from smdebug.trials import create_trial

        class VanishingGradient(Rule):
            def set_required_tensors(self, step):
                for name in self.base_trial.tensor_names(collection="gradients"):
                    self.req_tensors.add(name, steps=[step])

            def invoke_at_step(self, step):
                tensors = self.req_tensors.get()
                means = [t.reduction_value(step, "mean", abs=True) for t in tensors]
                return any(mean < 1e-7 for mean in means)

        trial = create_trial(self.options.run)
        steps = len(trial.steps())
        rule = VanishingGradient(trial, action_str="")

        def work():
            with contextlib.suppress(NoMoreData):
                invoke_rule(rule, start_step=0, end_step=steps)

        return {"seconds": seconds(work), "steps": steps}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dir", default="build/bench", help="where to write")
    parser.add_argument("--run", help="the run to open")
    parser.add_argument("--mib", type=int, default=256, help="size of the tensor to reduce")
    parser.add_argument("--steps", type=int, default=4, help="steps to write")
    parser.add_argument("--tensors", type=int, default=4, help="tensors in a step")
    parser.add_argument("--tensor-mib", type=int, default=16, help="size of such a tensor")
    parser.add_argument("--small-steps", type=int, default=50, help="small steps to write")
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    options = parser.parse_args()
    peer = Peer(options)
    for name in options.variants or map(str.strip, sys.stdin):
        print(json.dumps({"name": name, **getattr(peer, name)()}), flush=True)
    sys.stdout.flush()
    os._exit(0)  # Its threads would keep the process.


main()
