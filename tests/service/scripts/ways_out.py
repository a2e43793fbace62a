"""Ways out of a box, for programs that want what is not their own."""

import contextlib
import ctypes
import errno
import os
import signal
import socket
import subprocess
from pathlib import Path

DATA = Path(os.environ["DATA"])
SECRET = "secret-" + "of-the-service"
NEIGHBOR = os.environ["NEIGHBOR"]
# What the kernel says to those whom it keeps out, of things that it hides, too. Anything else is a
# mistake of the attempt, and proves nothing.
REFUSALS = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOENT,
    errno.ESRCH,
    errno.ENXIO,
    errno.ECONNREFUSED,
}


@contextlib.contextmanager
def refused(*more):
    """Passes over a refusal; also one with these numbers of errors."""
    try:
        yield
    except OSError as error:
        if error.errno not in REFUSALS.union(more):
            raise


def read_database():
    return (DATA / "warden.db").read_bytes()[:16].decode()


def read_keys():
    found = []
    for path in (DATA / "credentials", DATA / "token", Path(os.environ["KEYS"])):
        with refused():
            found.append(path.read_text())
    return found


def read_neighbors_folder():
    return list((DATA / "jobs" / NEIGHBOR).rglob("*"))


def read_environments_of_processes():
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        text = ""
        with refused():
            text = (folder / "environ").read_bytes().decode(errors="replace")
        if SECRET in text or f"TRAINING_JOB_NAME={NEIGHBOR}" in text:
            found.append(folder.name)
    return found


def kill_others():
    own = {os.getpid(), os.getppid(), 1, *map(int, os.listdir("/proc/self/task"))}
    killed = []
    for pid in range(2, 100_000):
        if pid in own:
            continue
        with refused():
            os.kill(pid, signal.SIGTERM)
            killed.append(pid)
    return killed


def read_memory_of_first_process():
    with Path("/proc/1/mem").open("rb") as memory:
        return bool(memory)


def write_to_the_machine():
    written = []
    for folder in ("/etc", "/usr/bin", "/var", "/opt", os.environ["CODE"], "/", "/sys/fs/cgroup"):
        path = Path(folder) / "hostile-job"
        with refused():
            path.write_text("x")
            written.append(str(path))
    return written


def become_root():
    won = []
    for call in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])):
        with refused(errno.EINVAL):  # There is no root in a user namespace.
            call()
            won.append(os.getuid())
    if os.getuid() == 0:
        won.append("root")
    capabilities = Path("/proc/self/status").read_text().split("CapEff:")[1].split()[0]
    if int(capabilities, 16):
        won.append(capabilities)
    return won


def uncover_the_data_folder():
    """By a user namespace of its own, which the kernel gives to everybody."""
    script = f"umount -l {DATA}; umount -l /tmp; cat {DATA}/token"
    ended = subprocess.run(["unshare", "-Urm", "sh", "-c", script], capture_output=True, text=True)
    return ended.stdout


def change_the_kernel():
    changed = []
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"):
        with refused():
            with Path(path).open("w") as file:
                file.write("h")
            changed.append(path)
    return changed


def read_the_disk():
    found = []
    for device in Path("/dev").iterdir():
        with refused():
            if device.is_block_device():
                with device.open("rb") as disk:
                    found.append(disk.read(1))
    return found


def meet_the_neighbor():
    """In shared memory, in /tmp, in System V segments."""
    found = [
        path
        for folder in ("/tmp", "/var/tmp", "/dev/shm")
        for path in Path(folder).glob("neighbor*")
    ]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.shmget(4711, 0, 0) >= 0:
        found.append("shmget")
    return found


def use_sockets_of_the_machine():
    """Those that it has: what is not there refuses nobody."""
    found = []
    for path in os.environ["SOCKETS"].split(":"):
        with socket.socket(socket.AF_UNIX) as client, refused():
            client.connect(path)
            found.append(path)
    return found


WAYS = (
    read_database,
    read_keys,
    read_neighbors_folder,
    read_environments_of_processes,
    kill_others,
    read_memory_of_first_process,
    write_to_the_machine,
    become_root,
    uncover_the_data_folder,
    change_the_kernel,
    read_the_disk,
    meet_the_neighbor,
    use_sockets_of_the_machine,
)


def try_all(*more):
    """What each way has brought, by its name: nothing, hopefully. Or how it failed, if that was not
    because it was refused."""
    told = {}
    for way in WAYS + more:
        got = None
        try:
            with refused():
                got = way()
        except Exception as error:
            got = f"failed: {error!r}"
        told[way.__name__] = str(got) if got else ""
    return told
