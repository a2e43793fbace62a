"""Two teams with a key each, limited to their own jobs and buckets, and what they try."""

import io
import json
import tarfile
import urllib.error
import urllib.request
from types import SimpleNamespace

import boto3
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.client import Config
from botocore.exceptions import ClientError
from serving import PATIENCE, SCRIPTS, Service, debug_rule, script_job, wait_until

SECRET = "0123456789012345678901234567890123456789"
KEYS = """
[owner]
aws_access_key_id = OWNERKEY000000000001
aws_secret_access_key = {secret}
[team-a]
aws_access_key_id = TEAMAKEY000000000001
aws_secret_access_key = {secret}
warden_jobs = team-a-
warden_buckets = team-a-
[team-b]
aws_access_key_id = TEAMBKEY000000000001
aws_secret_access_key = {secret}
warden_jobs = team-b-, team-ab-
warden_buckets = team-b-, team-ab-
"""
TEAMS = {"a": "TEAMAKEY000000000001", "b": "TEAMBKEY000000000001"}
LOGS = "/aws/sagemaker/TrainingJobs"


def team(service, letter):
    """The clients of a team."""
    session = boto3.Session(TEAMS[letter], SECRET, region_name="us-east-1")

    def client(name, **more):
        return session.client(name, endpoint_url=service.endpoint, **more)

    return SimpleNamespace(
        session=session,
        sagemaker=client("sagemaker"),
        s3=client("s3"),
        s3v4=client("s3", config=Config(signature_version="s3v4")),
        logs=client("logs"),
        cloudwatch=client("cloudwatch"),
    )


def job_of(letter, name=None, **more):
    """A job that needs nothing but what is in its team's bucket."""
    bucket = f"team-{letter}-data"
    job = script_job(name or f"team-{letter}-1", "quick.py", **more)
    job["HyperParameters"]["sagemaker_submit_directory"] = f"s3://{bucket}/code.tar.gz"
    job["OutputDataConfig"] = {"S3OutputPath": f"s3://{bucket}/out"}
    return job


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limited")
    keys = folder / "keys"
    keys.touch(mode=0o600)
    keys.write_text(KEYS.format(secret=SECRET))
    started = Service(folder, "--credentials", str(keys)).start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


@pytest.fixture(scope="module")
def a(service):
    return team(service, "a")


@pytest.fixture(scope="module")
def b(service):
    return team(service, "b")


@pytest.fixture(scope="module", autouse=True)
def _jobs(service, a, b):
    """Each team makes a bucket and runs a job from it."""
    code = io.BytesIO()
    with tarfile.open(fileobj=code, mode="w:gz") as tar:
        tar.add(SCRIPTS / "quick.py", "quick.py")
    for letter, clients in (("a", a), ("b", b)):
        bucket = f"team-{letter}-data"
        clients.s3.create_bucket(Bucket=bucket)
        clients.s3.put_object(Bucket=bucket, Key="code.tar.gz", Body=code.getvalue())
        clients.s3.put_object(Bucket=bucket, Key="secret", Body=f"of {letter}".encode())
        clients.sagemaker.create_training_job(**job_of(letter))
    b.s3.create_bucket(Bucket="team-ab-data")
    for letter in "ab":
        job = service.wait_until_over(f"team-{letter}-1")
        assert job["TrainingJobStatus"] == "Completed", service.log_of(f"team-{letter}-1")


def code_of(call, *args, **parameters):
    with pytest.raises(ClientError) as refused:
        call(*args, **parameters)
    return refused.value.response["Error"]["Code"]


def arn_of(service, name):
    return service.describe(name)["TrainingJobArn"]


def send(url, body=None, headers=None, method=None):
    request = urllib.request.Request(url, body, headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_each_sees_its_own(service, a, b):
    for letter, clients in (("a", a), ("b", b)):
        name = f"team-{letter}-1"
        bucket = f"team-{letter}-data"
        listed = clients.sagemaker.list_training_jobs()["TrainingJobSummaries"]
        assert [job["TrainingJobName"] for job in listed] == [name]
        found = clients.sagemaker.search(Resource="TrainingJob")["Results"]
        assert [hit["TrainingJob"]["TrainingJobName"] for hit in found] == [name]
        assert clients.sagemaker.describe_training_job(TrainingJobName=name)
        clients.sagemaker.add_tags(
            ResourceArn=arn_of(service, name), Tags=[{"Key": "of", "Value": letter}]
        )
        streams = clients.logs.describe_log_streams(logGroupName=LOGS)["logStreams"]
        assert [stream["logStreamName"].split("/")[0] for stream in streams] == [name]
        model = clients.s3.get_object(Bucket=bucket, Key=f"out/{name}/output/model.tar.gz")
        assert model["ContentLength"] > 0
    assert [bucket["Name"] for bucket in a.s3.list_buckets()["Buckets"]] == ["team-a-data"]
    buckets = [bucket["Name"] for bucket in b.s3.list_buckets()["Buckets"]]
    assert buckets == ["team-ab-data", "team-b-data"]
    # The token sees all.
    assert len(service.call("ListTrainingJobs")["TrainingJobSummaries"]) == 2


def test_other_jobs_are_unknown(service, a):
    sagemaker = a.sagemaker
    unknown = code_of(sagemaker.describe_training_job, TrainingJobName="team-a-absent")
    for name in ("team-b-1", "TEAM-B-1", "team-ab-1"):
        assert code_of(sagemaker.describe_training_job, TrainingJobName=name) == unknown
    listed = sagemaker.list_training_jobs(NameContains="team-b", MaxResults=1)
    assert listed["TrainingJobSummaries"] == []
    expression = {
        "Filters": [{"Name": "TrainingJobName", "Operator": "Equals", "Value": "team-b-1"}]
    }
    hits = sagemaker.search(Resource="TrainingJob", SearchExpression=expression)
    assert hits["Results"] == []
    assert code_of(sagemaker.list_tags, ResourceArn=arn_of(service, "team-b-1")) == unknown


def test_other_jobs_cannot_be_changed(service, a):
    sagemaker = a.sagemaker
    arn = arn_of(service, "team-b-1")
    denied = {
        code_of(sagemaker.stop_training_job, TrainingJobName="team-b-1"),
        code_of(sagemaker.create_training_job, **job_of("a", "team-b-2")),
        code_of(sagemaker.create_training_job, **job_of("a", "team-ab-2")),
        code_of(sagemaker.create_training_job, **job_of("a", "Team-a-2")),
        code_of(sagemaker.add_tags, ResourceArn=arn, Tags=[{"Key": "x", "Value": "y"}]),
        code_of(sagemaker.delete_tags, ResourceArn=arn, TagKeys=["of"]),
        code_of(
            sagemaker.update_training_job,
            TrainingJobName="team-b-1",
            RemoteDebugConfig={"EnableRemoteDebug": True},
        ),
    }
    assert denied == {"AccessDeniedException"}
    assert service.describe("team-b-1")["TrainingJobStatus"] == "Completed"


BREAKOUTS = {
    "input": {
        "InputDataConfig": [
            {
                "ChannelName": "train",
                "DataSource": {
                    "S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://team-b-data/"}
                },
            }
        ]
    },
    "output": {"OutputDataConfig": {"S3OutputPath": "s3://team-b-data/out"}},
    "longer name": {"OutputDataConfig": {"S3OutputPath": "s3://team-ab-data/out"}},
    "checkpoints": {"CheckpointConfig": {"S3Uri": "s3://team-b-data/x"}},
    "tensors": {"DebugHookConfig": {"S3OutputPath": "s3://team-b-data/x"}},
    "profile": {"ProfilerConfig": {"S3OutputPath": "s3://team-b-data/x"}},
    "boards": {"TensorBoardOutputConfig": {"S3OutputPath": "s3://team-b-data/x"}},
    "variable": {"Environment": {"DATA": "s3://team-b-data/secret"}},
    "code": {"sagemaker_submit_directory": "s3://team-b-data/code.tar.gz"},
    "quoted": {"sagemaker_submit_directory": '"s3://team-b-data/code.tar.gz"'},
    "escaped": {"sagemaker_submit_directory": '"s3:\\/\\/team-b-data\\/code.tar.gz"'},
    "file": {"sagemaker_submit_directory": f"file://{SCRIPTS}"},
    "path": {"sagemaker_submit_directory": str(SCRIPTS)},
    "compared run": {"rule": {"other_trials": "s3://team-a-data/x,s3://team-b-data/x"}},
    "compared job": {"rule": {"other_trials": "team-b-1"}},
    "custom rule": {"rule": {"source_s3_uri": "s3://team-b-data/rule.py"}},
    "custom rule of the machine": {"rule": {"source_s3_uri": str(SCRIPTS / "quick.py")}},
    "action": {"rule": {"action_json": '{"name": "stoptraining", "training_job_prefix": "team-"}'}},
}


@pytest.mark.parametrize("way", BREAKOUTS)
def test_a_job_uses_nothing_of_others(a, way):
    more = dict(BREAKOUTS[way])
    job = job_of("a", "team-a-2")
    if "sagemaker_submit_directory" in more:
        job["HyperParameters"].update(more)
        more = {}
    if "rule" in more:
        more = {
            "DebugHookConfig": {"S3OutputPath": "s3://team-a-data/x"},
            "DebugRuleConfigurations": [debug_rule("VanishingGradient", **more["rule"])],
        }
    job.update(more)
    assert code_of(a.sagemaker.create_training_job, **job) == "AccessDeniedException"


def test_other_buckets_are_closed(a, b):
    s3 = a.s3
    theirs = {"Bucket": "team-b-data", "Key": "secret"}
    own = {"Bucket": "team-a-data", "Key": "stolen"}
    upload = s3.create_multipart_upload(**own)["UploadId"]
    their_upload = b.s3.create_multipart_upload(**theirs)["UploadId"]
    denied = {
        "get": code_of(s3.get_object, **theirs),
        "put": code_of(s3.put_object, Body=b"x", **theirs),
        "delete": code_of(s3.delete_object, **theirs),
        "delete many": code_of(
            s3.delete_objects, Bucket="team-b-data", Delete={"Objects": [{"Key": "secret"}]}
        ),
        "list": code_of(s3.list_objects_v2, Bucket="team-b-data"),
        "longer name": code_of(s3.list_objects_v2, Bucket="team-ab-data"),
        "absent": code_of(s3.list_objects_v2, Bucket="absent"),
        "create": code_of(s3.create_bucket, Bucket="team-ab-new"),
        "remove": code_of(s3.delete_bucket, Bucket="team-b-data"),
        "copy": code_of(s3.copy_object, CopySource=theirs, **own),
        "copy of a part": code_of(
            s3.upload_part_copy, CopySource=theirs, PartNumber=1, UploadId=upload, **own
        ),
        "part": code_of(s3.upload_part, Body=b"x", PartNumber=1, UploadId=their_upload, **theirs),
    }
    assert denied == dict.fromkeys(denied, "AccessDenied")
    assert code_of(s3.head_object, **theirs) == "403"
    # An upload is of its bucket, whoever knows its ID.
    assert code_of(s3.list_parts, UploadId=their_upload, **own) == "NoSuchUpload"
    assert b.s3.get_object(**theirs)["Body"].read() == b"of b"


@pytest.mark.parametrize("version", ["s3", "s3v4"])
def test_links_and_forms_are_limited_too(a, version):
    signer = getattr(a, version)
    for bucket, expected in (("team-a-data", 200), ("team-b-data", 403)):
        url = signer.generate_presigned_url("get_object", {"Bucket": bucket, "Key": "secret"})
        assert send(url)[0] == expected
        # The signature covers the bucket.
        assert send(url.replace(bucket, "team-ab-data"))[0] == 403
    form = signer.generate_presigned_post("team-b-data", "posted")
    lines = [
        f'--XX\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in form["fields"].items()
    ]
    body = "".join(lines) + (
        '--XX\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhi\r\n--XX--\r\n'
    )
    kind = {"Content-Type": "multipart/form-data; boundary=XX"}
    status, answer = send(form["url"], body.encode(), kind)
    assert status == 403 and b"AccessDenied" in answer
    status, answer = send(form["url"].replace("team-b-data", "team-a-data"), body.encode(), kind)
    assert status == 403, answer


def test_other_logs_and_metrics_are_unknown(a, b):
    own, theirs = (
        clients.logs.describe_log_streams(logGroupName=LOGS)["logStreams"][0]["logStreamName"]
        for clients in (a, b)
    )
    events = a.logs.get_log_events(logGroupName=LOGS, logStreamName=own)["events"]
    assert "done" in [event["message"] for event in events]
    for call, names in (
        (a.logs.get_log_events, {"logStreamName": theirs}),
        (a.logs.filter_log_events, {"logStreamNames": [theirs]}),
    ):
        assert code_of(call, logGroupName=LOGS, **names) == "ResourceNotFoundException"
    prefixed = {"logGroupName": LOGS, "logStreamNamePrefix": "team-b-1"}
    assert a.logs.describe_log_streams(**prefixed)["logStreams"] == []
    assert a.logs.filter_log_events(**prefixed)["events"] == []
    metrics = a.cloudwatch.list_metrics(
        Namespace=LOGS, Dimensions=[{"Name": "TrainingJobName", "Value": "team-b-1"}]
    )
    assert metrics["Metrics"] == []


def test_what_shows_all_jobs_is_not_for_limited_keys(service, a):
    for path in ("/-/events?after=0", "/-/api/runs", "/-/api/runs/team-a-1", "/-/api/live"):
        request = AWSRequest("GET", service.endpoint + path)
        SigV4Auth(a.session.get_credentials(), "sagemaker", "us-east-1").add_auth(request)
        status, body = send(request.url, headers=dict(request.headers))
        assert status == 403, (path, body)
        assert b"this key is limited to some jobs" in body


def test_tries_are_written_down(service):
    lines = (service.data / "audit.log").read_text().splitlines()
    tries = [json.loads(line) for line in lines]
    seen = {(one["key"], one["action"], one["outcome"]) for one in tries}
    assert (TEAMS["a"], "sagemaker:StopTrainingJob", "AccessDeniedException") in seen
    assert (TEAMS["a"], "s3:PUT", "AccessDenied") in seen


def test_keys_are_replaced_without_a_restart(service):
    """A new key is accepted and the old one refused soon after the file has changed."""

    def client(key):
        session = boto3.Session(key, SECRET, region_name="us-east-1")
        return session.client("sagemaker", endpoint_url=service.endpoint)

    def is_accepted(key):
        try:
            client(key).list_training_jobs()
        except ClientError:
            return False
        return True

    old, new = "OWNERKEY000000000001", "OWNERKEY000000000002"
    assert is_accepted(old) and not is_accepted(new)
    keys = service.folder / "keys"
    keys.write_text(keys.read_text().replace(old, new))
    wait_until(lambda: is_accepted(new))
    assert not is_accepted(old)
    keys.write_text(keys.read_text().replace(new, old))
    wait_until(lambda: is_accepted(old))
