"""Jobs cannot take all memory and processes of a machine whose control groups have controllers.

Few machines that run tests let us have such groups, so this one starts its own: Debian's kernel in
an emulator, with the files of this machine, which it cannot change.
"""

import platform
import shutil
import stat
import subprocess

import pytest
from serving import ROOT

KERNEL = ROOT / "build/machine"
TRIAL = ROOT / "tests/service/machine/job_limits.py"
EMULATOR = "qemu-system-x86_64"
# In the order in which they need each other.
MODULES = """virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci
    netfs fscache 9pnet 9pnet_virtio 9p""".split()
TIMEOUT_S = 600

INIT = f"""#!/bin/busybox sh
for module in {" ".join(MODULES)}; do /bin/busybox insmod /$module.ko; done
set -- /bin/busybox
$1 mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro host /root
$1 mount -t proc proc /root/proc
$1 mount -t sysfs sys /root/sys
$1 mount -t devtmpfs dev /root/dev
$1 mkdir -p /root/dev/pts /root/dev/shm
$1 mount -t devpts -o ptmxmode=666 pts /root/dev/pts
$1 mount -t cgroup2 cgroup /root/sys/fs/cgroup
$1 mount -t tmpfs run /root/run
$1 ifconfig lo up
echo 500 >/root/proc/sys/kernel/threads-max
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
exec $1 switch_root /root /bin/sh -c \\
  'python3 {TRIAL} 2>&1; echo o >/proc/sysrq-trigger; read end'
"""


def packed(files: dict) -> bytes:
    """The first files of a machine, in the format "newc" of cpio: contents or None for a folder."""
    out = b""
    modes = {name: stat.S_IFDIR if data is None else stat.S_IFREG for name, data in files.items()}
    for number, (name, data) in enumerate({**files, "TRAILER!!!": b""}.items(), 1):
        data, mode = data or b"", modes.get(name, 0) | 0o755
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        out += head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4)
    return out


@pytest.mark.skipif(platform.machine() != "x86_64", reason="emulates this kind of machine only")
def test_limits_of_jobs_hold_and_leave_nothing_behind(tmp_path):
    assert shutil.which(EMULATOR), f"{EMULATOR} is missing; run tools/setup.sh build test"
    found = {path.stem: path for path in KERNEL.rglob("*.ko")}
    files = {"init": INIT.encode(), "bin": None, "root": None}
    files["bin/busybox"] = (KERNEL / "bin/busybox").read_bytes()
    files.update({f"{name}.ko": found[name].read_bytes() for name in MODULES})
    (tmp_path / "first_files").write_bytes(packed(files))
    (kernel,) = (KERNEL / "boot").glob("vmlinuz-*")
    command = [EMULATOR, "-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", "1152"]
    command += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
    command += ["-serial", "stdio", "-kernel", kernel, "-initrd", tmp_path / "first_files"]
    command += [
        "-append",
        "console=ttyS0 quiet panic=-1 cgroup_no_v1=all mitigations=off",
    ]
    files_of_this = "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"
    command += ["-virtfs", files_of_this]
    told = subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_S,
    )
    assert "all held" in told.stdout, told.stdout + told.stderr
