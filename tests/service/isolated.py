"""For tests of what holds only where jobs are isolated."""

import os

import pytest
from serving import Service


def skip_without_isolation(service: Service, name: str) -> None:
    """Skips where the kernel lets nobody make namespaces, as this job has told its log. What guards
    main runs as root on machines that do: there nothing may be left out."""
    log = service.log_of(name)
    if "this job is not isolated" in log:
        assert "CI" not in os.environ or os.geteuid() != 0, log
        pytest.skip(log)
