"""The command `python -m tensorwarden`: like `warden run`, within one process."""

import argparse
import os
import sys
from pathlib import Path
from typing import List, NoReturn

from tensorwarden import _core
from tensorwarden.auto import tracebacks
from tensorwarden.auto.common.messages import inform
from tensorwarden.auto.launch.script import run_module, run_script
from tensorwarden.auto.site import _tensorwarden_boot

_USED_WRONGLY = 2


def main() -> None:
    """Parses the options, sets up capture, and runs the script as Python would."""
    options = _parser().parse_args(_own_arguments(sys.argv[1:]))
    words = sys.argv[1 + len(_own_arguments(sys.argv[1:])) :]
    if not words or (words[0] == "-m" and len(words) == 1):
        _refuse("no script given; usage: python -m tensorwarden [options] train.py args...")
    is_module = words[0] == "-m"
    name = words[1] if is_module else Path(words[0]).stem
    try:
        run, config_file = _core.set_up_launch(name, _flags(options))
    except _core.StatusError as error:
        _refuse(error.args[-1])
    _set_environment(config_file, observe=not options.config)
    inform(f"saving to {run}")
    _tensorwarden_boot.begin()
    tracebacks.hide_our_frames()
    if is_module:
        run_module(words[1], words[2:])
    else:
        run_script(words[0], words[1:])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tensorwarden",
        usage="%(prog)s [options] (SCRIPT | -m MODULE) [arguments...]",
        description="Runs a training script and saves its tensors.",
        epilog="The options are those of 'warden run'; see 'warden run --help'.",
        allow_abbrev=False,
    )
    texts = (
        ("--config", "FILE", "hook configuration to start from, a JSON file"),
        ("--out", "DIR", "folder of the run (default: a new folder in warden-runs)"),
        ("--save-interval", "N", "save every N-th step"),
        ("--collections", "A,B", "collections to save, such as weights,biases,gradients"),
        ("--reductions", "A,B", "statistics to save of each tensor; none saves whole tensors"),
        ("--workers", "one|all", "workers of a distributed training that save"),
    )
    for option, metavar, text in texts:
        parser.add_argument(option, default="", metavar=metavar, help=text)
    parser.add_argument(
        "--include-regex",
        action="append",
        default=[],
        metavar="R",
        help="also save tensors whose names match; can be repeated",
    )
    switches = (
        (("--save-all",), "save all tensors, including inputs and outputs"),
        (("--tensorboard",), "also write TensorBoard files"),
        (("-v", "--verbose"), "print progress even without a terminal"),
    )
    for options, text in switches:
        parser.add_argument(*options, action="store_true", help=text)
    return parser


_SWITCHES = ("--save-all", "--tensorboard", "-v", "--verbose", "-h", "--help")


def _own_arguments(words: List[str]) -> List[str]:
    """Returns the arguments before the script, the first word that is neither an option nor its
    value."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-m", "-"):
        at += 1 if words[at] in _SWITCHES or "=" in words[at] else 2
    return words[:at]


def _flags(options: argparse.Namespace) -> _core.LaunchFlags:
    flags = _core.LaunchFlags()
    for name, value in vars(options).items():
        if name != "verbose":
            setattr(flags, name, value)
    if options.verbose:
        os.environ["TENSORWARDEN_VERBOSE"] = "1"
    return flags


def _set_environment(config_file: str, observe: bool) -> None:
    """Also captures Python processes that the script starts."""
    site = str(Path(_tensorwarden_boot.__file__).parent)
    path = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = f"{site}:{path}" if path else site
    os.environ["TENSORWARDEN_AUTO"] = "1"
    os.environ["TENSORWARDEN_OBSERVE"] = "1" if observe else "0"
    os.environ["SMDEBUG_CONFIG_FILE_PATH"] = config_file


def _refuse(message: str) -> NoReturn:
    print(f"tensorwarden: {message}", file=sys.stderr)
    sys.exit(_USED_WRONGLY)
