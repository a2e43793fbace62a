"""What `warden serve --launcher slurm` adds to 200 short jobs that are submitted at once.

    bench/slurm_jobs.py [JOBS]

The peer is sbatch, on the same cluster of four nodes on this machine: the time from the first
submission to the end of the last job. Prints both, the difference for each job, and the processor
time that the service and the commands of Slurm that it ran took for each: where other programs are
at work on the machine, that says more than the clock.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/service")]

from serving import Service  # noqa: E402

from support.cluster import Cluster, slurm  # noqa: E402


def by_sbatch(cluster: Cluster, jobs: int) -> float:
    begun = time.monotonic()
    for _ in range(jobs):
        cluster.submit("srun sleep 1")
    while cluster.command("squeue", "--noheader"):
        time.sleep(0.05)
    return time.monotonic() - begun


def processor_time(process: int) -> float:
    """Of a process and of those that it has waited for, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def by_service(folder: Path, jobs: int) -> "tuple[float, float]":
    service = Service(folder, "--launcher", "slurm").start()
    begun = time.monotonic()
    for number in range(jobs):
        service.call(
            "CreateTrainingJob",
            TrainingJobName=f"job-{number:03}",
            RoleArn="arn:aws:iam::123456789012:role/Demo",
            AlgorithmSpecification={
                "TrainingImage": "local/wait:1",
                "TrainingInputMode": "File",
                "ContainerEntrypoint": ["sleep", "1"],
            },
            OutputDataConfig={"S3OutputPath": "s3://bench-bucket/out"},
            ResourceConfig={
                "InstanceType": "ml.m5.xlarge",
                "InstanceCount": 1,
                "VolumeSizeInGB": 1,
            },
            StoppingCondition={"MaxRuntimeInSeconds": 600},
        )
    filters = {"StatusEquals": "InProgress", "MaxResults": 1}
    while service.call("ListTrainingJobs", **filters)["TrainingJobSummaries"]:
        time.sleep(0.05)
    took = time.monotonic() - begun
    worked = processor_time(service.process.pid)
    done = service.call("ListTrainingJobs", StatusEquals="Completed", MaxResults=100)
    assert done["TrainingJobSummaries"]
    failed = service.call("ListTrainingJobs", StatusEquals="Failed", MaxResults=100)
    assert not failed["TrainingJobSummaries"], failed
    service.stop()
    return took, worked


def main() -> int:
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder, slurm(Path(folder, "slurm")) as cluster:
        os.environ["SLURM_CONF"] = str(cluster.configuration)
        peer = by_sbatch(cluster, jobs)
        ours, worked = by_service(Path(folder), jobs)
    print(f"sbatch alone:   {peer:6.1f} s for {jobs} jobs of 1 s")
    print(f"by the service: {ours:6.1f} s, {(ours - peer) / jobs * 1000:.0f} ms more for each job")
    each, load = worked / jobs * 1000, os.getloadavg()[0]
    print(f"processor time: {each:6.0f} ms for each job; load {load:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
