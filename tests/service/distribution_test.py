"""distribution= of the SageMaker SDK: processes that find each other, or a clear refusal."""

import json
import shutil
import urllib.error

import pytest
import serving
from serving import ROOT, Service, script_job

TWO_HOSTS = {"InstanceType": "ml.m5.xlarge", "InstanceCount": 2, "VolumeSizeInGB": 30}


# Debian's PyTorch 1.13 cannot launch processes with Python 3.11.
PYTHON = ROOT / "build/venv-torch/bin/python"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        if PYTHON.exists():
            patch.setattr(serving, "PYTHON", PYTHON)
        started = Service(tmp_path_factory.mktemp("distribution")).start()
        yield started
        assert started.stop() == 0


@pytest.mark.parametrize("name", ["torch_distributed", "pytorch_ddp"])
def test_torch_processes_find_each_other(service, name):
    if not PYTHON.exists():
        pytest.skip("no current PyTorch in build/venv-torch")
    job = name.replace("_", "-")
    service.call(
        "CreateTrainingJob",
        **script_job(
            job,
            "all_reduce.py",
            HyperParameters={f"sagemaker_{name}_enabled": "true"},
            ResourceConfig=TWO_HOSTS,
        ),
    )
    described = service.wait_until_over(job)
    logs = [service.log_of(job, host) for host in ("algo-1", "algo-2")]
    assert described["TrainingJobStatus"] == "Completed", "\n".join(logs)
    for rank, log in enumerate(logs):
        assert f"rank {rank} of 2: 3.0" in log, log
        assert "not isolated" in log or "127.0.0.1" in log


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        (
            {"sagemaker_distributed_dataparallel_enabled": "true"},
            "distribution smdistributed dataparallel is not supported",
        ),
        (
            {"mp_parameters": json.dumps({"partitions": 2})},
            "distribution smdistributed modelparallel is not supported",
        ),
        (
            {"sagemaker_parameter_server_enabled": "true"},
            "distribution parameter_server is not supported: the job has 2 hosts",
        ),
        ({"sagemaker_mpi_enabled": "true"}, "mpirun is not installed"),
    ],
)
def test_what_cannot_be_done_is_refused(service, parameters, expected):
    if "mpirun" in expected and shutil.which("mpirun"):
        pytest.skip("mpirun is installed")
    job = script_job(
        "refused", "all_reduce.py", HyperParameters=parameters, ResourceConfig=TWO_HOSTS
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        service.call("CreateTrainingJob", **job)
    assert refused.value.code == 400
    assert expected in refused.value.read().decode()
