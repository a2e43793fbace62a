"""Capture in scripts that know nothing of it.

`install()` is called when torch has been imported, by site/sitecustomize.py in a process that
`warden run` started or by `python -m tensorwarden`. It puts small wrappers around the few places of
PyTorch that every training passes. What they see decides what is captured:

- an optimizer is made, or a loss goes backward: this process trains (optimizers.py, losses.py)
- a model with parameters that are trained is called: it is registered with a hook (models.py)
- a loss module, a loss function or `loss.backward()`: its value is recorded (losses.py)
- a configuration of the profiler is named: what data loaders, backward passes and optimizers do is
  recorded on the timeline (adapters/pytorch/profiling.py)

Nothing is made or written before the first of a model's training forwards. A failure of ours is
told in one line and ends the capture, never the training (capture.py).
"""

_installed = False


def install() -> None:
    """Watches this process from now on. torch must be imported."""
    global _installed
    if _installed:
        return
    _installed = True
    import atexit
    import os

    from tensorwarden.auto import losses, models, optimizers, tracebacks
    from tensorwarden.auto.capture import Capture

    if os.environ.get("SMPROFILER_CONFIG_PATH"):
        from tensorwarden.adapters.pytorch import profiling

        profiling.watch()
    capture = Capture()
    models.watch(capture)
    losses.watch(capture)
    optimizers.watch(capture)
    tracebacks.hide_our_frames()
    atexit.register(capture.at_exit)
