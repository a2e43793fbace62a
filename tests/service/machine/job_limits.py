"""Runs as the only program of a machine of its own, where control groups have all controllers.

Starts `warden serve` in a group such as a systemd unit with Delegate=yes gets, and jobs that try to
take more than their limits. Prints what failed, and "all held" if nothing did.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PLACE = Path("/run/trial")
GIVEN = Path("/sys/fs/cgroup/warden.service")
LEAF = GIVEN / "warden-service"
WRAPPER = PLACE / "warden"
WAIT_S = 300  # The machine is emulated, and may be slow.

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "build/bin/warden"
os.environ["WARDEN"] = str(WRAPPER)
sys.path[:0] = [str(ROOT / "tests/service"), str(ROOT / "tests")]

from serving import Service, script_job  # noqa: E402


def prepare() -> None:
    PLACE.mkdir()
    GIVEN.parent.joinpath("cgroup.subtree_control").write_text("+memory +pids +cpu")
    GIVEN.mkdir()
    # The second place is that of DelegateSubgroup=, where one whose jobs still run starts again.
    WRAPPER.write_text(
        f"#!/bin/sh\n{{ echo $$ >{GIVEN}/cgroup.procs || echo $$ >{LEAF}/cgroup.procs; }} "
        f'2>/dev/null\nexec {PROGRAM} "$@"\n'
    )
    WRAPPER.chmod(0o755)


def groups() -> list:
    return sorted(path.name for path in GIVEN.iterdir() if path.is_dir())


def group_of(host: Path) -> Path:
    """The group in which the job runs."""
    (found,) = (path for path in GIVEN.glob("warden-job-*") if is_in(path, host))
    return found


def is_in(group: Path, host: Path) -> bool:
    entry = f"TENSORWARDEN_HOST={host}".encode()
    return any(
        entry in Path(f"/proc/{pid}/environ").read_bytes()
        for pid in (group / "cgroup.procs").read_text().split()
    )


def wait_for(condition, what: str) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def try_limits(service: Service) -> None:
    job = script_job("lasting", "quick.py", HyperParameters={"seconds": "3600"})
    service.call("CreateTrainingJob", **job, RemoteDebugConfig={"EnableRemoteDebug": True})
    service.call("CreateTrainingJob", **script_job("processes", "takes_processes.py"))
    wait_for(lambda: "begun" in service.log_of("lasting"), "the healthy job does not begin")

    group = group_of(service.data / "jobs/lasting/hosts/algo-1")
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limits = {name: int((group / name).read_text()) for name in ("memory.max", "pids.max")}
    assert machine - (512 << 20) - 4096 <= limits["memory.max"] <= machine - (512 << 20), limits
    assert limits["pids.max"] == int(Path("/proc/sys/kernel/threads-max").read_text()) // 2
    assert (group / "cpu.weight").read_text().strip() == "100"

    failed = service.wait_until_over("processes", WAIT_S)
    assert failed["TrainingJobStatus"] == "Failed", failed
    assert "could not start more processes and threads" in failed["FailureReason"], failed
    assert "Resource temporarily unavailable" in failed["FailureReason"], failed
    service.call("CreateTrainingJob", **script_job("memory", "takes_memory.py"))
    failed = service.wait_until_over("memory", WAIT_S)
    assert failed["TrainingJobStatus"] == "Failed", failed
    assert failed["FailureReason"].startswith(
        "AlgorithmError: the training was killed because it ran out of memory: its instance type "
        f"and this machine allow {limits['memory.max'] / (1 << 30):.2f} GiB"
    ), failed["FailureReason"]
    assert service.describe("lasting")["TrainingJobStatus"] == "InProgress"
    assert groups() == [group.name, "warden-service"], groups()


def try_shell(service: Service) -> None:
    """What is started in a shell counts as the job's."""
    command = [str(PROGRAM), "exec", "lasting", "--", "cat", "/proc/self/cgroup"]
    home = {**os.environ, "HOME": str(service.folder / "home")}
    shell = subprocess.run(command, env=home, capture_output=True, text=True)
    assert "/warden.service/warden-job-" in shell.stdout, shell


def try_kills(service: Service) -> None:
    host = service.data / "jobs/lasting/hosts/algo-1"
    group = group_of(host)
    service.kill()
    service.start()
    assert groups() == [group.name, "warden-service"], "the group of a running job has to stay"
    assert service.describe("lasting")["TrainingJobStatus"] == "InProgress"

    # With its agents: what they have left is found by nobody but the next service.
    service.kill()
    members = set((group / "cgroup.procs").read_text().split())
    for pid in LEAF.joinpath("cgroup.procs").read_text().split():
        os.kill(int(pid), signal.SIGKILL)
    assert members
    service.start()
    wait_for(lambda: groups() == ["warden-service"], f"left behind: {groups()}")
    assert not [pid for pid in members if Path(f"/proc/{pid}/cmdline").exists()]
    service.wait_until_over("lasting", WAIT_S)
    assert "InternalServerError" in service.describe("lasting")["FailureReason"]


def main() -> None:
    prepare()
    service = Service(PLACE / "service", "--jobs-at-once", "4").start()
    try:
        text = service.log.read_text()
        assert f"jobs get limits of memory, processes and processors below {GIVEN}" in text, text
        assert "memory" in (GIVEN / "cgroup.subtree_control").read_text()
        try_limits(service)
        try_shell(service)
        try_kills(service)
    except BaseException:
        print(service.log.read_text(), flush=True)
        raise
    assert service.stop() == 0
    print("all held", flush=True)


main()
