"""Records the steps of a training on the timeline, and profiles details in some of them."""

from typing import Any, Dict, Optional

from tensorwarden.adapters.pytorch import profiling_loader, profiling_spans
from tensorwarden.adapters.pytorch.inert import ModuleHook, call_after
from tensorwarden.adapters.pytorch.model import Model
from tensorwarden.adapters.pytorch.profiling_kernels import KernelProfiler, the_kernels
from tensorwarden.adapters.pytorch.profiling_operators import OperatorProfiler, the_operators
from tensorwarden.adapters.pytorch.workers import find_place
from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.recording.horovod import HvdTraceFileRotation
from tensorwarden.profiler.recording.process_start import process_start_us
from tensorwarden.profiler.recording.session import Session, get_session, now_us
from tensorwarden.profiler.recording.step_timeline import FINALIZATION, INITIALIZATION, STEPS


def watch_by_hand() -> None:
    """Prepares the recording that a script is about to start by hand."""
    the_operators(watch())


def watch() -> Session:
    """Follows the profiler configuration and records data loaders, backward passes and
    optimizers."""
    session = get_session()
    if _put_on_patches not in session.on_change:
        session.on_change.append(_put_on_patches)
    session.look(now_us())
    return session


def _put_on_patches() -> None:
    if get_session().on:
        profiling_spans.install()
        profiling_loader.install(watch)


class StepTimeline:
    """Reports the steps of one hook to the session.

    A step lasts from one forward pass of a model to the next. The last one ends with its last
    event. While nothing is profiled, a step costs only an increment. Nothing here raises into the
    training.
    """

    def __init__(self, last_step: int, last_mode_steps: Dict[ModeKeys, int]):
        self.session = watch()
        self.number = -1  # Of the step in its mode.
        self.last_us = 0  # Time of the last event of the step.
        self.model_name = ""
        self._step = last_step
        self._mode_steps = {mode: last_mode_steps.get(mode, -1) for mode in ModeKeys}
        self._mode = ModeKeys.GLOBAL
        self._start_us = 0  # Start of the step; 0 if it is not recorded.
        self._forward_us = 0  # Start of its forward pass; 0 after its end.
        self._watched: Dict[Model, Any] = {}
        self._operators: Optional[OperatorProfiler] = None
        self._kernels: Optional[KernelProfiler] = None
        self._horovod: Optional[HvdTraceFileRotation] = None
        self._profiles_parts = False
        self._closed = False

    # ---- Called by the hook.

    def begin(self, model: Model, mode: ModeKeys) -> None:
        """Starts a step, when a forward pass of a model begins."""
        session = self.session
        now = now_us()
        if now >= session.next_look_us:
            self._look(session, now)
        self._step += 1
        number = self._step
        if mode is not ModeKeys.GLOBAL:
            number = self._mode_steps[mode] + 1
            self._mode_steps[mode] = number
        if not (session.on or self._start_us or self._profiles_parts):
            self.number = number
            return
        try:
            self._begin(session, model, mode, number, now)
        except Exception as error:
            self._fail(error)

    def _look(self, session: Session, now: int) -> None:
        """Reads the configuration. The step that ends here belongs to the previous one."""
        try:
            self._end_step(session, now)
        except Exception as error:
            self._fail(error)
        session.step = self._step
        session.look(now)

    def _begin(self, session: Session, model: Model, mode: ModeKeys, number: int, now: int) -> None:
        self._end_step(session, now)
        if not session.began and session.on:
            self._begin_first(session, now)
        self.number, self._mode, self._start_us, self.last_us = number, mode, 0, now
        self.model_name = model.name
        if session.watches_steps or self._profiles_parts:
            session.choose_for_step(self._step)
            self._profile_parts(session, mode, now)
            # Once more after the last one, to end it.
            self._profiles_parts = session.watches_steps
        if not session.on:
            return
        session.current = self
        profiling_spans.begin_step()
        self._start_us = self._forward_us = now
        if model not in self._watched:
            self._watch_forward(model)

    def forward_begins(self) -> None:
        """Marks the start of the forward pass, which excludes the work of the hook before it."""
        if self._forward_us:
            self._forward_us = now_us()

    def _begin_first(self, session: Session, now: int) -> None:
        session.began = True
        core = session.open()
        core.span_until(session.kind(INITIALIZATION), process_start_us(), now, self._step)
        if find_place().rank == 0:
            self._horovod = HvdTraceFileRotation(session)

    def _end_step(self, session: Session, end_us: int) -> None:
        if self._start_us and session.on:
            core = session.core or session.open()
            kind = session.kind(STEPS[self._mode])
            core.span_until(kind, self._start_us, end_us, self.number)
        self._start_us = self._forward_us = 0

    def _watch_forward(self, model: Model) -> None:
        """Adds a hook to the model, only when its steps are recorded."""

        def after(called: Any, *_: Any) -> None:
            if self._forward_us and called is model.root:
                self._forward_ends(model)

        self._watched[model] = call_after(model.root, ModuleHook(after))

    def _forward_ends(self, model: Model) -> None:
        try:
            session, start, self._forward_us = self.session, self._forward_us, 0
            if not session.on:
                return
            core = session.core or session.open()
            kind = session.kind(("Forward", model.name))
            self.last_us = core.span_of_step(kind, start, self.number)
            if session.watches_steps and session.parser is not None:
                session.parser.handle_forward_pass_end_python_profiling(self._mode, self._step)
        except Exception as error:
            self._fail(error)

    # ---- Profiling of some steps.

    def _profile_parts(self, session: Session, mode: ModeKeys, now: int) -> None:
        if session.parser is not None:
            session.parser.handle_step_start_python_profiling(mode, self._step)
        wanted = session.wants_details(self._step)
        if (wanted or session.is_by_hand) and self._operators is None:
            self._operators = the_operators(session)
        self._record_kernels(now, wanted or session.is_by_hand)
        if self._operators is not None:
            self._operators.at_step(self._step, now, wanted)

    def _record_kernels(self, now: int, operators_wanted: bool) -> None:
        wanted = self.session.wants_kernels(self._step)
        if wanted and operators_wanted:
            say_once("kernels are not recorded in steps whose operators are recorded")
            wanted = False
        if wanted and self._kernels is None:
            self._kernels = the_kernels(self.session)
        if self._kernels is not None:
            self._kernels.at_step(self._step, now, wanted)

    def loads_at_next_step(self, metric: str) -> bool:
        """Returns whether this metric of data loaders is recorded for the next step."""
        session = self.session
        if not session.on or session.config is None:
            return False
        part = session.config.dataloader_profiling_config
        wanted = part.can_start_profiling(self._step + 1, None)
        return wanted and part.valid_metrics_name(metric)

    # ---- The end.

    def stop(self) -> None:
        """Stops, because another hook takes over."""
        self._closed = True
        for handle in self._watched.values():
            handle.remove()
        self._watched.clear()
        self._start_us = self._forward_us = 0

    def close(self) -> None:
        """Ends the recording of the training."""
        if self._closed:
            return
        try:
            self._close(self.session)
        except Exception as error:
            self._fail(error)
        self.stop()

    def _close(self, session: Session) -> None:
        had_steps = bool(self._start_us)
        self._end_step(session, max(self.last_us, self._start_us))
        if self._operators is not None:
            self._operators.close()
        if session.on and had_steps:
            core = session.core or session.open()
            core.span_of_step(session.kind(FINALIZATION), self.last_us, self.number)
        if self._horovod is not None:
            self._horovod.close()
        if session.parser is not None and session.on:
            session.parser.start_post_hook_close_python_profiling()
        session.current = None
        session.close()

    def _fail(self, error: Exception) -> None:
        """Reports an incomplete timeline. The next step is recorded again."""
        self._start_us = self._forward_us = 0
        say_once(f"the timeline is incomplete: {type(error).__name__}: {error}")
