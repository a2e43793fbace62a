"""The runs that the conformance tests write, as data. Used by two interpreters: that of the tests
and that of the original library.

A run is a list of steps, each a list of named arrays in the order of the event file. recorded_run()
is what tests/support/record_dtypes.cc saves; foreign_run() is what the original is made to write.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

# NumPy has no bfloat16: the upper half of a float32, carried as its bits.
BFLOAT16 = np.dtype([("bfloat16", "<u2")])

FLOATS = ("float16", "bfloat16", "float32", "float64")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
COMPLEX = ("complex64", "complex128")
NUMERIC = (*FLOATS, *SIGNED, *UNSIGNED, "bool", *COMPLEX)

OPS = ("min", "max", "mean", "std", "variance", "sum", "prod", "l1", "l2")
REDUCTIONS = (*OPS, *(f"abs_{op}" for op in OPS))

# As which the original's users get types that it does not know, and what it makes of int8.
WIDER = {
    "bfloat16": "float32",
    "int8": "int32",
    "int16": "int32",
    "uint16": "int32",
    "uint32": "int64",
    "complex64": "complex128",
}
KNOWN_TO_ORIGINAL = {
    *("float16", "float32", "float64", "int32", "int64", "uint8", "bool", "complex128", "str"),
}


@dataclass
class Step:
    step: int
    mode: str
    mode_step: int
    records: list[tuple[str, np.ndarray]] = field(default_factory=list)
    shapes: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    worker: str = "worker_0"


@dataclass
class Collection:
    name: str
    include_regex: tuple[str, ...] = ()
    tensor_names: tuple[str, ...] = ()
    reductions: tuple[str, ...] = ()
    save_raw_tensor: bool = True
    save_shape: bool = False
    save_histogram: bool = True


@dataclass
class Run:
    steps: list[Step]
    collections: list[Collection]
    workers: tuple[str, ...] = ("worker_0",)


def dtype_of(array: np.ndarray) -> str:
    if array.dtype == BFLOAT16:
        return "bfloat16"
    return "str" if array.dtype.kind == "U" else array.dtype.name


def is_integer(dtype: str) -> bool:
    return dtype in SIGNED or dtype in UNSIGNED


def _narrow(values: np.ndarray, dtype: str) -> np.ndarray:
    if dtype != "bfloat16":
        return values.astype(dtype)
    return (values.astype("<f4").view("<u4") >> 16).astype("<u2").view(BFLOAT16)


def widened(array: np.ndarray) -> np.ndarray:
    """The type as which the original can read it; itself if it can."""
    dtype = dtype_of(array)
    if dtype == "bfloat16":
        bits = array["bfloat16"].astype("<u4").reshape(-1) << 16
        return bits.view("<f4").reshape(array.shape)
    return array.astype(WIDER[dtype]) if dtype in WIDER else array


def plain(dtype: str, shape: tuple[int, ...], step: int) -> np.ndarray:
    """Every value is exact in every type that has it."""
    i = np.arange(int(np.prod(shape)), dtype=np.int64)
    eighths = (i - 5 + 3 * step) / 8
    if dtype in FLOATS:
        values = eighths
    elif dtype in SIGNED:
        values = (i - 5) * 7 + step
    elif dtype in UNSIGNED:
        values = i * 7 + step
    elif dtype == "bool":
        values = (i + step) % 3 == 0
    else:
        values = eighths.astype(complex)
        values.imag = -2 * eighths
    return _narrow(values, dtype).reshape(shape)


def special(dtype: str) -> np.ndarray:
    """The ends of the type and what is no number."""
    if dtype == "bfloat16":
        bits = [0x7FC0, 0x7F80, 0xFF80, 0x8000, 0x0000, 0x0001, 0x7F7F, 0xFF7F, 0x0080]
        return np.array(bits, "<u2").view(BFLOAT16)
    if dtype in FLOATS:
        info = np.finfo(dtype)
        ends = [info.smallest_subnormal, info.max, -info.max, info.smallest_normal]
        return np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, *ends], dtype)
    info = np.iinfo(dtype)
    return np.array([info.min, info.max, 0, 1], dtype)


def odd_eighths(dtype: str, step: int) -> np.ndarray:
    """Shape (17,), no zero among them, so that a product says something."""
    i = np.arange(17, dtype=np.int64)
    odd = 2 * i - 15 + 2 * step
    return odd.astype(dtype) if is_integer(dtype) else _narrow(odd / 8, dtype)


def words(step: int) -> np.ndarray:
    return np.array(["plain", "", "Grüße", "日本語", "🎯", "tab\tline\nend", f"step {step}"])


def reduce_saved(array: np.ndarray, name: str) -> np.ndarray:
    """A reduction as torch defines it: sample deviation, norms of the flattened values."""
    dtype = dtype_of(array)
    x = widened(array).astype(np.float64).ravel()
    op = name.removeprefix("abs_")
    if op != name:
        x = np.abs(x)
    value = {
        "min": np.min,
        "max": np.max,
        "mean": np.mean,
        "std": lambda v: np.std(v, ddof=1),
        "variance": lambda v: np.var(v, ddof=1),
        "sum": np.sum,
        "prod": np.prod,
        "l1": lambda v: np.sum(np.abs(v)),
        "l2": lambda v: np.sqrt(np.sum(v * v)),
    }[op](x)
    single = dtype in FLOATS and dtype != "float64"
    return np.array(value, "float32" if single else "float64")


def reductions_of(
    tensor: str, array: np.ndarray, names: tuple[str, ...]
) -> list[tuple[str, np.ndarray]]:
    return [(f"smdebug/reductions/{r}/{tensor}", reduce_saved(array, r)) for r in names]


MODES = ("TRAIN", "TRAIN", "EVAL", "TRAIN", "EVAL", "GLOBAL", "TRAIN", "PREDICT")
BOTH = ("mean", "l2", "abs_max")


def recorded_collections() -> list[Collection]:
    """In the order of the manifest, without the names of their tensors."""
    builtin = [
        Collection("biases", ("^(?!gradient).*bias",)),
        Collection("all"),
        Collection("weights", ("^(?!gradient).*weight",)),
        Collection("gradients", ("^gradient",)),
        Collection("default"),
        Collection("losses", ("[Ll]oss_(?!input).*output",), save_histogram=False),
    ]
    return [
        *builtin,
        Collection("values", ("^(plain|special|zero_d|shapes|text|odd)/",)),
        Collection("reduced", ("^reduced/",), reductions=REDUCTIONS, save_raw_tensor=False),
        Collection("both", ("^both/",), reductions=BOTH, save_raw_tensor=False, save_shape=True),
        Collection("kept", ("^kept/",), save_shape=True),
        Collection(
            *("outlines", ("^outline/",)),
            save_raw_tensor=False,
            save_shape=True,
            save_histogram=False,
        ),
    ]


def _recorded_step(step: int, mode: str, mode_step: int) -> Step:
    out = Step(step, mode, mode_step)
    if mode != "PREDICT":
        dtypes = [d for d in NUMERIC if d != "bfloat16" or step % 2 == 1]
        for d in dtypes:
            out.records.append((f"plain/{d}", plain(d, (3, 4), step)))
            out.records.append((f"zero_d/{d}", plain(d, (), step)))
            if d in FLOATS or is_integer(d):
                out.records.append((f"special/{d}", special(d)))
        out.records.append(("shapes/one", plain("float32", (1,), step)))
        out.records.append(("shapes/five", plain("float32", (2, 1, 3, 1, 2), step)))
        out.records.append(("text/words", words(step)))
        out.records.append(("text/empty", np.array([""])))
        out.records.append(('odd/Grüße "x"\\y:0', plain("float32", (2,), step)))
        for d in [*(d for d in dtypes if d in FLOATS), "int32"]:
            out.records += reductions_of(f"reduced/{d}", odd_eighths(d, step), REDUCTIONS)
        values = plain("float32", (2, 3), step)
        # The device's number after the colon is not part of a reduction's name.
        out.records += reductions_of("reduced/colon", odd_eighths("float32", step), REDUCTIONS)
        out.records += reductions_of("both/float32", values, BOTH)
        out.shapes.append(("both/float32", (2, 3)))
        out.records.append(("kept/float32", values))
        out.shapes.append(("kept/hollow", (2, 0)))
        out.records.append(("Loss_output_0", np.array((step + 1) / 4, "float32")))
        out.records.append(("scalar/rate", np.array([0.1 * (step + 1)])))
    out.shapes.append(("outline/float32", (5, 7 + step)))
    out.shapes.append(("outline/zero_d", ()))
    out.shapes.append(("outline/hollow", (3, 0, 2)))
    return out


def recorded_run(original_types_only: bool = False) -> Run:
    counts = dict.fromkeys(MODES, 0)
    steps = []
    for step, mode in enumerate(MODES):
        mode_step = step if mode == "GLOBAL" else counts[mode]
        counts[mode] += 1
        steps.append(_recorded_step(step, mode, mode_step))
    if original_types_only:
        for step in steps:
            step.records = [
                (name, widened(array))
                for name, array in step.records
                if dtype_of(array) != "uint64"
            ]
    return Run(steps, recorded_collections())


# As the original names the workers of one machine with two GPUs.
DEVICES = (
    "/job:worker/replica:0/task:0/device:GPU:0",
    "/job:worker/replica:0/task:0/device:GPU:1",
)


def _foreign_step(step: int, mode: str, mode_step: int, worker: int) -> Step:
    out = Step(step, mode, mode_step, worker=DEVICES[worker])
    shift = step + 10 * worker
    for d in NUMERIC:
        if d == "bfloat16":
            continue
        out.records.append((f"plain/{d}", plain(d, (3, 4), shift)))
        out.records.append((f"zero_d/{d}", plain(d, (), shift)))
        if d in FLOATS or is_integer(d):
            out.records.append((f"special/{d}", special(d)))
        # Views that do not lie one after the other in memory.
        cube = plain(d, (2, 3, 4), 1)
        out.records.append((f"view/transposed/{d}", cube.transpose(2, 0, 1)))
        out.records.append((f"view/strided/{d}", cube[:, ::2, 1::2]))
        out.records.append((f"view/reversed/{d}", cube[::-1, :, ::-1]))
        out.records.append((f"view/fortran/{d}", np.asfortranarray(cube)))
    out.records.append(("shapes/one", plain("float32", (1,), shift)))
    out.records.append(("shapes/five", plain("float32", (2, 1, 3, 1, 2), shift)))
    out.records.append(("text/words", words(shift)))
    out.records.append(('odd/Grüße "x"\\y:0', plain("float32", (2,), shift)))
    reduced = odd_eighths("float32", shift)
    for name, value in reductions_of("reduced/w:0", reduced, REDUCTIONS):
        # Both forms occur: torch's have no dimension, NumPy's one.
        out.records.append((name, value.reshape(1) if name.endswith("l2/reduced/w:0") else value))
    out.records.append(("scalar/rate", np.array([0.1 * (shift + 1)])))
    out.shapes.append(("outline/float32", (5, 7 + shift)))
    out.shapes.append(("outline/zero_d", ()))
    # The original's reader loses the values of a tensor that has both; ours must not.
    out.records.append(("kept/float32", plain("float32", (2, 3), shift)))
    out.shapes.append(("kept/float32", (2, 3)))
    return out


def foreign_run() -> Run:
    schedule = (("TRAIN", 0), ("EVAL", 0), ("TRAIN", 1), ("PREDICT", 0), ("GLOBAL", 4))
    steps = [
        _foreign_step(step, mode, mode_step, worker)
        for step, (mode, mode_step) in enumerate(schedule)
        for worker in range(2)
    ]
    # Nothing but shapes: then there is no event file.
    steps += [
        Step(1234, "TRAIN", 2, shapes=[("outline/float32", (5, 7))], worker=w) for w in DEVICES
    ]
    collections = [
        Collection("default"),
        Collection("values", ("^plain/", "^view/"), tensor_names=("plain/bool", "plain/int8")),
        Collection("reduced", ("^reduced/",), reductions=REDUCTIONS, save_raw_tensor=False),
    ]
    return Run(steps, collections, DEVICES)
