"""Scripts written for smdebug subclass the hook to save more than it does."""

import torch
from torch import nn
from training import make_model, read, step, train

import smdebug.pytorch as smd

EVERY_STEP = smd.SaveConfig(save_interval=1)


class Interpreting(smd.Hook):
    """As an example for SageMaker does it: gradients of outputs, statistics of normalization."""

    def image_gradients(self, image):
        image.register_hook(self.backward_hook("image"))

    def forward_hook(self, module, inputs, outputs):
        module_name = module._module_name
        self._write_inputs(module_name, inputs)
        if outputs.requires_grad:
            outputs.register_hook(self.backward_hook(module_name + "_output"))
        if hasattr(module, "running_mean"):
            self._write_inputs(module_name + ".running_mean", module.running_mean)
        self._write_outputs(module_name, outputs)
        self.last_saved_step = self.step


def test_forward_hook_is_overridden(tmp_path):
    hook = Interpreting(str(tmp_path / "run"), save_config=EVERY_STEP, include_regex=".*")
    model = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4))
    hook.register_module(model)
    for _ in range(2):
        image = torch.ones(3, 8, requires_grad=True)
        hook.image_gradients(image)
        step(model, image)
    assert hook.last_saved_step == 1
    names = set(read(hook).tensor_names())
    assert names >= {
        "0_input_0",
        "0_output_0",
        "1.running_mean_input_0",
        "Sequential_output_0",
        "gradient/0_output",
        "gradient/Sequential_output",
        "gradient/image",
        "Sequential_0.weight",
    }


def test_it_is_called_for_losses_too_and_only_when_something_is_due(tmp_path):
    seen = []

    class Watching(smd.Hook):
        def forward_hook(self, module, inputs, outputs):
            seen.append((self.step, module._module_name))
            super().forward_hook(module, inputs, outputs)

    hook = Watching(str(tmp_path / "run"), save_config=smd.SaveConfig(save_interval=2))
    train(hook, steps=3)
    modules = ["0", "1", "2", "Sequential", "CrossEntropyLoss"]
    assert seen == [(s, name) for s in (0, 2) for name in modules]
    assert read(hook).tensor_names() == ["CrossEntropyLoss_output_0"]


def test_a_mistake_in_it_does_not_stop_the_training(tmp_path, told):
    class Failing(smd.Hook):
        def forward_hook(self, module, inputs, outputs):
            raise KeyError("mine")

    hook = Failing(str(tmp_path / "run"), save_config=EVERY_STEP)
    assert train(hook, steps=2) == train(model=make_model(), steps=2)
    assert hook.disabled
    assert any("mine" in line for line in told())


def test_modes_of_all_steps_at_once(tmp_path):
    hook = smd.Hook(str(tmp_path / "run"), save_config=EVERY_STEP)
    model = make_model()
    criterion = nn.MSELoss()
    hook.register_module(model)
    hook.register_loss(criterion)
    for mode in (smd.modes.TRAIN, smd.modes.TRAIN, smd.modes.EVAL):
        hook.set_mode(mode)
        criterion(model(torch.ones(2, 8)), torch.ones(2, 3))
    assert read(hook)._global_to_mode == {
        0: (smd.modes.TRAIN, 0),
        1: (smd.modes.TRAIN, 1),
        2: (smd.modes.EVAL, 0),
    }
