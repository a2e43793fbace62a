"""Processes that fork, end early, or end without a word; models that are copied and stored."""

import copy
import gc
import io
import os
import pickle
import weakref

import pytest
import torch
from torch.utils.data import DataLoader, Dataset
from training import batches, make_model, read, run_script, step, train

import smdebug.pytorch as smd
from tensorwarden.trials import create_trial

PLAIN = train()
MAKE_HOOK = """
import atexit, os, sys
import torch
import training
hook = training.smd.Hook(sys.argv[1], save_all=True, save_config=training.EVERY_STEP)
"""


def ended(run) -> bool:
    return (run / "training_job_end.ts").exists()


class Batches(Dataset):
    """The data of train(), for processes that load it."""

    def __len__(self):
        return 6

    def __getitem__(self, index):
        return batches(6)[index]


def test_processes_that_load_data(make_hook, tmp_path):
    loader = DataLoader(Batches(), batch_size=None, num_workers=2)
    hook = make_hook(save_all=True)
    assert train(hook, data=loader) == PLAIN
    assert not ended(tmp_path / "run")
    assert read(hook).steps() == list(range(6))


CHILDREN = """
model = training.make_model()
hook.register_module(model)
for number, (features, _) in enumerate(training.batches(4)):
    model(features).sum().backward()
    if number != 1:
        continue
    for way in ("return", "exit", "kill"):
        child = os.fork()
        if child == 0:
            for _ in range(3):
                model(torch.full((1, 8), 99.0)).sum().backward()
            hook.save_scalar("of_the_child", 1)
            hook.get_collections()
            if way == "exit":
                hook.close()
                sys.exit(0)  # Through everything that is registered with atexit.
            os._exit(0) if way == "return" else os.kill(os.getpid(), 9)
        os.waitpid(child, 0)
    assert not os.path.exists(os.path.join(sys.argv[1], "training_job_end.ts"))
assert not hook.disabled
assert hook.step == 3
"""


def test_forked_children_leave_the_run_alone(tmp_path):
    run_script(MAKE_HOOK + CHILDREN, tmp_path / "run")
    assert ended(tmp_path / "run")
    trial = create_trial(str(tmp_path / "run"))
    assert trial.steps() == [0, 1, 2, 3]
    assert not trial.has_tensor("scalar/of_the_child")
    for number in trial.steps():
        assert trial.tensor("Sequential_input_0").value(number).max() < 99


CHILDREN_THAT_RETURN = """
training.train(hook, steps=2)
if os.fork() == 0:
    training.train(hook, steps=2, register=False)
else:
    os.wait()
    assert not os.path.exists(os.path.join(sys.argv[1], "training_job_end.ts"))
"""


def test_a_forked_child_that_runs_to_its_end(tmp_path):
    run_script(MAKE_HOOK + CHILDREN_THAT_RETURN, tmp_path / "run")
    assert create_trial(str(tmp_path / "run")).steps() == [0, 1]


SPAWN = """
import multiprocessing
def outputs(hook=None):
    # Only forward: PyTorch with CUDA refuses backward in a child of one that has done it.
    model = training.make_model()
    if hook is not None:
        hook.register_module(model)
    return [model(features).tolist() for features, _ in training.batches(2)]
def work(hook, queue):
    queue.put(outputs(hook))
if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    training.train(hook, steps=2)
    child = context.Process(target=work, args=(hook, queue))
    child.start()
    assert queue.get(timeout=300) == outputs()
    child.join(300)
    assert child.exitcode == 0
"""


def test_a_hook_given_to_another_process(tmp_path):
    run_script(MAKE_HOOK + SPAWN, tmp_path / "run")
    assert create_trial(str(tmp_path / "run")).steps() == [0, 1]


CHILD = """
import multiprocessing
def work():
    hook = training.smd.Hook(sys.argv[1] + "/child", save_config=training.EVERY_STEP)
    training.train(hook, steps=2)
if __name__ == "__main__":
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join(300)
    assert child.exitcode == 0
"""


def test_a_process_of_multiprocessing_that_ends_without_close(tmp_path):
    run_script("import sys, training" + CHILD, tmp_path)
    assert ended(tmp_path / "child")
    assert create_trial(str(tmp_path / "child")).steps() == [0, 1]


def test_a_program_that_ends_without_close(tmp_path):
    done = run_script(MAKE_HOOK + "training.train(hook, steps=5)", tmp_path / "run")
    assert "warden" not in done.stderr and "Traceback" not in done.stderr
    assert ended(tmp_path / "run")
    assert create_trial(str(tmp_path / "run")).steps() == list(range(5))


def test_a_program_that_forgets_its_hook(tmp_path):
    """The hook is gone before the program ends."""
    code = """
training.train(hook, steps=3)
training.smd.del_hook()
training.smd.Hook(sys.argv[1] + "_other")
del hook
import gc
gc.collect()
"""
    run_script(MAKE_HOOK + code, tmp_path / "run")
    assert ended(tmp_path / "run")
    assert create_trial(str(tmp_path / "run")).steps() == list(range(3))


def test_a_program_that_raises(tmp_path):
    code = """
def broken():
    for number, batch in enumerate(training.batches(5)):
        if number == 3:
            raise ValueError("of the script itself")
        yield batch
"""
    last = "training.train({}, data=broken())\n"
    plain = run_script(MAKE_HOOK + code + last.format("None"), tmp_path / "none", succeeds=False)
    watched = run_script(MAKE_HOOK + code + last.format("hook"), tmp_path / "run", succeeds=False)
    assert plain.returncode == watched.returncode == 1
    assert watched.stderr == plain.stderr
    assert watched.stderr.endswith("ValueError: of the script itself\n")
    assert ended(tmp_path / "run")
    assert create_trial(str(tmp_path / "run")).steps() == [0, 1, 2]


def test_a_program_that_raises_inside_the_model(tmp_path):
    """No frame of ours hides where it happened."""
    code = """
model = training.make_model()
if len(sys.argv) > 2:
    hook.register_module(model)
model(torch.ones(1, 7))
"""
    plain = run_script(MAKE_HOOK + code, tmp_path / "none", succeeds=False)
    watched = run_script(MAKE_HOOK + code, tmp_path / "run", "watch", succeeds=False)
    assert watched.returncode == 1
    assert "tensorwarden" not in watched.stderr
    assert watched.stderr.splitlines()[-1] == plain.stderr.splitlines()[-1]


def test_exit_codes_are_the_scripts_own(tmp_path):
    code = "training.train(hook, steps=2)\nsys.exit(7)"
    done = run_script(MAKE_HOOK + code, tmp_path / "run", succeeds=False)
    assert done.returncode == 7
    assert "warden" not in done.stderr and "Traceback" not in done.stderr
    assert ended(tmp_path / "run")


def test_a_program_that_is_killed_leaves_a_readable_run_without_an_end(tmp_path):
    code = """
training.train(hook, steps=4)
hook.flush()
os.kill(os.getpid(), 9)
"""
    done = run_script(MAKE_HOOK + code, tmp_path / "run", succeeds=False)
    assert done.returncode == -9
    assert not ended(tmp_path / "run")
    again = smd.Hook(str(tmp_path / "run"), save_all=True)
    train(again, steps=1)
    again.close()
    assert ended(tmp_path / "run")


# ---- Copies of the model.


def load(buffer: io.BytesIO):
    buffer.seek(0)
    try:
        return torch.load(buffer, weights_only=False)
    except TypeError:  # An older version does not ask.
        return torch.load(buffer)


def stored(model):
    buffer = io.BytesIO()
    torch.save(model, buffer)
    return load(buffer)


@pytest.mark.parametrize(
    "make_copy", [copy.deepcopy, stored, lambda model: pickle.loads(pickle.dumps(model))]
)
def test_copies_of_a_model_are_not_captured(make_hook, make_copy):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    step(model, torch.ones(1, 8))
    twin = make_copy(model)
    assert torch.equal(twin(torch.ones(1, 8)), model(torch.ones(1, 8)))
    step(twin, torch.ones(1, 8))
    again = make_copy(make_copy(twin))
    step(again, torch.ones(1, 8))
    assert hook.step == 1
    assert not hook.disabled
    assert read(hook).steps() == [0, 1]


def test_a_stored_model_needs_nothing_of_ours(make_hook, tmp_path):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    step(model, torch.ones(1, 8))
    torch.save(model, tmp_path / "model.pt")
    code = """
import sys
sys.modules["tensorwarden"] = sys.modules["smdebug"] = None  # Cannot be imported.
import torch
try:
    model = torch.load(sys.argv[1], weights_only=False)
except TypeError:
    model = torch.load(sys.argv[1])
model(torch.ones(1, 8)).sum().backward()
"""
    run_script(code, tmp_path / "model.pt")


def test_state_dictionaries_have_nothing_of_ours(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    step(model, torch.ones(1, 8))
    assert list(model.state_dict()) == list(make_model().state_dict())


def test_an_average_of_the_weights(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    average = torch.optim.swa_utils.AveragedModel(model)
    hook.register_module(model)
    late = torch.optim.swa_utils.AveragedModel(model)
    for features, _ in batches(3):
        step(model, features)
        for averaged in (average, late):
            averaged.update_parameters(model)
            averaged(features)
    assert hook.step == 2
    assert read(hook).tensor("0_output_0").steps() == [0, 1, 2]


def test_a_pickled_hook_does_nothing(make_hook):
    hook = make_hook(save_all=True)
    twin = pickle.loads(pickle.dumps(hook))
    assert twin.disabled
    twin.close()
    assert copy.deepcopy(hook) is hook
    train(hook, steps=2)
    assert read(hook).steps() == [0, 1]


def test_a_hook_that_is_collected(tmp_path):
    hook = smd.Hook(
        str(tmp_path / "run"), save_all=True, save_config=smd.SaveConfig(save_interval=1)
    )
    model = make_model()
    assert train(hook, model) == PLAIN
    smd.Hook(str(tmp_path / "other"))  # It takes the first one's place.
    gone = weakref.ref(hook)
    del hook
    model(torch.ones(1, 8))  # The model keeps the hook.
    assert gone() is not None
    del model
    gc.collect()
    assert gone() is None
    assert ended(tmp_path / "run")
    assert create_trial(str(tmp_path / "run")).steps() == list(range(7))


def test_training_with_another_number_of_the_process(make_hook):
    """Hooks of a test's process are not closed by forked children."""
    hook = make_hook(save_all=True)
    train(hook, steps=1)
    child = os.fork()
    if child == 0:
        hook.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert not hook.disabled
    assert read(hook).steps() == [0]
