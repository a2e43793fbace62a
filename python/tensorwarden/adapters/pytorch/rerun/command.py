"""The program behind `warden replay`: runs a dumped step again, in two precisions."""

import argparse
import importlib
import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.dumps.layout import DumpError, digest_of, one_line
from tensorwarden.adapters.pytorch.dumps.links import Link
from tensorwarden.adapters.pytorch.dumps.pickling import unpickle_model
from tensorwarden.adapters.pytorch.dumps.reading import (
    Dump,
    dumps_of,
    find_dump,
    loss_of,
    owners_of,
)
from tensorwarden.adapters.pytorch.dumps.script import Script
from tensorwarden.adapters.pytorch.finite_values import look_at
from tensorwarden.adapters.pytorch.replay.calls import Call
from tensorwarden.adapters.pytorch.rerun import comparing
from tensorwarden.adapters.pytorch.rerun.comparing import Row, Verdict
from tensorwarden.adapters.pytorch.rerun.losses import loss_again
from tensorwarden.adapters.pytorch.rerun.modules import Outcome, run_once
from tensorwarden.adapters.pytorch.rerun.text import table_text, verdict_text

_REFERENCES = {"float32": torch.float32, "float64": torch.float64}


def main(words: Optional[List[str]] = None) -> int:
    """Runs the program. Returns its exit code."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # A pager that was closed is not an error.
    options = _parser().parse_args(words)
    try:
        return _replay(options)
    except DumpError as error:
        print(f"warden: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="warden replay")
    parser.add_argument("run")
    parser.add_argument("step", type=int)
    parser.add_argument("--reference", default="float32", choices=list(_REFERENCES))
    parser.add_argument("--model", default="")
    parser.add_argument("--worker", default=None)
    parser.add_argument("--trust", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--json", action="store_true")
    return parser


def _replay(options: argparse.Namespace) -> int:
    folder = find_dump(options.run, options.step, options.worker)
    _check_owner(folder, options.trust)
    dump = Dump(folder)
    said = _become(dump.index)
    _restore(dump.index["settings"])
    replay = _Replay(dump, options.model, _REFERENCES[options.reference])
    results = [replay.run(number) for number in range(len(dump.index["passes"]))]
    if options.json:
        print(json.dumps(_as_json(dump, results, options.reference, said), allow_nan=False))
    else:
        _print(dump, results, options, said)
    return 0


def _check_owner(folder: Path, trusted: bool) -> None:
    others = sorted(owner for owner in owners_of(folder) if owner != os.geteuid())
    if others and not trusted:
        raise DumpError(
            f"{folder} belongs to user {others[0]}, not to you. Loading it runs code that its "
            "owner chose; if you trust them, use --trust"
        )
    print(
        "warden: loading a dump runs code that it names. Replay only runs that you trust.",
        file=sys.stderr,
    )


def _become(index: Dict[str, Any]) -> List[str]:
    """Makes the classes of the training importable. Returns what the user should know."""
    main, said = index["main"], []
    sys.path[:0] = [entry for entry in (*main["path"], main["folder"]) if entry not in sys.path]
    script = main["script"]
    if script is not None:
        try:
            if digest_of(script) != main["sha256"]:
                said.append(f"{script} has changed since the dump was written")
            module = Script(script, main["module"])
        except (OSError, SyntaxError) as error:
            said.append(f"cannot read {script}: {one_line(error)}")
        else:
            _kept.append(sys.modules["__main__"])
            sys.modules["__main__"] = module
            sys.argv = [script]
    if torch.__version__ != index["torch"]:
        said.append(f"PyTorch is {torch.__version__}; the dump was written by {index['torch']}")
    return said


_kept: List[Any] = []  # The module of this program, which must not be taken down.


def _restore(settings: Dict[str, Any]) -> None:
    torch.set_default_dtype(getattr(torch, settings["default_type"]))
    torch.backends.cuda.matmul.allow_tf32 = settings["matmul_tf32"]
    torch.backends.cudnn.allow_tf32 = settings["cudnn_tf32"]
    torch.use_deterministic_algorithms(settings["deterministic"], warn_only=True)


class _Result:
    """What a forward pass has shown when it was run again."""

    def __init__(
        self, ours: Outcome, reference: Outcome, verdict: Verdict, rows: List[Row], no_loss: str
    ) -> None:
        self.ours = ours
        self.reference = reference
        self.verdict = verdict
        self.rows = rows
        self.no_loss = no_loss


class _Replay:
    """Runs the passes of a dump again."""

    def __init__(self, dump: Dump, builder: str, reference: torch.dtype) -> None:
        self._dump = dump
        self._builder = builder
        self._reference = reference
        self._states = self._loaded(dump.load_states, "the weights")
        self._passes = self._loaded(dump.load_passes, "the batch")

    def run(self, number: int) -> _Result:
        made = self._passes[number]
        ours = self._once(made, None)
        reference = self._once(made, self._reference)
        rows = comparing.rows_of(ours, reference)
        verdict = comparing.verdict_of(self._bad_weight(made), ours, reference, rows)
        return _Result(ours, reference, verdict, rows, made["no_loss"])

    def _once(self, made: Dict[str, Any], reference: Optional[torch.dtype]) -> Outcome:
        random.setstate(made["python_random"])
        numpy: Any = sys.modules.get("numpy")
        if numpy is not None and made["numpy_random"] is not None:
            numpy.random.set_state(made["numpy_random"])
        model = self._model(made, reference)
        call = Call(
            model,
            made["name"],
            made["step"],
            _fresh(tuple(made["args"]), reference),
            _fresh(made["kwargs"], reference),
            made["random"],
            made["device_random"] if torch.cuda.is_available() else None,
            _autocast_here(made["autocast"]),
        )
        losses = [loss_of(entry) for entry in made["losses"]]
        own = None if made["own_loss"] is None else Link(*made["own_loss"])
        return run_once(
            call,
            lambda outputs: loss_again(outputs, own, losses, made["value"], reference),
            self._dump.index["scale"] or 1.0,
            reference,
        )

    def _model(self, made: Dict[str, Any], reference: Optional[torch.dtype]) -> Any:
        state = self._states[made["model"]]
        tensors: Dict[str, Any] = {
            name: torch.nn.Parameter(_wide(value, reference), name not in state["frozen"])
            if value.is_floating_point() or value.is_complex()
            else torch.nn.Parameter(value.clone(), requires_grad=False)
            for name, value in state["parameters"].items()
        }
        buffers = {**state["buffers"], **made["buffers"]}
        tensors.update({name: _wide(value, reference) for name, value in buffers.items()})
        if self._builder:
            return self._built(tensors, reference)
        data = self._dump.model_bytes(made["model"])
        return self._loaded(lambda: unpickle_model(data, tensors), "the model")

    def _built(self, tensors: Dict[str, Any], reference: Optional[torch.dtype]) -> Any:
        module, _, function = self._builder.partition(":")
        if not function:
            raise DumpError(f"--model is '{self._builder}'; expected MODULE:FUNCTION")
        try:
            model = getattr(importlib.import_module(module), function)()
            known = dict([*model.named_parameters(), *model.named_buffers()])
            missing = sorted(set(tensors) ^ set(known))
            if missing:
                raise DumpError(f"--model {self._builder}: {missing[0]} is not in both models")
            for name, tensor in known.items():
                tensor.data = tensors[name].detach()
            return model.train()
        except DumpError:
            raise
        except Exception as error:
            raise DumpError(f"--model {self._builder}: {one_line(error)}") from error

    def _loaded(self, load: Any, what: str) -> Any:
        try:
            return load()
        except DumpError:
            raise
        except (Exception, SystemExit) as error:
            raise DumpError(
                f"cannot load {what}: {one_line(error)}. Run the command where the training can be "
                "imported, or name a function that builds the model: --model MODULE:FUNCTION"
            ) from error

    def _bad_weight(self, made: Dict[str, Any]) -> Optional[str]:
        state = self._states[made["model"]]
        for name, value in [*state["parameters"].items(), *state["buffers"].items()]:
            found = look_at(value)
            if found.nan or found.high:  # A mask among the buffers may be -inf.
                return str(name)
        return None


def _wide(value: torch.Tensor, reference: Optional[torch.dtype]) -> torch.Tensor:
    if reference is None or not value.is_floating_point():
        return value.clone()
    return value.to(reference, copy=True)


def _fresh(values: Any, reference: Optional[torch.dtype]) -> Any:
    """Returns nested values for one pass, which may change them."""
    if type(values) is torch.Tensor:
        wide = _wide(values.detach(), reference)
        return wide.requires_grad_() if values.requires_grad else wide
    if type(values) in (list, tuple):
        return type(values)(_fresh(value, reference) for value in values)
    if type(values) is dict:
        return {key: _fresh(value, reference) for key, value in values.items()}
    return values


def _autocast_here(settings: Dict[str, Tuple[bool, Any]]) -> Dict[str, Tuple[bool, Any]]:
    """Returns the settings for this machine: without a GPU its part runs on the CPU."""
    if torch.cuda.is_available() or not settings["cuda"][0]:
        return settings
    return {"cpu": settings["cuda"], "cuda": (False, settings["cuda"][1])}


def _worst(results: List[_Result]) -> int:
    bad = [i for i, result in enumerate(results) if result.verdict.phase]
    return bad[0] if bad else len(results) - 1


def _notes(dump: Dump, results: List[_Result], reference: str) -> List[str]:
    made, result = dump.index["passes"][_worst(results)], results[_worst(results)]
    notes = []
    if result.no_loss:
        notes.append(f"Forward pass only: the loss is not known, because {result.no_loss}")
    others = _other_workers(dump)
    if others and not result.verdict.phase:
        notes.append(f"It may have begun in another worker: --worker {' or '.join(others)}")
    if made["inputs_have_changed"]:
        notes.append("The batch was written to after the forward pass; it is not the original one")
    if dump.index["passes_left_out"]:
        notes.append(f"{dump.index['passes_left_out']} earlier forward passes were not dumped")
    for which, outcome in (("the original precision", result.ours), (reference, result.reference)):
        if outcome.error:
            notes.append(f"The pass in {which} failed: {outcome.error}")
    if result.ours.error and not dump.index["settings"]["keyword_arguments"]:
        notes.append("PyTorch before 2.0 does not show arguments that are passed by name")
    return notes


def _other_workers(dump: Dump) -> List[str]:
    """Returns the other workers that have dumped the same step."""
    all_of_run = dumps_of(str(dump.folder.parent.parent)).values()
    same = [about["worker"] for about in all_of_run if about["step"] == dump.index["step"]]
    return [worker for worker in same if worker != dump.index["worker"]]


def _as_json(dump: Dump, results: List[_Result], reference: str, said: List[str]) -> Dict[str, Any]:
    index = dump.index
    return {
        "step": index["step"],
        "worker": index["worker"],
        "why": index["why"],
        "found": index["found"],
        "dump": str(dump.folder),
        "reference": reference,
        "scale": index["scale"],
        "bad_pass": _worst(results) if results[_worst(results)].verdict.phase else None,
        "passes": [
            {
                "step": made["step"],
                "autocast": made["autocast"],
                "loss": _finite(result.ours.loss),
                "reference_loss": _finite(result.reference.loss),
                "backward": result.ours.loss is not None,
                "error": result.ours.error or None,
                "reference_error": result.reference.error or None,
                **comparing.as_json(result.verdict, result.rows),
            }
            for made, result in zip(index["passes"], results)
        ],
        "notes": [*said, *_notes(dump, results, reference)],
    }


def _finite(number: Optional[float]) -> Any:
    return number if number is None or abs(number) <= sys.float_info.max else str(number)


def _print(
    dump: Dump, results: List[_Result], options: argparse.Namespace, said: List[str]
) -> None:
    index, worst = dump.index, _worst(results)
    result, made = results[worst], index["passes"][worst]
    precision = [f"{name} {dtype}" for name, dtype in made["autocast"].items() if dtype]
    print(f"Step {made['step']} of {index['worker']}, dumped because {index['why']}.")
    about = f"Model: {index['models'][made['model']]['class']}"
    about += f"; mixed precision: {', '.join(precision) or 'off'}"
    about += f"; loss scale: {index['scale']:g}, also of gradients" if index["scale"] else ""
    about += f"; forward pass {worst + 1} of {len(results)}" if len(results) > 1 else ""
    print(about)
    if result.ours.loss is not None:
        other = (
            ""
            if result.reference.loss is None
            else f", {result.reference.loss:.6g} in {options.reference}"
        )
        print(f"Loss: {result.ours.loss:.6g}{other}")
    if index["found"]:
        print(f"Found during the training: {index['found']['tensor']}: {index['found']['what']}")
    print()
    print(verdict_text(result.verdict, options.reference))
    for note in [*said, *_notes(dump, results, options.reference)]:
        print(f"Note: {note}.")
    print()
    print(table_text(result.rows, result.verdict, options.reference, options.all))
