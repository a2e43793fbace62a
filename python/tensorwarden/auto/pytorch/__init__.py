"""Captures PyTorch trainings in unchanged scripts.

Wraps the few functions that every training calls:

- An optimizer is created, or a loss runs backward: this process trains (optimizers.py, losses.py).
- A model with trainable parameters is called: it is registered with a hook (models.py).
- A loss module, a loss function or `loss.backward()`: the value is recorded (losses.py).
- A profiler configuration is set: data loaders, backward passes and optimizers are recorded on
  the timeline (adapters/pytorch/profiling.py).
"""


def install() -> None:
    """Watches for trainings. torch must be imported."""
    import atexit
    import os

    from tensorwarden.auto.pytorch import guard, losses, models, optimizers
    from tensorwarden.auto.pytorch.capture import Capture

    if os.environ.get("SMPROFILER_CONFIG_PATH"):
        from tensorwarden.adapters.pytorch import profiling

        profiling.watch()
    capture = Capture()
    models.watch(capture)
    losses.watch(capture)
    optimizers.watch(capture)
    guard.watch(capture)
    capture.observer.watch()
    atexit.register(capture.at_exit)
