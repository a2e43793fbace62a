"""Ways out of a box, for programs that want what is not their own."""

import ctypes
import os
import signal
import subprocess
from pathlib import Path

DATA = Path(os.environ["DATA"])
SECRET = "secret-" + "of-the-service"
NEIGHBOR = os.environ["NEIGHBOR"]


def read_database():
    return (DATA / "warden.db").read_bytes()[:16].decode()


def read_keys():
    return [
        path.read_text()
        for path in (DATA / "credentials", DATA / "token", Path(os.environ["KEYS"]))
        if path.read_text()
    ]


def read_neighbors_folder():
    return list((DATA / "jobs" / NEIGHBOR).rglob("*"))


def read_environments_of_processes():
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "environ").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if SECRET in text or f"TRAINING_JOB_NAME={NEIGHBOR}" in text:
            found.append(folder.name)
    return found


def kill_others():
    own = {os.getpid(), os.getppid(), 1, *map(int, os.listdir("/proc/self/task"))}
    killed = []
    for pid in range(2, 100_000):
        if pid in own:
            continue
        try:
            os.kill(pid, signal.SIGTERM)
            killed.append(pid)
        except OSError:
            continue
    return killed


def read_memory_of_first_process():
    with Path("/proc/1/mem").open("rb") as memory:
        return bool(memory)


def write_to_the_machine():
    written = []
    for folder in ("/etc", "/usr/bin", "/var", "/opt", os.environ["CODE"], "/", "/sys/fs/cgroup"):
        path = Path(folder) / "hostile-job"
        try:
            path.write_text("x")
            written.append(str(path))
        except OSError:
            continue
    return written


def become_root():
    won = []
    for call in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])):
        try:
            call()
            won.append(os.getuid())
        except OSError:
            continue
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
        try:
            with Path(path).open("w") as file:
                file.write("h")
            changed.append(path)
        except OSError:
            continue
    return changed


def read_the_disk():
    found = []
    for device in Path("/dev").iterdir():
        try:
            if device.is_block_device():
                with device.open("rb") as disk:
                    found.append(disk.read(1))
        except OSError:
            continue
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
    sockets = ("/run/docker.sock", "/run/containerd/containerd.sock", "/run/dbus/system_bus_socket")
    return [path for path in sockets if Path(path).is_socket()]


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
    """What each way has brought, by its name: nothing, hopefully."""
    told = {}
    for way in WAYS + more:
        try:
            got = way()
        except Exception:
            got = None
        told[way.__name__] = str(got) if got else ""
    return told
