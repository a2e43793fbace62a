"""Trainings that save to S3 through a spool of this machine."""

import fcntl
import os
import signal
import struct
import subprocess
import time
from pathlib import Path

from serving import PATIENCE, PYTHON, SCRIPTS, WARDEN, processes_with

from support.buckets import Buckets

PLACE = "s3://runs/deep/mine"
END = "training_job_end.ts"


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    left_out = {"claim.smd"}  # It names a process of this machine.
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in files
        if path.name not in left_out and path.suffix != ".tmp"
    }


def wait_until(holds, why: str = "") -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, why
        time.sleep(0.02)


class Training:
    """A process that saves to S3, the spool that it uses, and the bucket."""

    def __init__(self, folder: Path, script: str = "save_to_s3.py"):
        self.server = Buckets(folder / "server").start()
        self.server.create("runs")
        self.bucket = self.server.root / "runs/deep/mine"
        self.spool = folder / "spool"
        self.variables = self.server.environment(
            WARDEN_S3_SPOOL=str(self.spool),
            HOME=str(folder),
            PATH=f"{WARDEN.parent}:{os.environ['PATH']}",
            AWS_MAX_ATTEMPTS="2",
        )
        self._script = SCRIPTS / script
        self._stop = folder / "stop"
        self.process: subprocess.Popen[str] | None = None

    def start(self, *words: str, place: str = PLACE) -> Path:
        """Returns the folder in the spool, once the first step begins."""
        command = [PYTHON, self._script, place, self._stop, *words]
        self.process = subprocess.Popen(
            [str(word) for word in command], env=self.variables, stdout=subprocess.PIPE, text=True
        )
        return Path(self.process.stdout.readline().strip())

    def finish(self) -> None:
        self._stop.touch()
        assert self.process.wait(timeout=PATIENCE) == 0

    def close(self) -> None:
        """Ends everything, whatever has become of it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
        self.server.kill()
        for entry in self.entries():
            holder = holder_of(entry / "uploader")
            if holder:
                os.kill(holder, signal.SIGKILL)

    def entries(self) -> list[Path]:
        return sorted(self.spool.iterdir()) if self.spool.exists() else []

    def wait_for_upload(self) -> None:
        wait_until(lambda: not self.entries(), f"left: {self.entries()}")

    def kill_uploader(self, entry: Path) -> None:
        """Kills the process that sends, as a machine that is switched off would."""
        wait_until(lambda: holder_of(entry / "uploader") != 0, "nobody sends")
        # On a busy machine a second one is started before the first has the lock.
        killed = uploaders_of(entry)
        for process in killed:
            os.kill(process, signal.SIGKILL)
        wait_until(lambda: holder_of(entry / "uploader") not in killed)

    def warden(self, *words: str, code: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [WARDEN, *words], env=self.variables, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done


def holder_of(lock: Path) -> int:
    """The process that holds the lock; 0 if none does."""
    try:
        with lock.open("rb+") as file:
            # struct flock: type, whence, start, length, process.
            layout = "hhqqi"
            asked = struct.pack(layout, fcntl.F_WRLCK, 0, 0, 0, 0)
            kind, _, _, _, process = struct.unpack(layout, fcntl.fcntl(file, fcntl.F_GETLK, asked))
    except FileNotFoundError:
        return 0
    return 0 if kind == fcntl.F_UNLCK else process


def steps_in(run: Path) -> int:
    """That were saved so far."""
    return len(list((run / "index").rglob("*.json"))) if run.exists() else 0


def wait_for_steps(run: Path, count: int) -> None:
    wait_until(lambda: steps_in(run) >= count, f"fewer than {count} steps")


def uploaders_of(entry: Path) -> list[int]:
    """The processes that send this run, or are about to."""
    return [
        int(line.split()[0]) for line in processes_with(str(entry.parent)) if str(entry) in line
    ]
