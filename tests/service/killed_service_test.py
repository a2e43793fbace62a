"""The service is killed again and again under load: every job is run to its end, once."""

import http.client
import json
import os
import random
import threading
import time
import urllib.error
import uuid

import pytest
from serving import Service, script_job, wait_until_gone

KILLS = int(os.environ.get("WARDEN_KILLS", "50"))


@pytest.fixture
def service(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    started = Service(tmp_path, "--jobs-at-once", "4", "--share", str(shared)).start()
    yield started
    assert started.stop() == 0


def test_killed_at_any_moment_it_loses_and_repeats_nothing(service, tmp_path):
    ran, mark = tmp_path / "shared/ran", f"mark-{uuid.uuid4()}"
    acknowledged, asked_to_stop, over = [], set(), threading.Event()
    chance = random.Random(1)

    def make_jobs():
        """A client that does not give up: what was answered counts as made."""
        for number in range(10_000):
            name = f"job-{number:04}"
            environment = {"RAN_FILE": str(ran), "MARK": mark}
            seconds = str(round(chance.uniform(0, 1.5), 2))
            job = script_job(
                name, "quick.py", Environment=environment, HyperParameters={"seconds": seconds}
            )
            while not over.is_set():
                try:
                    service.call("CreateTrainingJob", **job)
                    acknowledged.append(name)
                    if chance.random() < 0.2:
                        # Whether or not it will be answered.
                        asked_to_stop.add(name)
                        service.call("StopTrainingJob", TrainingJobName=name)
                    break
                except urllib.error.HTTPError as error:
                    if b"already exists" in error.read():
                        acknowledged.append(name)
                        break
                except (OSError, http.client.HTTPException):
                    pass
                time.sleep(0.02)
            if over.wait(0.1):
                return

    client = threading.Thread(target=make_jobs, daemon=True)
    client.start()
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.05, 0.8))
        service.kill()
        service.start()
    over.set()
    client.join()

    assert len(acknowledged) > 20
    for name in acknowledged:
        job = service.wait_until_over(name)
        may_be = {"Completed", "Stopped"} if name in asked_to_stop else {"Completed"}
        assert job["TrainingJobStatus"] in may_be, json.dumps(job, indent=1)
        transitions = [step["Status"] for step in job["SecondaryStatusTransitions"]]
        assert len(transitions) == len(set(transitions)), transitions
    runs = ran.read_text().split()
    assert len(runs) == len(set(runs)), "a job was run twice"
    completed = {
        name for name in acknowledged if service.describe(name)["TrainingJobStatus"] == "Completed"
    }
    assert completed <= set(runs)
    wait_until_gone(mark)
