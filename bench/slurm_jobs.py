"""What `warden serve --launcher slurm` adds to 200 short jobs that are submitted at once.

    bench/slurm_jobs.py [JOBS]

The peer is sbatch, on the same cluster of four nodes on this machine: the time from the first
submission to the end of the last job. Prints both, and the difference for each job.
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


def by_service(folder: Path, jobs: int) -> float:
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
    done = service.call("ListTrainingJobs", StatusEquals="Completed", MaxResults=100)
    assert done["TrainingJobSummaries"]
    failed = service.call("ListTrainingJobs", StatusEquals="Failed", MaxResults=100)
    assert not failed["TrainingJobSummaries"], failed
    service.stop()
    return took


def main() -> int:
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder, slurm(Path(folder, "slurm")) as cluster:
        os.environ["SLURM_CONF"] = str(cluster.configuration)
        peer = by_sbatch(cluster, jobs)
        ours = by_service(Path(folder), jobs)
    print(f"sbatch alone:   {peer:6.1f} s for {jobs} jobs of 1 s")
    print(f"by the service: {ours:6.1f} s, {(ours - peer) / jobs * 1000:.0f} ms more for each job")
    return 0


if __name__ == "__main__":
    sys.exit(main())
