"""The base class of all hooks: configuration, steps, and handling of failures."""

import atexit
import json
import multiprocessing
import multiprocessing.util
import os
import threading
import weakref
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Optional,
    Sequence,
    Set,
    Tuple,
    Type,
    TypeVar,
    Union,
)

import numpy as np

from tensorwarden import _core
from tensorwarden.base.exceptions import (
    SMDebugRuntimeError,
    SMDebugTypeError,
    SMDebugValueError,
)
from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.troubles import (
    BASE_ERROR_MESSAGE,
    ErrorHandlingAgent,
    say_once,
    strict,
    tell_failure,
)
from tensorwarden.config.collection import Collection, CollectionKeys
from tensorwarden.config.collection_manager import CollectionManager
from tensorwarden.config.json_config import configuration_error
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig
from tensorwarden.hook.current import keep_hook
from tensorwarden.hook.options import HookOptions
from tensorwarden.hook.out_dir import is_s3, verify_and_get_out_dir
from tensorwarden.hook.pacer import Pacer
from tensorwarden.hook.resume import ResumePoint
from tensorwarden.hook.roles import TensorRoles
from tensorwarden.profiler.recording.session import get_session
from tensorwarden.sagemaker.metrics_file import MetricsFile

HookType = TypeVar("HookType", bound="BaseHook")

DEFAULT_WORKER = "worker_0"
# Upper limit for looking ahead, because the cost grows with the number of steps.
_MOST_QUIET_STEPS = 1000


class BaseHook:
    """Saves tensors of a training run.

    Wrong arguments raise an exception, because they can be fixed before training starts. Any later
    failure (a full disk, a folder that already holds a finished run) is logged once and turns the
    hook off: `disabled` becomes True and training continues unchanged.

    Args:
        collection_manager: The collections that this hook can save.
        out_dir: The folder that the run is saved in, or an s3:// address. Files for S3 are written
            to `run_folder` on this machine; another process sends them.
        export_tensorboard: Whether to also write TensorBoard files.
        tensorboard_dir: The folder for TensorBoard files (default: `tensorboard` in `out_dir`).
        dry_run: Whether to run without writing files.
        reduction_config: What to save of each tensor (default: the values).
        save_config: A SaveConfig, or a dictionary of SaveConfigMode by mode.
        include_regex: Patterns of tensor names to save in addition to the collections.
        include_collections: Names of the collections to save, added to the defaults.
        save_all: Whether to save all tensors.
        include_workers: "one" saves only the chief worker, "all" saves every worker.
    """

    framework = "plain"

    def __init__(
        self,
        collection_manager: CollectionManager,
        out_dir: Optional[str],
        export_tensorboard: bool = False,
        tensorboard_dir: Optional[str] = None,
        dry_run: bool = False,
        reduction_config: Optional[ReductionConfig] = None,
        save_config: Any = None,
        include_regex: Optional[Union[str, List[str]]] = None,
        include_collections: Optional[Sequence[Any]] = None,
        save_all: bool = False,
        include_workers: str = "one",
    ):
        options = HookOptions(
            out_dir,
            export_tensorboard,
            tensorboard_dir,
            dry_run,
            reduction_config,
            save_config,
            include_regex,
            include_collections,
            save_all,
            include_workers,
        )
        self._set_up(collection_manager, options)

    def _set_up(self, collection_manager: CollectionManager, options: HookOptions) -> None:
        """Creates the state of the hook and makes it the hook of this process."""
        options.check()
        out_dir: Any = options.out_dir
        self.out_dir = os.path.expanduser(os.fspath(out_dir))  # noqa: PTH111, may be s3://
        self.tensorboard_dir = _path(options.tensorboard_dir)
        self.export_tensorboard = bool(options.export_tensorboard)
        self.dry_run = options.dry_run
        self.fsync = "off"  # Or "step", "close": when steps must survive a loss of power.
        self.save_config = SaveConfig.parse(options.save_config)
        self.reduction_config = options.reduction_config or ReductionConfig(save_raw_tensor=True)
        self.include_regex = _flat(options.include_regex)
        self.include_collections = _union(
            _core.default_collections(self.framework), _flat(options.include_collections)
        )
        self.save_all = bool(options.save_all)
        self.save_all_workers = options.include_workers == "all"
        self.collection_manager = collection_manager
        self.chief_worker = DEFAULT_WORKER
        self.disabled = False
        self._mode = ModeKeys.GLOBAL
        self._raw_core: Optional[_core.Hook] = None
        # Upcoming steps with nothing due, and recent steps that the core has not counted yet.
        # Between due steps, a step costs only an increment.
        self._quiet_steps = 0
        self._untold_steps = 0
        self._closed = False
        # Called when the run is about to be closed, while values can still be saved.
        self.before_close: List[Callable[[], None]] = []
        self._was_due = False
        self._pacer: Optional[Pacer] = None
        self._roles = TensorRoles()
        # Values passed before the first step, while collections can still change.
        self._early_scalars: List[Tuple[str, float]] = []
        self._first_step_lock = threading.RLock()
        # Tensors for the next step, by name: saved before the first step or twice within one.
        self._held_tensors: Dict[str, Tuple[Any, List[str]]] = {}
        self._given_names: Set[str] = set()  # Saved explicitly in this step.
        self._metrics_file = MetricsFile()
        self._resume = ResumePoint()
        self._last_due_step = self._resume.last_saved_step
        self.run_folder = self._local_folder()
        if self.export_tensorboard and self.tensorboard_dir is None:
            self.tensorboard_dir = os.path.join(self.run_folder, "tensorboard")  # noqa: PTH118
        self._check_folder()
        keep_hook(self)
        ErrorHandlingAgent.get_error_handling_agent().set_hook(self)
        _close_at_exit(self)

    @classmethod
    def create_from_json_file(
        cls: Type[HookType], json_file_path: Optional[Union[str, "os.PathLike[str]"]] = None
    ) -> HookType:
        """Creates the hook from a JSON configuration file.

        The path is `json_file_path`, else $SMDEBUG_CONFIG_FILE_PATH, else the SageMaker default.
        Raises FileNotFoundError if the file does not exist and SMDebugValueError, naming the key,
        if a value is wrong.
        """
        try:
            config = json.loads(_core.load_hook_config(_path(json_file_path) or "", cls.framework))
        except _core.StatusError as error:
            raise configuration_error(error) from None
        # Subclasses create their own collection manager.
        make: Any = cls
        hook: HookType = make(
            out_dir=config["out_dir"],
            export_tensorboard=config["export_tensorboard"],
            tensorboard_dir=config["tensorboard_dir"] or None,
            dry_run=config["dry_run"],
            reduction_config=ReductionConfig.from_dict(config["reduction_config"]),
            save_config=SaveConfig.from_dict(config["save_config"]),
            include_regex=config["include_regex"],
            include_collections=config["include_collections"],
            save_all=config["save_all"],
            include_workers="all" if config["all_workers"] else "one",
        )
        hook.fsync = config["fsync"]
        for collection in config["collections"]:
            hook.collection_manager.add(
                hook.collection_manager.collection_class.from_dict(collection)
            )
        return hook

    # ---- Modes and steps.

    @property
    def mode(self) -> ModeKeys:
        """The mode of the following steps."""
        return self._mode

    def set_mode(self, mode: ModeKeys) -> None:
        """Sets the mode of the following steps. Raises SMDebugValueError for anything but a
        ModeKeys."""
        if not isinstance(mode, ModeKeys):
            raise SMDebugValueError(
                f"mode is {mode!r}; expected one of: "
                f"{', '.join(f'modes.{m.name}' for m in ModeKeys)}"
            )
        self._mode = mode
        try:
            if self._core is not None:
                self._core.set_mode(mode.value)
        except Exception as error:
            self._fail("set_mode failed", error)

    @property
    def step(self) -> int:
        """The current global step; -1 before the first step."""
        return self._resume.last_step if self._core is None else self._core.step

    @property
    def mode_steps(self) -> Dict[ModeKeys, int]:
        """The last step of each mode used so far."""
        if self._core is None:
            return dict(self._resume.last_mode_steps)
        steps = {mode: self._core.mode_step(mode.value) for mode in ModeKeys}
        return {mode: step for mode, step in steps.items() if step >= 0}

    @property
    def last_saved_step(self) -> Optional[int]:
        """The last global step at which a collection was due; None before the first."""
        return self._last_due_step

    @last_saved_step.setter
    def last_saved_step(self, step: Optional[int]) -> None:
        self._last_due_step = step  # Subclasses written for smdebug set it.

    def keep_within(self, share: float) -> None:
        """Captures as many training steps as this share of the time allows, at least those of the
        save interval.

        Call it before the first step. Single numbers such as losses are captured at every step.
        """
        most = 1
        collections = self.collection_manager.get_collections().values()
        for config in [self.save_config, *(c.save_config for c in collections)]:
            for mode in (ModeKeys.TRAIN, ModeKeys.GLOBAL):
                settings = None if config is None else config.mode_save_configs[mode]
                if settings is not None and settings.save_interval:
                    most = max(most, settings.save_interval)
                    settings.save_interval = 1
        self._pacer = Pacer(share, most)

    # ---- Collections.

    def get_collection(self, name: str, create: bool = True) -> Collection:
        """Returns the collection with this name.

        With `create`, a missing collection is created; otherwise it raises SMDebugError.
        """
        self._tell_tensor_names()
        return self.collection_manager.get(name, create=create)

    def get_collections(self) -> Dict[str, Collection]:
        """Returns all collections by name."""
        self._tell_tensor_names()
        return self.collection_manager.get_collections()

    def add_collection(self, collection: Collection) -> None:
        """Adds a custom collection. It is saved if `include_collections` names it or `save_all` is
        set."""
        if not isinstance(collection, Collection):
            raise SMDebugTypeError(f"collection is {collection!r}; expected a Collection")
        self.collection_manager.add(collection)

    def _tell_tensor_names(self) -> None:
        if self._core is None:
            return
        try:
            for name, tensors in self._core.collection_tensors().items():
                self.collection_manager.get(name).tensor_names.update(tensors)
        except Exception as error:
            self._fail("reading the collections failed", error)

    def _collections_to_save(self) -> List[Collection]:
        names = self.include_collections
        if self.save_all or CollectionKeys.ALL in names:
            names = _union(names, list(self.collection_manager.get_collections()))
        return [self.collection_manager.get(name) for name in names]

    @property
    def prepared_collections(self) -> bool:
        """Whether the first step has started. Collections are fixed from then on."""
        return self._core is not None

    # ---- Saving by hand.

    def save_scalar(
        self, name: str, value: Any, sm_metric: bool = False, timestamp: Optional[float] = None
    ) -> None:
        """Saves a number at the current step, as tensor "scalar/<name>".

        With `sm_metric`, it is also a metric of the training job, "scalar/<name>_<mode>", at
        `timestamp` (default: now, in seconds since 1970). Raises SMDebugTypeError if `value` is not
        a single number.
        """
        if self.disabled:
            return
        number = value if type(value) is float else _number(name, value)
        if sm_metric:
            mode_step = max(self.mode_steps.get(self._mode, 0), 0)
            self._metrics_file.report(
                f"scalar/{name}_{self._mode.name}", number, mode_step, timestamp
            )
        try:
            if self._core is None:
                self._early_scalars.append((name, number))
            else:
                self._core.save_scalar(name, number)
        except Exception as error:
            self._fail("save_scalar failed", error)

    def save_scalars(self, values: Dict[str, float]) -> None:
        """Saves several numbers at once, which is much faster than one call per number."""
        if self.disabled:
            return
        try:
            if self._core is None:
                self._early_scalars += [(name, _number(name, v)) for name, v in values.items()]
            else:
                self._core.save_scalars(list(values), list(values.values()))
        except TypeError as error:
            raise SMDebugTypeError(f"save_scalars expects numbers by name: {error}") from None
        except Exception as error:
            self._fail("save_scalars failed", error)

    def save_tensor(
        self,
        tensor_name: str,
        tensor_value: Any,
        collections_to_write: Union[str, Sequence[str]] = CollectionKeys.DEFAULT,
    ) -> None:
        """Adds a tensor to these collections and saves it at the current step if one of them is
        due.

        A tensor passed before the first step is saved at the first step. A second tensor with the
        same name in one step is saved at the next step, which lets a loop save before or after its
        forward pass.
        """
        if self.disabled:
            return
        collections = _flat(collections_to_write)
        try:
            if self._core is None or tensor_name in self._given_names:
                self._held_tensors[tensor_name] = (self._kept_copy(tensor_value), collections)
            else:
                self._given_names.add(tensor_name)
                self._save_by_hand(tensor_name, tensor_value, collections)
        except (TypeError, ValueError) as error:
            say_once(f"save_tensor('{tensor_name}') ignored: {error}")
        except Exception as error:
            self._fail("save_tensor failed", error)

    def _kept_copy(self, value: Any) -> Any:
        """Returns a copy of the value for the next step."""
        return _array(value).copy()

    def _save_by_hand(self, name: str, value: Any, collections: List[str]) -> None:
        array = _array(value)
        for collection in collections:
            self.collection_manager.get(collection)
        if array.dtype.kind in "US":
            self._core.save_strings(name, [str(text) for text in array.ravel()], collections)
        elif not self._core.save_tensor(name, array, False, collections):
            raise TypeError(f"cannot save an array of type {array.dtype}")

    # ---- The timeline.

    def only_profile(self) -> None:
        """Saves no tensors, and writes no files but those of the profiler."""
        self.disabled = True

    def record_trace_events(
        self,
        timestamp: float,
        training_phase: str = "",
        op_name: str = "",
        phase: str = "X",
        duration: float = 1,
        **kwargs: Any,
    ) -> None:
        """Adds an event to the timeline while profiling is on.

        Args:
            timestamp: The start, in seconds since 1970.
            training_phase: The category of the event.
            op_name: The name of the event.
            phase: The phase letter of the trace event format.
            duration: The duration in seconds.
            **kwargs: Written as the event's args.
        """
        if self._closed:
            return
        try:
            get_session().write(timestamp, training_phase, op_name, phase, duration, kwargs)
        except Exception as error:
            say_once(f"record_trace_events ignored: {type(error).__name__}: {error}")

    def _close_profiling(self) -> None:
        get_session().close()

    # ---- The life of a hook.

    @property
    def worker(self) -> str:
        """The name of this worker."""
        return DEFAULT_WORKER

    def _get_num_workers(self) -> int:
        return 1

    def close(self) -> None:
        """Saves pending tensors and marks the run as finished. Nothing is saved afterwards."""
        if self._closed:
            return
        for function in self.before_close:
            function()
        self._closed = True
        try:
            if self._core is None and not self.disabled:
                self._prepare()
            if self._core is not None:  # Also after a failure, because the training has ended.
                self._finish()
        except _core.StatusError as error:
            self.disabled = self._core is not None  # The core has already logged the failure.
            self._fail("the run was not saved", _message(error))
        except Exception as error:
            self._fail("closing the run failed", error)
        finally:
            self.disabled = True
            self._close_profiling()

    def _cleanup(self) -> None:
        """Closes the hook, under the name that scripts for smdebug call."""
        self.close()

    def flush(self) -> None:
        """Waits until all finished steps are saved."""
        if self.disabled or self._core is None:
            return
        try:
            self._core.flush()
        except _core.StatusError as error:
            self.disabled = True  # The core has already logged the failure.
            self._fail("saving failed", _message(error))

    def counters(self) -> Dict[str, int]:
        """Returns the counters saved_steps, saved_tensors, saved_bytes, dropped and failed."""
        return {} if self._core is None else self._core.counters()

    def _prepare(self) -> None:
        """Fixes the configuration and passes it to the core."""
        self.save_config.merge_default_save_config(SaveConfig())
        self._roles.fill(self._collections_to_save())
        collections = []
        for collection in self.collection_manager.get_collections().values():
            if collection.save_config is not None:
                collection.save_config.merge_default_save_config(self.save_config)
            collections.append(collection.to_json_dict())
        config = {
            "out_dir": self.run_folder,
            "export_tensorboard": self.export_tensorboard,
            "tensorboard_dir": self.tensorboard_dir,
            "dry_run": bool(self.dry_run),
            "save_config": self.save_config.to_json_dict(),
            "reduction_config": self.reduction_config.to_json_dict(),
            "include_regex": self.include_regex,
            "include_collections": self.include_collections,
            "save_all": self.save_all,
            "all_workers": self.save_all_workers,
            "fsync": self.fsync,
            "collections": collections,
        }
        core = _core.Hook(
            json.dumps(config),
            self.framework,
            worker=self.worker,
            world_size=self._get_num_workers(),
            is_chief=self.worker == self.chief_worker,
            last_step=self._resume.last_step,
            last_mode_steps=[(m.value, s) for m, s in self._resume.last_mode_steps.items()],
        )
        core.set_mode(self._mode.value)
        self._roles.tell(core)
        self._raw_core = core
        for name, value in self._early_scalars:
            core.save_scalar(name, value)
        self._early_scalars.clear()

    def _finish(self) -> None:
        if self._held_tensors:
            self._begin_step()
        self._core.close()

    @property
    def _core(self) -> _core.Hook:
        """The core, with all steps counted. Reading it resets the look-ahead, because the caller
        may change what is due."""
        core = self._raw_core
        if core is not None and self._untold_steps:
            untold, self._untold_steps = self._untold_steps, 0
            core.skip_steps(untold)
        self._quiet_steps = 0
        return core  # type: ignore[return-value]  # None before the first step.

    def _begin_step(self, number: Optional[int] = None) -> int:
        """Starts the next step, or step `number`. Returns what is due; 0 if nothing is."""
        core = self._core
        if core is None:
            with self._first_step_lock:  # Two threads may begin the first step at the same time.
                if self._core is None:
                    self._prepare()
            core = self._core
        if self._resume.active:
            self._resume.note(self)
        if self._was_due and core.failure() is not None:
            self.disabled = True  # The core has already logged the failure.
            self._fail("saving failed", SMDebugRuntimeError(core.failure()))
            return 0
        if number is not None:
            due = core.begin_step_at(number)
        else:
            due = core.begin_step(self._pacer is not None and self._pacer.next_is_light())
        self._was_due = bool(due)
        if due:
            self._last_due_step = core.step
        self._given_names.clear()
        if self._held_tensors:
            held, self._held_tensors = self._held_tensors, {}
            for name, (value, collections) in held.items():
                self.save_tensor(name, value, collections)
        if not due and not self._resume.active:
            self._quiet_steps = core.quiet_steps(_MOST_QUIET_STEPS)
        return due

    def _local_folder(self) -> str:
        """Returns the folder on this machine that the run is written to."""
        if not is_s3(self.out_dir):
            return self.out_dir
        try:
            return _core.open_spool(self.out_dir)
        except _core.StatusError as error:
            if error.args[0] == "Invalid":
                raise SMDebugValueError(f"out_dir: {error.args[-1]}") from None
            self._fail("the run cannot be saved", error)
            return self.out_dir

    def _check_folder(self) -> None:
        try:
            verify_and_get_out_dir(self.run_folder)
        except SMDebugRuntimeError as error:
            self._fail("the run cannot be saved", error)

    def _fail(
        self,
        what: str,
        error: BaseException,
        advice: str = BASE_ERROR_MESSAGE,
    ) -> None:
        """Turns the hook off and logs the failure once. Raises only with TENSORWARDEN_STRICT=1."""
        first = not self.disabled
        self.disabled = True
        if isinstance(error, _core.StatusError):
            error = _message(error)
        if strict():
            raise error
        if first:
            tell_failure(what, error, advice)

    def __getstate__(self) -> Dict[str, Any]:
        # A copy in another process must not write into the run.
        return {}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.disabled = True
        self._closed = True

    def __deepcopy__(self: HookType, memo: Dict[int, Any]) -> HookType:
        return self

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(out_dir={self.out_dir!r}, mode={self._mode.name}, "
            f"step={self.step}, include_collections={self.include_collections}, "
            f"save_all={self.save_all}, disabled={self.disabled})"
        )


def _close_at_exit(hook: BaseHook) -> None:
    reference = weakref.ref(hook)
    process = os.getpid()

    def close() -> None:
        alive = reference()
        # A forked child runs the handlers of its parent, but does not own the run.
        if alive is not None and os.getpid() == process:
            alive.close()

    atexit.register(close)
    if multiprocessing.parent_process() is not None:
        # multiprocessing ends its processes without running the handlers above.
        multiprocessing.util.Finalize(None, close, exitpriority=100)


def _message(error: Exception) -> Exception:
    return SMDebugRuntimeError(error.args[-1])


def _flat(given: Any) -> List[str]:
    """Flattens a name or nested lists of names."""
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable):
        raise SMDebugTypeError(f"name is {given!r}; expected a string or a list of strings")
    return [name for part in given for name in _flat(part)]


def _path(given: Optional[Union[str, "os.PathLike[str]"]]) -> Optional[str]:
    return None if given is None else os.fspath(given)


def _union(first: List[str], second: List[str]) -> List[str]:
    return list(dict.fromkeys([*first, *second]))


def _array(value: Any) -> np.ndarray:
    """Returns the value in host memory and C order. Raises TypeError or ValueError otherwise."""
    detach = getattr(value, "detach", None)
    if detach is not None:  # A PyTorch tensor, which may require gradients or be on a GPU.
        value = detach().cpu().resolve_conj().resolve_neg().numpy()
    array = np.asarray(value, order="C")
    if array.dtype.kind not in "biufcUS":
        raise TypeError(f"cannot convert {type(value).__name__} to an array of numbers or strings")
    # A plain number counts as an array of one element, as in smdebug.
    return array.reshape(1) if np.isscalar(value) else array


def _number(name: str, value: Any) -> float:
    try:
        array = _array(value)
    except (TypeError, ValueError) as error:
        raise SMDebugTypeError(f"scalar '{name}': {error}") from None
    if array.size != 1 or array.dtype.kind not in "biuf":
        raise SMDebugTypeError(
            f"scalar '{name}' is {value!r}; expected one number, got {array.size}"
        )
    return float(array.item())
