"""Clients of the services that actions talk to."""

from __future__ import annotations

import os
from typing import Any

from tensorwarden.log import get_logger


def client(service: str) -> Any | None:
    """A client of the service in AWS_REGION; None, told in the log, where there cannot be one."""
    try:
        import boto3

        return boto3.client(service, region_name=os.environ.get("AWS_REGION", "us-east-1"))
    except Exception as error:
        # Anything may be missing: boto3, credentials, a usable configuration.
        get_logger().error(f"No client of {service}, so its action cannot be taken: {error}")
        return None
