"""Makes the SageMaker SDK ask this service who is calling, and not a fixed address of AWS.

`sagemaker.get_execution_role()` and `Session().default_bucket()` call STS at an address that they
compute, whatever $AWS_ENDPOINT_URL says. Once the module with that function has been imported, the
function returns the address of the environment instead. Nothing else changes.
"""

import os
import sys

_FUNCTION = "sts_regional_endpoint"
# Where versions 2 and 3 of the SDK have it.
_MODULES = (
    "sagemaker.utils",
    "sagemaker.core.common_utils",
    "sagemaker.core.helper.session_helper",
    "sagemaker_core.main.utils",
)


def begin():
    """Waits for the SDK to be imported."""
    sys.meta_path.insert(0, _Finder())


def _address():
    return os.environ.get("AWS_ENDPOINT_URL_STS") or os.environ.get("AWS_ENDPOINT_URL")


def _redirect(module):
    original = getattr(module, _FUNCTION, None)
    if original is not None:
        setattr(module, _FUNCTION, lambda region: _address() or original(region))


class _Finder:
    """Finds nothing itself: lets the others find the SDK, and changes what they load."""

    def find_spec(self, name, path=None, target=None):
        if name not in _MODULES:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = None if finder is self or find is None else find(name, path, target)
            if spec is not None:
                if getattr(spec.loader, "exec_module", None) is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


class _Loader:
    """Loads as the loader behind it, then changes the module."""

    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        _redirect(module)

    def __getattr__(self, name):
        return getattr(self._loader, name)
