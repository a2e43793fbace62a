"""What a machine did when an incident began, from the files that the run's own monitor wrote."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"

BROKEN = """
import time, torch
from torch import nn
torch.manual_seed(0)

class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 8 * 30
    def __getitem__(self, index):
        time.sleep(0.005)
        sample = torch.randn(4)
        return sample / 0 if index >= 8 * 20 else sample

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for batch in torch.utils.data.DataLoader(Samples(), batch_size=8):
    optimizer.zero_grad()
    model(batch).pow(2).mean().backward()
    optimizer.step()
"""


def warden(*arguments):
    command = [str(WARDEN), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def incident_of(output):
    return next(one for one in json.loads(output)["incidents"] if one["step"] == 20)


def add_to_monitor(run, seconds, *metrics):
    """Adds lines to the file of that minute, as the monitor would have written them."""
    minute = int(seconds) // 60 * 60
    (file,) = run.glob(f"profiler-output/system/incremental/*/{minute:010}.algo-1.json")
    with file.open("a") as lines:
        for kind, name, dimension, value in metrics:
            line = {"Type": kind, "Name": name, "Dimension": dimension, "Value": value}
            lines.write(json.dumps({**line, "NodeId": "algo-1", "Timestamp": seconds}) + "\n")


def test_an_incident_says_what_the_machine_did(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(BROKEN)
    run = tmp_path / "run"
    done = warden("run", "--out", run, "--json", "--", sys.executable, script)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    incident = next(one for one in events[-1]["incidents"] if one["step"] == 20)
    # The loader sleeps 40 ms for each batch, and the step takes a few.
    assert incident["machine"][-1]["event"] == "slow_loader", incident
    assert not any(fact["devices"] for fact in incident["machine"]), incident

    named = {rule["name"]: rule for rule in events[-1]["rules"]}[incident["rule"]]
    finding = next(one for one in named["findings"] if one["id"] == incident["finding"])
    add_to_monitor(
        run,
        finding["wall_time"] - 1,
        ("accelerator", "gpu0", "ThrottleReasons", 64),
        ("memory", "MemoryUsedPercent", "", 99.2),
    )
    again = incident_of(warden("eval", run, "--json").stdout)
    assert [fact["text"] for fact in again["machine"]][:2] == [
        "GPU 0 slowed down (heat)",
        "host memory 99 % full",
    ]
    assert {**again, "machine": None} == {**incident, "machine": None}
    text = warden("eval", run).stdout
    line = next(line for line in text.splitlines() if "Machine: " in line)
    assert line.startswith("  Machine: GPU 0 slowed down (heat); host memory 99 % full; "), text
    assert line.endswith(" (around step 20)") and len(line) <= 100, text
