"""What the scripts share: data, a hook if the test asks for one, and what came of the weights."""

import hashlib
import os
import random
from typing import Any, Optional

import torch

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
torch.use_deterministic_algorithms(True)
torch.set_num_threads(1)
random.seed(0)
torch.manual_seed(0)


def watch(model: Any, criterion: Optional[Any] = None) -> None:
    """Registers the model as the guides show, if the test wants a hook in the script."""
    folder = os.environ.get("HOOK_OUT_DIR")
    if folder is None:
        return
    import smdebug.pytorch as smd

    hook = smd.Hook(
        out_dir=folder,
        save_config=smd.SaveConfig(save_interval=2),
        include_collections=["weights", "biases", "gradients"],
        reduction_config=smd.ReductionConfig(reductions=["mean", "std"], norms=["l2"]),
        include_workers="all",
    )
    hook.register_module(model)
    if criterion is not None:
        hook.register_loss(criterion)


def tell(model: Any) -> None:
    """Prints a digest of all weights and buffers, to the last bit."""
    digest = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        value = getattr(value, "to_local", lambda value=value: value)()
        digest.update(name.encode())
        digest.update(value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    print(f"weights {digest.hexdigest()}", flush=True)


def tokens(count: int = 24, length: int = 12, words: int = 50) -> torch.Tensor:
    """Sentences of a language with few words."""
    return torch.randint(0, words, (count, length), generator=torch.Generator().manual_seed(1))


def images(count: int = 16, size: int = 32) -> Any:
    """Pictures and their classes."""
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(count, 3, size, size, generator=generator)
    return x, torch.randint(0, 4, (count,), generator=generator)
