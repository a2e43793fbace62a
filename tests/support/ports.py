"""Ports of loopback for servers that are started there again."""

import random
import socket
from pathlib import Path

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_CHANCE = random.SystemRandom()
_claims = []  # Closed when the process ends.


def free_port() -> int:
    """A port that nobody else gets as long as this process runs, also while no server is there.

    It is below those that the system gives to connections, and claimed by a name that other tests
    on this machine see.
    """
    end = int(RANGE.read_text().split()[0])
    while True:
        port = _CHANCE.randrange(max(1024, end - 12_000), end)
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0tensorwarden-tests-port-{port}")
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
            continue
        _claims.append(claim)
        return port
