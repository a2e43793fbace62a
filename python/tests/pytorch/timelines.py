"""Trainings in processes of their own whose timelines are read back, line by line."""

import json
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

from training import run_script

# What the scripts of the tests begin with. `train` trains as `training.train` does, but from a data
# loader, and is given what it should do before each step.
BEGIN = """
import json, os, sys, time
import torch
from torch.utils.data import DataLoader
import training
from training import smd
from pathlib import Path
folder = Path(sys.argv[1])
config = folder / "profilerconfig.json"

# So long may workers of a loader take to end, who write their timelines then.
torch.utils.data._utils.MP_STATUS_CHECK_INTERVAL = 300.0

class Batches(torch.utils.data.Dataset):
    def __len__(self):
        return 20
    def __getitem__(self, index):
        return training.batches(20)[index]

def configure(**parameters):
    parameters.setdefault("LocalPath", str(folder / "profiler"))
    text = json.dumps({"ProfilingParameters": parameters})
    Path(f"{config}.new").write_text(text)
    os.replace(f"{config}.new", config)

def make_hook(**settings):
    settings.setdefault("save_config", smd.SaveConfig(save_interval=7))
    hook = smd.Hook(out_dir=str(folder / "run"), **settings)
    hook.set_mode(smd.modes.TRAIN)
    return hook

def losses_of(hook, steps=10, before=None, **loading):
    model = training.make_model()
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if hook is not None:
        hook.register_module(model)
    losses = []
    for number, (features, target) in enumerate(DataLoader(Batches(), batch_size=None, **loading)):
        if number == steps:
            break
        if before is not None:
            before(number)
        optimizer.zero_grad()
        loss = criterion(model(features), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

def wait_for_a_look():
    # The file of the configuration is looked at ten times a second.
    time.sleep(0.15)
"""


class Event(NamedTuple):
    """An event of a timeline file, in microseconds since 1970."""

    phase: str
    name: str
    start: int
    duration: int
    args: Dict[str, Any]
    node: str

    @property
    def end(self) -> int:
        return self.start + self.duration

    @property
    def step(self) -> int:
        return int(self.args["step_num"])


def run(
    tmp_path: Path, code: str, environment: Optional[Dict[str, str]] = None, **settings: Any
) -> Any:
    """Runs a script after BEGIN, where the configuration is named but not there yet."""
    chosen = {
        "SMPROFILER_CONFIG_PATH": str(tmp_path / "profilerconfig.json"),
        "KINETO_LOG_LEVEL": "99",  # PyTorch's profiler reports that there is no GPU.
        **(environment or {}),
    }
    return run_script(BEGIN + code, tmp_path, environment=chosen, **settings)


def run_file(tmp_path: Path, code: str) -> None:
    """The same from a file, which processes that are spawned can import."""
    path = tmp_path / "script.py"
    path.write_text(BEGIN + code)
    start = "import os, sys; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    chosen = {"SMPROFILER_CONFIG_PATH": str(tmp_path / "profilerconfig.json")}
    run_script(start, path, tmp_path, environment=chosen, warm=False)


def finished(folder: Path) -> List[Path]:
    """The files that have got their names, in time."""
    return sorted(folder.glob("framework/pevents/*/*_pythontimeline.json"))


def read(folder: Path) -> List[Event]:
    """The spans of all finished files, by start."""
    events = [event for path in finished(folder) for event in read_file(path)]
    return sorted(events, key=lambda event: event.start)


def read_file(path: Path) -> List[Event]:
    """The spans of one file, which has to be whole and to say what its numbers mean."""
    base, phases, events = None, {}, []
    for line in json.loads(path.read_text()):
        if line["ph"] == "M":
            args = line["args"]
            if line["name"] == "process_name" and "name" in args:
                phases[line["pid"]] = args["name"]
            base = args.get("start_time_since_epoch_in_micros", base)
            continue
        node = path.name.split("_")[1]
        start = line["ts"] + base
        args = line.get("args", {})
        events.append(
            Event(phases[line["pid"]], line["name"], start, line.get("dur", 0), args, node)
        )
    return events


def of_phase(events: List[Event], phase: str) -> List[Event]:
    """Those of one phase."""
    return [event for event in events if event.phase == phase]
