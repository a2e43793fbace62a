"""Lets the core read runs in S3."""

from __future__ import annotations

from functools import lru_cache

from tensorwarden import _core


@lru_cache(maxsize=1)
def use_s3() -> None:
    """Makes the core open s3:// locations. Loads a network library, so call it only for one."""
    from tensorwarden import _s3

    _core.use_s3(_s3.opener())
