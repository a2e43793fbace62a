"""distribution= of the SageMaker SDK: processes that find each other, or a clear refusal."""

import json
import os
import re
import shutil
import urllib.error

import pytest
import serving
from serving import ROOT, TWO_HOSTS, Service, mpi_job, script_job, workers_of

RANK = re.compile(r"rank (\d) of 4: 10\.0 (|node\d)")

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
        (
            {"sagemaker_mpi_enabled": "true", "sagemaker_mpi_num_of_processes_per_host": "-1"},
            "processes_per_host is -1; expected an integer from 1 to",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(service, parameters, expected):
    job = script_job(
        "refused", "all_reduce.py", HyperParameters=parameters, ResourceConfig=TWO_HOSTS
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        service.call("CreateTrainingJob", **job)
    assert refused.value.code == 400
    assert expected in refused.value.read().decode()


def test_mpirun_starts_the_processes_of_all_hosts(service):
    service.call("CreateTrainingJob", **mpi_job("mpi"))
    described = service.wait_until_over("mpi")
    logs = [service.log_of("mpi", host) for host in ("algo-1", "algo-2")]
    assert described["TrainingJobStatus"] == "Completed", "\n".join(logs)
    assert sorted(RANK.findall(logs[0])) == [(str(rank), "") for rank in range(4)], logs[0]
    assert "MPI: the processes of algo-2 run in algo-1" in logs[1]
    saved = service.data / "s3/demo-bucket/out/mpi/debug-output"
    assert len(workers_of(saved)) == 4


def test_without_mpirun_mpi_is_refused(tmp_path, monkeypatch):
    folders = os.environ["PATH"].split(os.pathsep)
    programs = tmp_path / "programs"
    programs.mkdir()
    for folder in filter(os.path.isdir, folders):
        for program in os.scandir(folder):
            if program.name != "mpirun" and not (programs / program.name).exists():
                (programs / program.name).symlink_to(program.path)
    monkeypatch.setenv("PATH", str(programs))
    assert shutil.which("mpirun") is None
    started = Service(tmp_path / "service").start()
    try:
        with pytest.raises(urllib.error.HTTPError) as refused:
            started.call("CreateTrainingJob", **mpi_job("refused"))
        assert refused.value.code == 400
        assert "mpirun is not installed" in refused.value.read().decode()
    finally:
        assert started.stop() == 0
