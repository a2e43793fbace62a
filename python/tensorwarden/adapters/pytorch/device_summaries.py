"""Statistics of tensors where they are, on a GPU: all of them in one launch or two.

`summarize` waits for the results. The hook does not: see `cuda.py`.
"""

import glob
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch

from tensorwarden import _core
from tensorwarden.base.troubles import logger

# Type names of the kernel.
SUMMARIZED: Dict[torch.dtype, str] = {
    torch.float32: "float32",
    torch.float16: "float16",
    torch.bfloat16: "bfloat16",
    torch.float64: "float64",
    torch.int8: "int8",
    torch.int16: "int16",
    torch.int32: "int32",
    torch.int64: "int64",
    torch.uint8: "uint8",
    torch.bool: "bool",
}
for _name in ("float8_e4m3fn", "float8_e5m2", "uint16", "uint32", "uint64"):
    if hasattr(torch, _name):  # Newer versions of PyTorch.
        SUMMARIZED[getattr(torch, _name)] = _name

# The first bytes of scratch memory count blocks, and are zero before the first launch.
_TICKET_BYTES = 16


@dataclass
class Summary:
    """The statistics of a tensor. All but the counts are of its finite values."""

    count: int
    nan_count: int
    pos_inf_count: int
    neg_inf_count: int
    zero_count: int
    negative_count: int
    min: float
    max: float
    abs_min: float
    abs_max: float
    sum: float
    abs_sum: float
    sum_squares: float
    l2: float
    mean: float
    m2: float
    abs_m2: float
    prod: float
    exponents: Optional[List[int]] = None


def summarize(
    tensors: Sequence[torch.Tensor],
    exponents: bool = False,
    summaries: Optional[_core.DeviceSummaries] = None,
) -> List[Summary]:
    """Returns the statistics of tensors on one GPU, and waits for them.

    With `exponents`, each has 256 counts of values by the power of two of their magnitude, as in
    the exponent of a float32: entry 127 is for values from 1 to 2, entry 0 for zeros and all
    smaller values, entry 255 for all larger ones, infinities and NaN.

    Raises ValueError for types that are not real and RuntimeError without a GPU or its compiler.
    """
    if not tensors:
        return []
    device = tensors[0].device
    if device.type != "cuda" or any(tensor.device != device for tensor in tensors):
        raise ValueError("expected tensors on one GPU")
    if summaries is None:
        summaries = make_summaries(device.index)
        if summaries is None:
            raise RuntimeError("statistics on the GPU need NVIDIA's driver and NVRTC")
    count = len(tensors)
    with torch.no_grad(), torch.cuda.device(device):
        stream = torch.cuda.current_stream()
        bins, rows = count_buffers(count, device)
        scratch = Scratch(summaries, count, stream.cuda_stream, device)
        summaries.launch(
            [described(tensor) for tensor in tensors],
            rows.data_ptr(),
            scratch.address,
            stream.cuda_stream,
            histograms=bins.data_ptr() if exponents else 0,
        )
        table, counts = rows.cpu().tolist(), bins.cpu().tolist() if exponents else []
    found = []
    for i, row in enumerate(table):
        numbers: List[Any] = [int(number) for number in row[:6]] + row[6:]
        if exponents:
            numbers.append(counts[i])
        found.append(Summary(*numbers))
    return found


def count_buffers(count: int, device: torch.device) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns memory on a GPU for the exponents and the summaries of so many tensors."""
    width = _core.SUMMARY_ROW_BYTES // 8
    bins = torch.zeros((count, _core.EXPONENT_BINS), dtype=torch.int64, device=device)
    return bins, torch.empty((count, width), dtype=torch.float64, device=device)


def described(tensor: torch.Tensor) -> Tuple[int, str, Sequence[int], Optional[Sequence[int]]]:
    """Returns address, type, shape and strides of a tensor, for the kernel."""
    name = SUMMARIZED.get(tensor.dtype)
    if name is None or tensor.layout != torch.strided or tensor.is_neg():
        raise ValueError(f"cannot summarize a tensor of {tensor.dtype}, {tensor.layout}")
    return tensor.data_ptr(), name, tensor.shape, strides_of(tensor)


def strides_of(tensor: torch.Tensor) -> Optional[Sequence[int]]:
    """Returns the strides of a tensor; None if its elements are contiguous."""
    return None if tensor.is_contiguous() else tensor.stride()


def make_summaries(device: int) -> Optional[_core.DeviceSummaries]:
    """Returns the kernels for a GPU; None, and logs why, if they cannot be compiled."""
    try:
        return _core.DeviceSummaries(device, find_compiler())
    except _core.StatusError as error:
        logger.info(
            "tensorwarden: computing reductions with PyTorch operations: %s", error.args[-1]
        )
        return None


def find_compiler() -> str:
    """Returns the NVRTC library in PyTorch's wheels; empty to use that of the system."""
    packages = os.path.dirname(os.path.dirname(torch.__file__))  # noqa: PTH120
    found = glob.glob(os.path.join(packages, "nvidia", "*", "lib", "libnvrtc.so.*"))  # noqa: PTH118, PTH207
    found = [path for path in found if "builtins" not in path and "alt" not in path]
    return sorted(found)[-1] if found else ""


class Scratch:
    """Memory of the kernels for launches in one stream."""

    def __init__(self, summaries: Any, count: int, stream: int, device: torch.device):
        self.count = count  # The most tensors of a launch.
        size = summaries.scratch_bytes(count)
        with torch.no_grad(), torch.cuda.stream(torch.cuda.ExternalStream(stream, device=device)):
            self._memory = torch.empty(size, dtype=torch.uint8, device=device)
            self._memory[:_TICKET_BYTES].zero_()
        self.address: int = self._memory.data_ptr()


class GroupShape:
    """Types, shapes and strides of tensors, and whether others have the same."""

    def __init__(self, tensors: Sequence[torch.Tensor]):
        self._types = [tensor.dtype for tensor in tensors]
        self._sizes = [tensor.shape for tensor in tensors]
        self._strides = [strides_of(tensor) for tensor in tensors]
        self._uncontiguous = [i for i, strides in enumerate(self._strides) if strides is not None]
        self._contiguous = [strides is None for strides in self._strides]

    def for_core(self, numbers: List[int]) -> _core.DeviceGroup:
        """Returns the group for the core, of tensors with these numbers."""
        names = [SUMMARIZED[dtype] for dtype in self._types]
        return _core.DeviceGroup(numbers, names, self._sizes, self._strides)

    def addresses(self, tensors: Sequence[Optional[torch.Tensor]]) -> Optional[List[int]]:
        """Returns the addresses of tensors, -1 for None; None if they are not as expected.

        A wrong shape would have the kernel read memory that is not the tensor's.
        """
        if len(tensors) != len(self._types) or not all(t in SUMMARIZED for t in self._types):
            return None
        present = [tensor for tensor in tensors if tensor is not None]
        if len(present) < len(tensors):
            return self._addresses_of_some(tensors)
        if (
            [tensor.dtype for tensor in present] != self._types
            or [tensor.shape for tensor in present] != self._sizes
            or [tensor.is_contiguous() for tensor in present] != self._contiguous
            or any(present[i].stride() != self._strides[i] for i in self._uncontiguous)
            or not all(tensor.is_cuda for tensor in present)
        ):
            return None
        return [tensor.data_ptr() for tensor in present]

    def _addresses_of_some(self, tensors: Sequence[Optional[torch.Tensor]]) -> Optional[List[int]]:
        addresses = []
        for i, tensor in enumerate(tensors):
            if tensor is None:
                addresses.append(-1)
                continue
            same = tensor.dtype == self._types[i] and tensor.shape == self._sizes[i]
            if not same or not tensor.is_cuda or strides_of(tensor) != self._strides[i]:
                return None
            addresses.append(tensor.data_ptr())
        return addresses
