"""The wheels, in environments that have nothing else of ours."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from place import DIST, ROOT, XGBOOST, only

OURS = sys.version_info[1]


def pythons() -> dict:
    """Interpreters by their minor version, as tools/wheel.sh finds them."""
    command = [ROOT / "tools" / "wheel.sh", "--list"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {int(minor): python for minor, python in map(str.split, listed.splitlines())}


PYTHONS = pythons()


def wheel_for(minor: int) -> Path:
    """The wheel that pip would take for that version."""
    tag = f"cp3{minor}-cp3{minor}" if minor < 12 else "cp312-abi3"
    return only(f"*-{tag}-*.whl")


def test_one_for_each_old_python_and_one_for_all_new_ones():
    names = [wheel.name for wheel in DIST.glob("*.whl")]
    found = sorted(int(re.search(r"-cp3(\d+)-", name)[1]) for name in names)
    assert found == sorted({min(minor, 12) for minor in PYTHONS})
    assert all("-manylinux" in name for name in names), "an index would refuse them"


# A step is written and read again: values cross from Python to C++ and back.
WRITE_AND_READ = """
import numpy as np
import smdebug, smppy, smprof, tensorwarden
from tensorwarden.files.file_writer import FileWriter
from tensorwarden.files.event_reader import FileReader
values = np.arange(6, dtype=np.float32).reshape(2, 3)
writer = FileWriter("run", "worker_0", step=0)
writer.write_tensor(values, "weight")
name = writer.name()
writer.close()
((read_name, step, read, *_),) = FileReader(name).read_tensors()
assert read_name == "weight" and (read == values).all(), (read_name, read)
print(tensorwarden.__version__)
"""


@pytest.mark.parametrize("minor", PYTHONS)
def test_every_python(environment, minor):
    place = environment(PYTHONS[minor])
    place.pip_install(wheel_for(minor))
    version = place.run(place.python, "-c", WRITE_AND_READ).strip()
    assert version in place.run(place.warden, "--version")


@pytest.mark.parametrize("minor", sorted({OURS, max(PYTHONS)}))
def test_a_training_in_a_clean_environment(environment, minor):
    place = environment(PYTHONS[minor])
    place.pip_install(wheel_for(minor), XGBOOST)
    place.check_program()
    place.check_xgboost()


def test_a_training_with_the_distributions_pytorch(environment):
    place = environment("/usr/bin/python3", "--system-site-packages")
    place.pip_install("--no-deps", wheel_for(OURS))
    place.check_pytorch()
    # The package finds the program, and the program the Python that has the package.
    find = "import os; os.environ['PATH'] = ''; import tensorwarden.report.page as page; "
    program = place.run(place.python, "-I", "-c", find + "print(page._program())").strip()
    assert program.endswith("/tensorwarden/bin/warden")
    rule = "rules.py:CustomGradientRule,threshold=20"
    (place.folder / "rules.py").write_text((ROOT / "examples/rules/my_rules.py").read_text())
    evaluated = json.loads(place.run(program, "eval", "run", "--rule", rule, "--json"))
    statuses = {one["name"]: one["status"] for one in evaluated["rules"]}
    assert statuses["CustomGradientRule"] == "NoIssuesFound", evaluated
