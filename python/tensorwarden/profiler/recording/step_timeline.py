"""Records steps on the timeline, for frameworks without further events."""

from typing import Callable, Dict, Optional

from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.recording.process_start import process_start_us
from tensorwarden.profiler.recording.session import Details, Session, get_session, now_us
from tensorwarden.sagemaker.framework import FRAMEWORK

STEPS = {mode: (f"Step:ModeKeys.{mode.name}",) * 2 for mode in ModeKeys}
INITIALIZATION = ("Initialization", "Initialization")
FINALIZATION = ("Finalization", "Finalization")


class PlainStepTimeline:
    """Reports the steps of one hook to the session.

    While nothing is profiled, a step costs only an increment. Nothing here raises into the
    training. `details` creates the profiler of the framework when it is needed.
    """

    def __init__(
        self, framework: FRAMEWORK, details: Optional[Callable[[Session], Details]] = None
    ) -> None:
        self._session = get_session()
        self._session.set_framework(framework)
        self._session.look(now_us())
        self._make_details = details
        self._details: Optional[Details] = None
        self._profiles_parts = False
        self._step = -1
        self._mode_steps: Dict[ModeKeys, int] = {mode: -1 for mode in ModeKeys}
        self._mode = ModeKeys.GLOBAL
        self._number = -1  # Of the step in its mode.
        self._start_us = 0  # Start of the step; 0 if it is not recorded.
        self._last_us = 0  # End of the last step.
        self._stopped = False

    def begin(self, mode: ModeKeys) -> None:
        """Starts a step and ends the previous one."""
        if self._stopped:
            return
        session, now = self._session, now_us()
        if self._start_us:
            self._guarded(self._end_step, now)
        self._step += 1
        self._mode_steps[mode] += 1
        self._mode, self._number = mode, self._mode_steps[mode]
        if now >= session.next_look_us:
            session.step = self._step
            session.look(now)
        if session.on or self._profiles_parts:
            self._guarded(self._begin_step, now)

    def end(self) -> None:
        """Ends the step."""
        if self._start_us:
            self._guarded(self._end_step, now_us())

    def rest(self) -> None:
        """Ends what is profiled in steps, when no step follows soon."""
        details = self._details
        if details is not None:
            self._guarded(lambda _: details.rest(), now_us())

    def stop(self) -> None:
        """Stops, because another hook takes over."""
        self._stopped = True
        self._start_us = 0

    def close(self) -> None:
        """Ends the recording of the training."""
        if self._stopped:
            return
        self._guarded(self._close, now_us())
        self.stop()

    def _begin_step(self, now: int) -> None:
        session = self._session
        if session.on and not session.began:
            session.began = True
            core = session.open()
            core.span_until(session.kind(INITIALIZATION), process_start_us(), now, self._number)
        if session.watches_steps or self._profiles_parts:
            session.choose_for_step(self._number)
            if session.parser is not None:
                session.parser.handle_step_start_python_profiling(self._mode, self._number)
            trains = self._mode in (ModeKeys.TRAIN, ModeKeys.GLOBAL)
            self._profile_details(trains and session.wants_details(self._number), now)
            # Once more after the last one, to end it.
            self._profiles_parts = session.watches_steps
        self._start_us = now if session.on else 0

    def _profile_details(self, wanted: bool, now: int) -> None:
        if self._details is None and self._make_details is not None:
            self._details = self._make_details(self._session)
        if self._details is not None:
            self._details.at_step(self._number, now, wanted)

    def _end_step(self, now: int) -> None:
        start, self._start_us = self._start_us, 0
        if not start:
            return
        self._last_us = now
        if self._session.on:
            core = self._session.core or self._session.open()
            core.span_until(self._session.kind(STEPS[self._mode]), start, now, self._number)
        if self._profiles_parts and self._session.parser is not None:
            self._session.parser.handle_step_end_python_profiling(self._mode, self._number)

    def _close(self, now: int) -> None:
        session = self._session
        self._end_step(now)
        if self._details is not None:
            self._details.close()
        if session.on and self._last_us:
            core = session.core or session.open()
            core.span_until(session.kind(FINALIZATION), self._last_us, now_us(), self._number)
        if session.parser is not None and session.on:
            session.parser.start_post_hook_close_python_profiling()
        session.close()

    def _guarded(self, function: Callable[[int], None], now: int) -> None:
        try:
            function(now)
        except Exception as error:
            self._start_us = 0
            say_once(f"the timeline is incomplete: {type(error).__name__}: {error}")
