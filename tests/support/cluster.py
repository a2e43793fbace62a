"""A Slurm cluster of its own on this machine: Debian's munged, slurmctld and slurmd.

    with slurm(folder) as cluster:
        job = cluster.submit("srun hostname", nodes=2)
        assert cluster.wait(job)["JobState"] == "COMPLETED"

Nothing outside of its folder is read or written, and nothing of it stays behind.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from support.ports import free_port

# Four cores and two GPUs for each node, whatever this machine has: the nodes share it. Jobs of
# partition "low" make room for those of "all".
CONFIGURATION = """
ClusterName=warden-tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/%n.pid
SlurmdLogFile={folder}/%n.log
SlurmdSpoolDir={folder}/%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0
SwitchType=switch/none
ReturnToService=2
SlurmdTimeout={slurmd_timeout}
KillWait={kill_wait}
MinJobAge=600
PropagateResourceLimits=NONE
GresTypes=gpu
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP PriorityTier=10
PartitionName=low Nodes=ALL MaxTime=60 State=UP PriorityTier=1
"""


@contextlib.contextmanager
def slurm(
    folder: Path, nodes: int = 4, kill_wait: int = 30, slurmd_timeout: int = 300
) -> Iterator[Cluster]:
    """A cluster of nodes node1, node2, ..., which is idle and ends with the block.

    `kill_wait` is the time in seconds between SIGTERM and SIGKILL for a job that ends early,
    `slurmd_timeout` that after which a node without a slurmd is down.
    """
    cluster = Cluster(folder, nodes, kill_wait, slurmd_timeout)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


class Cluster:
    """Runs jobs, and says what became of them."""

    def __init__(self, folder: Path, nodes: int, kill_wait: int, slurmd_timeout: int):
        # The path of a socket is at most 107 bytes long.
        self._folder = folder
        self._nodes = [f"node{number + 1}" for number in range(nodes)]
        self._daemons: dict[str, subprocess.Popen[bytes]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "state").mkdir()
        ports = [free_port() for _ in range(nodes + 1)]
        lines = [
            f"NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=4 "
            "RealMemory=1000 Gres=gpu:2 State=UNKNOWN"
            for name, port in zip(self._nodes, ports[1:])
        ]
        self.configuration = folder / "slurm.conf"
        self.configuration.write_text(
            CONFIGURATION.format(
                folder=folder,
                host=socket.gethostname().split(".")[0],
                control_port=ports[0],
                user=getpass.getuser(),
                kill_wait=kill_wait,
                slurmd_timeout=slurmd_timeout,
                nodes="\n".join(lines),
            )
        )
        # Devices that every machine has stand for two GPUs.
        (folder / "gres.conf").write_text("Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n")
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o400)
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        self._environment = {**clean, "SLURM_CONF": str(self.configuration)}

    def start(self) -> None:
        files = {name: self._folder / f"munge.{name}" for name in ("socket", "key", "pid", "seed")}
        self._run_daemon(
            "munged",
            [
                *("--foreground", "--force", "--num-threads=2"),
                *(f"--socket={files['socket']}", f"--key-file={files['key']}"),
                *(f"--pid-file={files['pid']}", f"--seed-file={files['seed']}"),
            ],
        )
        _until(files["socket"].exists, self._tell)
        self._run_daemon("slurmctld", ["-D", "-c"])
        for name in self._nodes:
            self.start_node(name)
        _until(lambda: self._states() == ["idle"] * len(self._nodes), self._tell)

    def start_node(self, name: str) -> None:
        (self._folder / name).mkdir(exist_ok=True)
        self._run_daemon(f"slurmd {name}", ["-D", "-N", name])

    def kill_node(self, name: str) -> None:
        """Kills a node's slurmd, without what runs there."""
        daemon = self._daemons.pop(f"slurmd {name}")
        daemon.kill()
        daemon.wait()

    def stop(self) -> None:
        """Ends everything, also what jobs have started."""
        if "slurmctld" in self._daemons:
            self.command("scancel", "--user", getpass.getuser(), "--full", "--signal=KILL")
            self.command("scancel", "--user", getpass.getuser())
            with contextlib.suppress(AssertionError):
                _until(lambda: not self.command("squeue", "--noheader"), self._tell)
        for daemon in reversed(list(self._daemons.values())):
            daemon.send_signal(signal.SIGTERM)
        for daemon in reversed(list(self._daemons.values())):
            try:
                daemon.wait(60)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self._daemons.clear()

    def submit(self, script: str, *options: str, nodes: int = 1, **environment: str) -> str:
        """Submits a batch script that prints to `output(job)`; returns the job's number."""
        file = self._folder / "job.sh"
        file.write_text(f"#!/bin/bash\n{script}\n")
        output = self._folder / "job-%j.out"
        return self.command(
            *("sbatch", "--parsable", f"--nodes={nodes}", f"--output={output}"),
            *("--open-mode=append", *options, str(file)),
            **environment,
        ).strip()

    def output(self, job: str) -> str:
        file = self._folder / f"job-{job}.out"
        return file.read_text() if file.exists() else ""

    def job(self, job: str) -> dict[str, str]:
        """What `scontrol show job` prints, as a dictionary."""
        shown = self.command("scontrol", "--oneliner", "show", "job", job)
        return dict(word.split("=", 1) for word in shown.split() if "=" in word)

    def wait(self, job: str, *states: str, seconds: float = 120) -> dict[str, str]:
        """Waits until the job is in one of the states: one that is final unless given."""
        final = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED")
        wanted = states or final
        self.wait_for(lambda: self.job(job)["JobState"] in wanted, job, seconds)
        return self.job(job)

    def wait_for(self, done: Callable[[], object], job: str, seconds: float = 120) -> None:
        """Waits until something has happened of which the job is the cause."""
        _until(done, lambda: f"{self.job(job)}\n{self.output(job)}\n{self._tell()}", seconds)

    def requeue(self, job: str) -> None:
        """Interrupts a running job, which starts again as soon as its processes have ended."""
        self.command("scontrol", "requeue", job)
        self.start_again(job)

    def start_again(self, job: str) -> None:
        """Starts a job that was requeued, without the minutes for which Slurm holds it back."""
        self.wait(job, "PENDING")
        # A node refuses a job that is started by hand in the second in which it was killed there.
        self.wait_for(lambda: not list(self._folder.glob(f"node*/*_{job}.*")), job)
        time.sleep(2)

        def started() -> bool:
            if self.job(job)["JobState"] != "PENDING":
                return True
            # Otherwise it waits for minutes. Again, because Slurm sets the time when all processes
            # have ended; refused while it is about to start.
            words = ["scontrol", "update", f"JobId={job}", "StartTime=now"]
            subprocess.run(words, env=self._environment, capture_output=True, check=False)
            return False

        self.wait_for(started, job)

    def command(self, *words: str, **environment: str) -> str:
        """The output of a command of Slurm, which must succeed."""
        done = subprocess.run(
            words, env={**self._environment, **environment}, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}\n{self._tell()}"
        return done.stdout

    def _run_daemon(self, name: str, options: list[str]) -> None:
        with (self._folder / f"{name}.out".replace(" ", "-")).open("ab") as log:
            self._daemons[name] = subprocess.Popen(
                [f"/usr/sbin/{name.split()[0]}", *options],
                env=self._environment,
                stdout=log,
                stderr=log,
                # Otherwise a Ctrl-C in the terminal of the tests ends them before their jobs.
                start_new_session=True,
            )

    def _states(self) -> list[str]:
        done = subprocess.run(
            ["sinfo", "--noheader", "--Node", "--partition=all", "--format=%T"],
            env=self._environment,
            capture_output=True,
            text=True,
        )
        return done.stdout.split()

    def _tell(self) -> str:
        ended = [name for name, daemon in self._daemons.items() if daemon.poll() is not None]
        logs = [*self._folder.glob("*.log"), *self._folder.glob("*.out")]
        texts = [f"{log.name}:\n{log.read_text(errors='replace')[-2000:]}" for log in logs]
        return "\n".join([f"ended: {ended}, nodes: {self._states()}", *texts])


def _until(done: Callable[[], object], tell: Callable[[], str], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, tell()
        time.sleep(0.05)
