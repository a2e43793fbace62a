"""The examples in the order in which a reader runs them, with what the pages take for granted.

A cell is the name of an example, or a name and code of the test's own.
"""

from pathlib import Path

from manifest import code

START = (
    "start",
    """
import json, os, time
import boto3, sagemaker
from sagemaker.debugger import *
from sagemaker.estimator import Estimator
role = sagemaker.get_execution_role()
region = boto3.session.Session().region_name
bucket = sagemaker.Session().default_bucket()
rows = "".join(f"{i % 2},{i},{i % 3}\\n" for i in range(40)).encode()
for channel in ("train", "validation"):
    boto3.client("s3").put_object(Bucket=bucket, Key=f"data/{channel}/rows.csv", Body=rows)
TRAIN = sagemaker.inputs.TrainingInput(f"s3://{bucket}/data/train", content_type="text/csv")
ESTIMATOR = dict(
    image_uri="my-image",
    role=role,
    instance_count=1,
    instance_type="ml.m5.xlarge",
    entry_point="directory/to/your_training_script.py",
)
def wait(estimator):
    client = boto3.client("sagemaker")
    while True:
        job = client.describe_training_job(TrainingJobName=estimator.latest_training_job.name)
        rules = job.get("DebugRuleEvaluationStatuses", [])
        rules += job.get("ProfilerRuleEvaluationStatuses", [])
        if job["TrainingJobStatus"] != "InProgress" and not any(
            rule["RuleEvaluationStatus"] in ("InProgress", "Stopping") for rule in rules):
            return
        time.sleep(0.1)
def wait_until_it_trains(name):
    client = boto3.client("sagemaker")
    while client.describe_training_job(TrainingJobName=name)["SecondaryStatus"] != "Training":
        time.sleep(0.1)
""",
)

# The built-in rules of the reference, each with the parameters of its page.
RULES = [
    "p747-1",
    "p749-1",
    "p752-1",
    "p756-1",
    "p757-1",
    "p759-1",
    "p762-1",
    "p765-1",
    "p768-1",
    "p771-1",
    "p773-1",
    "p775-1",
    "p777-1",
    "p779-1",
    "p782-1",
    "p784-1",
    "p786-1",
    "p789-1",
    "p791-1",
    "p793-1",
]

DEBUGGING = [
    START,
    "p688-1",
    "p688-2",
    "p688-3",
    "p682-1",
    "p682-2",
    "p683-1",
    "p684-1",
    "p684-2",
    "p689-1",
    "p689-2",
    "p692-1",
    "p693-1",
    "p694-1",
    "p696-1",
    "p696-2",
    "p698-1",
    "p701-1",
    "p702-1",
    "p703-1",
    "p726-1",
    "p727-1",
    "p732-1",
    "p743-1",
    "p743-2",
    "p745-1",
    "p707-1",
    (
        "other job",
        "ESTIMATOR['entry_point'] = 'torch_train.py'\n"
        "estimator = Estimator(**ESTIMATOR, disable_profiler=True, base_job_name='guide-other',"
        " debugger_hook_config=DebuggerHookConfig(collection_configs=collection_configs))\n"
        "estimator.fit(wait=False)\n"
        "wait(estimator)\n"
        "OTHER_JOB = estimator.latest_training_job.name\n"
        "ALL = []",
    ),
    *(cell for rule in RULES for cell in (rule, (f"add {rule}", "ALL += built_in_rules"))),
    (
        "all rules",
        "ALL[11].rule_parameters['other_trials'] = OTHER_JOB\n"
        "estimator = Estimator(**ESTIMATOR, rules=ALL, disable_profiler=True,"
        " base_job_name='guide-rules')\n"
        "estimator.fit(wait=False)",
    ),
    "p794-2",
    "p795-1",
    ("image", "byoc_image_uri = 'my-image'"),
    "p801-2",
    (
        "output",
        "ESTIMATOR['output_path'] = f's3://{bucket}/reports'\n"
        "ESTIMATOR['rules'] = [ProfilerRule.sagemaker(rule_configs.ProfilerReport())]",
    ),
    "p739-1",
    "p739-2",
    "p740-1",
    "p740-2",
    "p740-3",
    "p741-1",
    "p741-2",
    "p741-3",
    ("rules", "wait(estimator)"),
    "p708-1",
    "p708-2",
    "p709-1",
]

# On jobs that run until they are stopped.
REMOTE = [
    "p828-1",
    (
        "long job",
        "estimator.fit(wait=False)\nwait_until_it_trains(estimator.latest_training_job.name)",
    ),
    "p829-1",
    "p704-3",
    "p705-1",
    "p705-2",
    "p705-3",
    "p705-4",
    "p705-5",
    "p705-6",
    "p705-7",
    "p704-2",
    "p877-2",
    "p704-1",
    "p877-1",
    "p878-3",
    "p878-2",
    (
        "names of the job",
        "job_name, iam_role_arn = 'guide-remote-boto3', role\n"
        "output_path = 's3://' + bucket + '/out'\n"
        "SCRIPT = {'sagemaker_program': os.path.abspath('directory/to/long_training_script.py')}",
    ),
    "p829-2",
    ("it trains", "wait_until_it_trains(job_name)"),
    "p830-1",
    "p832-1",
    "p832-2",
    (
        "p831-1 with boto3",
        "sm.create_training_job(**json.load(open('train-with-remote-debug.json')))",
    ),
    ("it trains, too", "wait_until_it_trains('guide-remote-cli')"),
    (
        "p831-3 with boto3",
        "file = open('update-training-job-with-remote-debug-config.json')\n"
        "sm.update_training_job(**json.load(file))",
    ),
    "p832-3",
    (
        "stop",
        "names = [estimator.latest_training_job.name, job_name, 'guide-remote-cli']\n"
        "for name in names: sm.stop_training_job(TrainingJobName=name)",
    ),
]

PROFILING = [
    START,
    "p865-1",
    "p865-2",
    "p866-1",
    "p867-1",
    "p868-1",
    "p870-1",
    "p872-1",
    "p872-2",
    "p873-1",
    "p873-2",
    "p873-3",
    "p873-4",
    "p878-1",
    "p879-1",
    "p880-1",
    "p881-1",
    "p883-1",
    "p883-2",
    "p884-1",
    "p885-1",
    "p885-2",
    "p929-1",
    "p876-1",
    (
        "profiled job",
        "ESTIMATOR['entry_point'] = 'loaded.py'\n"
        "estimator = Estimator(**ESTIMATOR, rules=rules, base_job_name='guide-profiled',"
        " profiler_config=profiler_config)\n"
        "estimator.fit(wait=False)",
    ),
    "p932-1",
    ("profiled", "wait(estimator)\nprint('JOB', training_job_name)"),
    "p914-1",
    "p914-2",
    "p914-3",
    "p847-1",
    ("names", "source_dir, output_path, hyperparameters = 'src', 's3://' + bucket + '/out', {}"),
    "p848-1",
    "p848-2",
    "p848-3",
    ("names of TensorBoard", "image_uri = 'my-image'"),
    "p639-2",
    ("start it", "estimator.fit(wait=False)"),
    "p809-1",
    "tutorial-1",
    "tutorial-2",
    "tutorial-4",
    "tutorial-5",
    "tutorial-6",
    "tutorial-7",
    *REMOTE,
]

# With the library alone: no SDK.
ANALYSIS = [
    ("start", "import argparse, time, torch"),
    "p822-1",
    "p676-1",
    "p861-1",
    "p945-1",
    "p845-1",
    (
        "training",
        "args, world_size = argparse.Namespace(epochs=1), 1\n"
        "net, criterion = torch.nn.Linear(4, 3), torch.nn.CrossEntropyLoss()\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "trainloader = [(torch.randn(8, 4), torch.randint(3, (8,))) for _ in range(3)]",
    ),
    "p846-1",
    "p932-2",
    "p931-2",
    "p932-3",
    "p932-4",
    "p933-1",
    "p933-2",
    "p933-3",
    "p934-1",
    "p934-2",
    "p934-3",
    "p934-4",
    "p935-1",
    "p935-2",
    "p935-3",
    "p936-1",
    "p937-1",
    ("folder", "tf_python_stats_dir = 'python_stats'"),
    "p937-2",
    "p939-1",
    (
        "arguments",
        "path, output_directory, unit = tj.profiler_s3_output_path, './', 'time'\n"
        "file_suffix_filter, start, end = ['pythontimeline.json'], 0, int(time.time() * 1e6)",
    ),
    "p940-1",
    "p941-1",
    "p942-1",
    "p942-2",
    "p942-3",
]

TORCH_TRAIN = """
import os
import torch
import torch.utils.tensorboard
from smdebug.core.modes import ModeKeys

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
loss_function = torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{hook}
{register}
{loss}
{train}
{validation}
train()
for step in range(20):
    image_inputs = torch.randn(8, 4)
    optimizer.zero_grad()
    loss_function(model(image_inputs), torch.zeros(8, dtype=torch.long)).backward()
    optimizer.step()
    {tensor}
validation()
loss_function(model(image_inputs), torch.zeros(8, dtype=torch.long))
accuracy = 0.75
{scalar}
correct, total = 3, 4
{metric}
train(1, 8, 0.1)
{board}
tensorboard_callback.add_scalar("mine", 0.5, 0)
tensorboard_callback.close()
"""


def torch_train() -> str:
    """The guide's way to adapt a script of PyTorch, with its way to write for TensorBoard."""
    return TORCH_TRAIN.format(
        hook=code("p675-1"),
        register=code("p676-2"),
        loss=code("p677-1"),
        train=code("p677-2"),
        validation=code("p677-3"),
        scalar=code("p677-4"),
        tensor=code("p677-5"),
        metric=code("p669-1"),
        board=code("p638-1"),
    )


TUTORIAL_MAIN = """
import argparse
from torch.utils.data import TensorDataset

parser = argparse.ArgumentParser()
for name, kind in (("epochs", int), ("batch_size", int), ("learning_rate", float)):
    parser.add_argument("--" + name, type=kind)
args = parser.parse_args()
args.input_dim = 6
torch.set_num_threads(1)
data = TensorDataset(torch.randn(128, 6), torch.ones(128))
train_loader = val_loader = DataLoader(data, batch_size=args.batch_size)
train(args)
"""

ANNOTATED = """
import argparse, time
import torch
{importing}
args, world_size = argparse.Namespace(epochs=1), 1
net, criterion = torch.nn.Linear(4, 3), torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
trainloader = [(torch.randn(8, 4), torch.randint(3, (8,))) for _ in range(3)]
{loop}
"""


def files() -> dict:
    """What is in the reader's folder, by path."""
    scripts = {
        name: (Path(__file__).parent / "scripts" / f"{name}.py").read_text()
        for name in ("quick", "endless", "loaded")
    }
    return {
        "directory/to/your_training_script.py": scripts["quick"],
        "directory/to/long_training_script.py": scripts["quick"] + scripts["endless"],
        "debugger_custom_container_test_folder/your-training-script.py": scripts["quick"],
        "path/to/your_training_script.py": scripts["quick"],
        "path/to/my_custom_rule.py": code("p794-1"),
        "entry_point/train.py": scripts["quick"],
        "loaded.py": scripts["loaded"],
        "torch_train.py": torch_train(),
        "src/train.py": "import torch.utils.tensorboard\n"
        + code("p638-1")
        + "tensorboard_callback.add_scalar('mine', 0.5, 0)\ntensorboard_callback.close()\n",
        "src/train_with_profiler_demo.py": ANNOTATED.format(
            importing=code("p845-1"), loop=code("p845-2")
        ),
        "scripts/train.py": code("tutorial-3") + TUTORIAL_MAIN,
    }
