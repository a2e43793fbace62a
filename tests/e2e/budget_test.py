"""What `warden run` captures of trainings with short steps, in which little may be captured."""

import re
import subprocess
import sys

from launched import HEAD, LOOP, WARDEN

# Counts the steps that begin in the cheapest way.
COUNTED = """
from tensorwarden.hook.pacer import Pacer

begun = []
next_is_bare = Pacer.next_is_bare
Pacer.next_is_bare = lambda pacer: begun.append(next_is_bare(pacer)) or begun[-1]
step = lambda: F.cross_entropy(model(x), y)
"""
STEPS = 2000


def test_short_steps_are_captured_with_losses_only(tmp_path):
    script = HEAD + COUNTED + LOOP.replace("range(10)", f"range({STEPS})")
    (tmp_path / "train.py").write_text(script + "print('cheap steps:', sum(begun))\n")
    command = [WARDEN, "run", "--out", "run", "--rules", "none", "--", sys.executable, "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = re.search(r"cheap steps: (\d+)", done.stdout)
    assert found is not None, done.stdout
    # How many depends on what else the machine does.
    assert int(found.group(1)) > STEPS / 50
    # The timeline, which is on by default, has all of them.
    folder = tmp_path / "run" / "profiler-output" / "framework" / "pevents"
    recorded = "".join(path.read_text() for path in folder.glob("*/*_pythontimeline.json"))
    assert len(re.findall(r'"Step:ModeKeys\.TRAIN", "pid": \d+, "ph": "X"', recorded)) == STEPS
