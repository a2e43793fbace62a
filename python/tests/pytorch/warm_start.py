"""Programs in processes of their own that have PyTorch imported when they start: importing it takes
longer than most of them run."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Sequence

# Forks for each program. A child leaves the loop and runs the code in __main__, as `python -c`
# does, up to the usual end of an interpreter.
STARTER = """
import json, os, socket, sys
import torch

channel = socket.socket(fileno=int(sys.argv[1]))
while True:
    text, files, _, _ = socket.recv_fds(channel, 1 << 20, 2)
    if not text:
        os._exit(0)
    child = os.fork()
    if child == 0:
        break
    for file in files:
        os.close(file)
    channel.send(b"%d" % child)
    channel.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
channel.close()
os.setpgid(0, 0)
for number, file in enumerate(files, 1):
    os.dup2(file, number)
    os.close(file)
request = json.loads(text)
os.chdir(request["folder"])
os.environ.clear()
os.environ.update(request["environment"])
sys.argv = request["words"]
sys.path[:0] = request["paths"]
code = request["code"]
del channel, text, files, child, number, file, request
exec(compile(code, "<string>", "exec"))
"""


class Starter:
    """A process that has imported PyTorch, and starts programs."""

    def __init__(self) -> None:
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-c", STARTER, str(other.fileno())]
        # What it says when it is loaded cannot be turned off later.
        environment = {**os.environ, "KINETO_LOG_LEVEL": "99"}
        subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, pass_fds=[other.fileno()]
        )
        other.close()

    def run(
        self, words: Sequence[str], request: Dict[str, Any], timeout: float
    ) -> subprocess.CompletedProcess:
        """Runs a program to its end, and to the end of all that share its output."""
        pipes = [os.pipe(), os.pipe()]
        text = json.dumps({**request, "words": list(words)}).encode()
        socket.send_fds(self._channel, [text], [write for _, write in pipes])
        for _, write in pipes:
            os.close(write)
        printed: List[bytes] = [b"", b""]

        def read(number: int) -> None:
            with os.fdopen(pipes[number][0], "rb") as pipe:
                printed[number] = pipe.read()

        readers = [threading.Thread(target=read, args=(number,)) for number in range(2)]
        for reader in readers:
            reader.start()
        late = threading.Timer(timeout, os.killpg, (int(self._channel.recv(64)), signal.SIGKILL))
        late.start()
        code = int(self._channel.recv(64))
        for reader in readers:
            reader.join()
        if not late.is_alive():
            raise subprocess.TimeoutExpired(list(words), timeout)
        late.cancel()
        return subprocess.CompletedProcess(
            list(words), code, printed[0].decode(), printed[1].decode()
        )


@lru_cache(maxsize=None)
def starter() -> Starter:
    """The one of this process."""
    return Starter()


def run_warm(
    code: str,
    words: Sequence[str],
    environment: Dict[str, str],
    timeout: float,
    paths: Sequence[str] = (),
    folder: str = "",
) -> subprocess.CompletedProcess:
    """Runs Python code as `python -c` does, with these words as sys.argv; `paths` come before
    others in sys.path."""
    request = {
        "code": code,
        "environment": environment,
        "folder": folder or str(Path.cwd()),
        "paths": list(paths),
    }
    return starter().run(words, request, timeout)
