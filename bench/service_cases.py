"""The job service: how soon it answers with a thousand jobs in its store, how often in a second,
and what idle clients of its live stream cost."""

import http.client
import json
import re
import shutil
import socket
import statistics
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from cases import Row, Target, duration
from sampling import Samples, show_progress

JOBS = 1000
STREAMS = 500
TYPE = "application/x-amz-json-1.1"


class Client:
    """One connection that is kept, as the cloud's clients keep theirs."""

    def __init__(self, endpoint, token):
        self.address = endpoint.removeprefix("http://")
        self.token = token
        self.connection = http.client.HTTPConnection(self.address, timeout=60)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def headers(self, operation):
        return {
            "X-Amz-Target": f"SageMaker.{operation}",
            "Content-Type": TYPE,
            "Authorization": f"Bearer {self.token}",
        }

    def call(self, operation, **body):
        """What it answers, and the seconds that took."""
        text = json.dumps(body)
        begun = time.perf_counter()
        self.connection.request("POST", "/", text, self.headers(operation))
        answer = self.connection.getresponse()
        data = answer.read()
        took = time.perf_counter() - begun
        if answer.status != 200:
            raise RuntimeError(f"{operation}: {answer.status} {data[:300]}")
        return json.loads(data or "{}"), took


def job(number):
    return {
        "TrainingJobName": f"job-{number:04}",
        "RoleArn": "arn:aws:iam::123456789012:role/Demo",
        "AlgorithmSpecification": {
            "TrainingImage": "local/wait:1",
            "TrainingInputMode": "File",
            "ContainerEntrypoint": ["sleep", "3600"],
        },
        "HyperParameters": {f"parameter-{i}": str(i) for i in range(10)},
        "OutputDataConfig": {"S3OutputPath": "s3://bench-bucket/out"},
        "ResourceConfig": {
            "InstanceType": "ml.m5.xlarge",
            "InstanceCount": 1,
            "VolumeSizeInGB": 30,
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
        "DebugHookConfig": {"S3OutputPath": "s3://bench-bucket/out"},
        "DebugRuleConfigurations": [
            {
                "RuleConfigurationName": name,
                "RuleEvaluatorImage": "local/sagemaker-debugger-rules:latest",
                "RuleParameters": {"rule_to_invoke": name},
            }
            for name in ("VanishingGradient", "LossNotDecreasing", "Overfit")
        ],
    }


@contextmanager
def serving(setting):
    """A service with a thousand jobs, of which one runs and the others wait for their turn."""
    data = setting.dir / "service"
    shutil.rmtree(data, ignore_errors=True)
    command = [setting.bin / "warden", "serve", "--data", data, "--listen", "127.0.0.1:0"]
    command += ["--jobs-at-once", "1", "--json"]
    process = subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        endpoint = json.loads(process.stdout.readline())["endpoint"]
        client = Client(endpoint, (data / "token").read_text().strip())
        for number in range(JOBS):
            client.call("CreateTrainingJob", **job(number))
        yield process, client
        # Those that wait are stopped with it, else the next of them would begin.
        for number in range(JOBS):
            client.call("StopTrainingJob", TrainingJobName=f"job-{JOBS - 1 - number:04}")
        while client.call("DescribeTrainingJob", TrainingJobName="job-0000")[0][
            "TrainingJobStatus"
        ] not in ("Stopped", "Failed"):
            time.sleep(0.1)
    finally:
        process.terminate()
        process.wait()


def percentile(values, share):
    ordered = sorted(values)
    return ordered[int(share * (len(ordered) - 1))]


def requests_per_second(setting, client, path, headers, body):
    """By wrk, two threads, 32 connections."""
    script = setting.dir / "request.lua"
    lines = [f'wrk.method = "{"POST" if body else "GET"}"']
    lines += [f"wrk.headers[{json.dumps(n)}] = {json.dumps(v)}" for n, v in headers.items()]
    if body:
        lines.append(f"wrk.body = {json.dumps(body)}")
    script.write_text("\n".join(lines) + "\n")
    url = f"http://{client.address}{path}"
    command = ["wrk", "-t2", "-c32", "-d5s", "-s", str(script), url]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if failed := re.search(r"Non-2xx or 3xx responses: (\d+)", out):
        raise RuntimeError(f"{failed[1]} requests were refused: {out}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])


def resident(pid):
    """Bytes of memory that are its own."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no RssAnon")


def idle_streams(process, client):
    """Bytes of the service with that many clients that wait for events."""
    host, port = client.address.split(":")
    request = (
        f"GET /-/events HTTP/1.1\r\nHost: {client.address}\r\n"
        f"Authorization: Bearer {client.token}\r\n\r\n"
    ).encode()
    before = resident(process.pid)
    streams = []
    for _ in range(STREAMS):
        stream = socket.create_connection((host, int(port)))
        stream.sendall(request)
        if b" 200 " not in stream.recv(4096):
            raise RuntimeError("the live stream was refused")
        streams.append(stream)
    time.sleep(1)
    after = resident(process.pid)
    for stream in streams:
        stream.close()
    return before, after


def service(setting):
    show_progress("service")
    samples = Samples()
    with serving(setting) as (process, client):
        names = [f"job-{(number * 7919) % JOBS:04}" for number in range(2000)]
        describes = [client.call("DescribeTrainingJob", TrainingJobName=n)[1] for n in names]
        lists = [client.call("ListTrainingJobs", MaxResults=100)[1] for _ in range(200)]
        described = requests_per_second(
            setting,
            client,
            "/",
            client.headers("DescribeTrainingJob"),
            json.dumps({"TrainingJobName": "job-0500"}),
        )
        nothing = requests_per_second(setting, client, "/-/health", {}, None)
        before, after = idle_streams(process, client)
    samples.add_round({"service": {"describe": describes, "list": lists, "rate": described}})
    below = Target("< 1", lambda ratio: ratio < 1)
    p99 = percentile(describes, 0.99)
    p99_list = percentile(lists, 0.99)
    return [
        Row(
            f"DescribeTrainingJob, {JOBS} jobs, 99th percentile",
            duration(p99),
            "limit 5 ms",
            [p99 / 0.005],
            below,
        ),
        Row("  median", duration(statistics.median(describes))),
        Row(
            "ListTrainingJobs, 100 to a page, 99th percentile",
            duration(p99_list),
            "limit 20 ms",
            [p99_list / 0.02],
            below,
        ),
        Row(
            "DescribeTrainingJob, wrk, 32 connections",
            f"{described:.0f}/s",
            "wanted 2000/s",
            [described / 2000],
            Target(">= 1", lambda ratio: ratio >= 1),
        ),
        Row(
            "  beside a request that asks for nothing",
            f"{described:.0f}/s",
            f"{nothing:.0f}/s",
            [described / nothing],
        ),
        Row(
            f"memory with {STREAMS} idle clients of the live stream",
            f"{after / 1e6:.0f} MB",
            f"limit 100 MB; {before / 1e6:.0f} MB without",
            [after / 1e8],
            below,
        ),
    ], samples


SERVICE_CASES = {"service": service}
