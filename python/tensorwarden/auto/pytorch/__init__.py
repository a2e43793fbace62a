"""Capture in scripts that train with PyTorch.

Small wrappers around the few places that every training passes. What they see decides what is
captured:

- an optimizer is made, or a loss goes backward: this process trains (optimizers.py, losses.py)
- a model with parameters that are trained is called: it is registered with a hook (models.py)
- a loss module, a loss function or `loss.backward()`: its value is recorded (losses.py)
- a configuration of the profiler is named: what data loaders, backward passes and optimizers do is
  recorded on the timeline (adapters/pytorch/profiling.py)
"""


def install() -> None:
    """Watches this process from now on. torch must be imported."""
    import atexit
    import os

    from tensorwarden.auto.pytorch import losses, models, optimizers
    from tensorwarden.auto.pytorch.capture import Capture

    if os.environ.get("SMPROFILER_CONFIG_PATH"):
        from tensorwarden.adapters.pytorch import profiling

        profiling.watch()
    capture = Capture()
    models.watch(capture)
    losses.watch(capture)
    optimizers.watch(capture)
    atexit.register(capture.at_exit)
