"""Made-up profiles, in the profiler's format: of machines with known faults, and healthy ones."""

import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

BEGIN = 1767268800  # The full hour.


class Machine:
    """A node that is sampled and a process on it that trains; times count from the job's start."""

    def __init__(self, run: Path, node: str = "algo-1", cores: int = 4):
        self.folder = run / "profiler-output"
        self.node = node
        self.cores = cores
        self._random = random.Random(node)
        self._events: list[dict] = []
        self._phases: dict[str, int] = {}
        self._last_us = 0

    def sample(
        self,
        count: int,
        interval: float = 0.5,
        cpu: float = 50,
        io_wait: float = 1,
        gpu=(),
        gpu_memory=(),
        noise: float = 2,
    ) -> None:
        """Writes samples. Of gpu and gpu_memory one value for each device, or a function of the
        sample's number that gives them."""
        lines: dict[int, list[str]] = {}
        for number in range(count):
            at = BEGIN + number * interval
            minute = lines.setdefault(int(at) // 60 * 60, [])
            for name, dimension, kind, value in self._values(
                number, cpu, io_wait, gpu, gpu_memory, noise
            ):
                minute.append(
                    json.dumps(
                        {
                            "Type": kind,
                            "Name": name,
                            "Dimension": dimension,
                            "Value": round(value, 2),
                            "NodeId": self.node,
                            "Timestamp": at,
                        }
                    )
                )
        for minute, texts in lines.items():
            hour = time.strftime("%Y%m%d%H", time.gmtime(minute))
            file = self.folder / "system/incremental" / hour / f"{minute}.{self.node}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(texts) + "\n")

    def _values(self, number, cpu, io_wait, gpu, gpu_memory, noise):
        def near(value):
            return min(100.0, max(0.0, value + self._random.uniform(-noise, noise)))

        for core in range(self.cores):
            yield f"cpu{core}", "CPUUtilization", "cpu", near(cpu)
            yield f"cpu{core}", "I/OWaitPercentage", "cpu", near(io_wait)
        yield "MemoryUsedPercent", "", "memory", near(30)
        for values, dimension in ((gpu, "GPUUtilization"), (gpu_memory, "GPUMemoryUtilization")):
            for device, value in enumerate(values(number) if callable(values) else values):
                yield f"gpu{device}", dimension, "gpu", near(value)

    def span(self, phase: str, name: str, start: float, length: float, **args) -> None:
        """Adds a piece of work to the timeline, in seconds."""
        self._last_us = max(self._last_us, round((start + length) * 1e6))
        self._events.append(
            {
                "name": name,
                "pid": self._phases.setdefault(phase, len(self._phases) + 1),
                "ph": "X",
                "ts": round(start * 1e6),
                "dur": round(length * 1e6),
                "args": args,
            }
        )

    def steps(self, lengths: Sequence[float], start: float = 0, mode: str = "TRAIN") -> None:
        """Adds steps, one after the other."""
        phase = f"Step:ModeKeys.{mode}"
        for number, length in enumerate(lengths):
            self.span(phase, phase, start, length, pid=88, step_num=str(number))
            start += length

    def end(self) -> None:
        """Writes the timeline, and that the job has ended."""
        if self._events:
            announced = [{"name": "process_name", "ph": "M", "pid": 0, "args": _base()}]
            announced += [
                {"name": "process_name", "ph": "M", "pid": pid, "args": {"name": phase}}
                for phase, pid in self._phases.items()
            ]
            end = BEGIN * 1_000_000 + self._last_us
            hour = time.strftime("%Y%m%d%H", time.gmtime(end // 1_000_000))
            name = f"{end}_88-{self.node}_pythontimeline.json"
            file = self.folder / "framework/pevents" / hour / name
            file.parent.mkdir(parents=True, exist_ok=True)
            lines = ",\n".join(json.dumps(event) for event in announced + self._events)
            file.write_text(f"[\n{lines}\n]\n")
        (self.folder / "system").mkdir(parents=True, exist_ok=True)
        (self.folder / "system/training_job_end.ts").touch()


def _base() -> dict:
    return {"start_time_since_epoch_in_micros": BEGIN * 1_000_000}
