"""AWS clients for the actions of rules."""

from __future__ import annotations

import os
from typing import Any

from tensorwarden.base.log import get_logger


def client(service: str) -> Any | None:
    """Returns a client for the service in AWS_REGION. Logs an error and returns None on failure."""
    try:
        import boto3

        return boto3.client(service, region_name=os.environ.get("AWS_REGION", "us-east-1"))
    except Exception as error:
        # Anything can be missing: boto3, credentials, a usable configuration.
        get_logger().error(
            f"Cannot create a client for {service}; its action will not run: {error}"
        )
        return None
