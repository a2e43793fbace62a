"""What clients rely on without asking, each by boto3 against the running service."""

import datetime
import io
import json
import re
import tarfile
import time
import urllib.error
import urllib.request
import uuid

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, WaiterError
from serving import PATIENCE, Service, debug_rule, script_job

HOOK = {"S3OutputPath": "s3://demo-bucket/hook", "CollectionConfigurations": []}
PROFILER = {"S3OutputPath": "s3://demo-bucket/prof", "DisableProfiler": False}
PARAMETERS = {
    "zeta": "1",
    "alpha": '"text"',
    "DetailedProfilingConfig": '{"StartStep": 5, "NumSteps": 1, }',
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("traps")).start()
    yield started
    started.stop()


def client(service, kind, **changed):
    keys = dict(re.findall(r"^(\w+) = (.*)$", (service.data / "credentials").read_text(), re.M))
    # What the client would refuse by itself is sent all the same.
    return boto3.client(
        kind,
        endpoint_url=service.endpoint,
        region_name="us-west-2",
        config=Config(
            parameter_validation=False,
            retries={"max_attempts": 0},
            connect_timeout=PATIENCE,
            read_timeout=PATIENCE,
        ),
        **{**keys, **changed},
    )


@pytest.fixture(scope="module")
def sm(service):
    return client(service, "sagemaker")


@pytest.fixture(scope="module")
def s3(service):
    return client(service, "s3")


@pytest.fixture(scope="module")
def logs(service):
    return client(service, "logs")


def refused(call, **members):
    """The code and the text of the error that the call is answered with."""
    with pytest.raises(ClientError) as caught:
        call(**members)
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    error = caught.value.response["Error"]
    return error["Code"], error["Message"]


def send(service, target, body, **headers):
    """One request as bytes, and the answer with its headers: what clients hide."""
    request = urllib.request.Request(
        service.endpoint + "/",
        body,
        {
            "X-Amz-Target": target,
            "Content-Type": "application/x-amz-json-1.1",
            "Authorization": f"Bearer {service.token()}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def quick(name, seconds="0", **more):
    return script_job(name, "quick.py", HyperParameters={"seconds": seconds}, **more)


@pytest.fixture
def running(service, sm):
    """The name of a job that trains until the test is over."""
    name = f"running-{uuid.uuid4()}"
    sm.create_training_job(**quick(name, "600", DebugHookConfig=HOOK, ProfilerConfig=PROFILER))
    service.wait_for(name, lambda job: job["SecondaryStatus"] == "Training")
    yield name
    if sm.describe_training_job(TrainingJobName=name)["TrainingJobStatus"] == "InProgress":
        sm.stop_training_job(TrainingJobName=name)
    service.wait_until_over(name)


@pytest.fixture(scope="module")
def told(service, sm, s3):
    """A job that has told all that it found, as the API describes it and as it saw it itself."""
    request = script_job(
        "Telling-Job",
        "held.py",
        HyperParameters={
            # As the SDK sends them: its own encoded, the user's as they are.
            "sagemaker_program": '"held.py"',
            "sagemaker_container_log_level": "20",
            "sagemaker_job_name": '"Telling-Job"',
            "epochs": "3",
            "rate": "0.1",
            "name": "plain text",
        },
        Environment={"MINE": "my value", "HELD": "tells.py"},
        DebugHookConfig={
            **HOOK,
            "CollectionConfigurations": [
                {"CollectionName": "gradients", "CollectionParameters": {"save_interval": "500"}},
                {"CollectionName": "gradients"},
            ],
        },
        DebugRuleConfigurations=[debug_rule("VanishingGradient")],
        ProfilerConfig={**PROFILER, "ProfilingParameters": PARAMETERS},
        ProfilerRuleConfigurations=[
            # As the SDK sends numbers and nothing: by Python's str().
            debug_rule("StepOutlier", stddev="3", mode="None", scan_interval_us="60000000"),
        ],
        TensorBoardOutputConfig={"S3OutputPath": "s3://demo-bucket/tb"},
        CheckpointConfig={"S3Uri": "s3://demo-bucket/checkpoints"},
        Tags=[{"Key": "a", "Value": "b"}],
    )
    sm.create_training_job(**request)
    first = sm.describe_training_job(TrainingJobName="Telling-Job")
    service.release("Telling-Job")
    job = service.wait_until_over("Telling-Job")
    assert job["TrainingJobStatus"] == "Completed", service.log_of("Telling-Job")
    key = job["ModelArtifacts"]["S3ModelArtifacts"].removeprefix("s3://demo-bucket/")
    model = s3.get_object(Bucket="demo-bucket", Key=key)["Body"].read()
    with tarfile.open(fileobj=io.BytesIO(model)) as archive:
        seen = json.load(archive.extractfile("told.json"))
    return {"request": request, "first": first, "job": job, "seen": seen}


# ---- sagemaker-api.md 1: on the wire.


def test_a_charset_and_unknown_members_are_no_fault(service):
    status, headers, body = send(
        service,
        "SageMaker.ListTrainingJobs",
        b'{"NameContains": null, "Invented": {"a": [1]}}',
        Content_Type="application/x-amz-json-1.1; charset=utf-8",
    )
    assert status == 200 and b"TrainingJobSummaries" in body
    assert headers["Content-Type"] == "application/x-amz-json-1.1"
    assert uuid.UUID(headers["x-amzn-RequestId"])


def test_times_are_numbers_with_milliseconds(service, told):
    body = json.dumps({"TrainingJobName": "Telling-Job"}).encode()
    _, _, answer = send(service, "SageMaker.DescribeTrainingJob", body)
    created = json.loads(answer)["CreationTime"]
    assert isinstance(created, float) and abs(created - time.time()) < 3600
    assert isinstance(told["first"]["CreationTime"], datetime.datetime)
    assert b"null" not in answer


def test_times_of_requests_have_any_sign(sm, told):
    found = sm.list_training_jobs(CreationTimeAfter=0, NameContains="telling")
    assert len(found["TrainingJobSummaries"]) == 1
    assert not sm.list_training_jobs(CreationTimeBefore=-1)["TrainingJobSummaries"]


def test_what_is_told_again_is_as_it_was_sent(told):
    job = told["job"]
    for member in ("DebugHookConfig", "HyperParameters", "Environment", "CheckpointConfig"):
        assert json.dumps(job[member]) == json.dumps(told["request"][member]), member
    told_again = job["ProfilerConfig"]["ProfilingParameters"]
    assert json.dumps(told_again) == json.dumps(PARAMETERS), "in order, and not taken for JSON"


def test_an_empty_list_is_not_an_absent_one(service, running):
    assert service.describe(running)["DebugHookConfig"]["CollectionConfigurations"] == []


def test_an_answer_without_members_has_no_body(service, running):
    body = json.dumps({"TrainingJobName": running}).encode()
    status, headers, answer = send(service, "SageMaker.StopTrainingJob", body)
    assert (status, headers["Content-Length"], answer) == (200, "0", b"")


def test_errors_have_both_spellings_and_a_header(service, told):
    body = json.dumps(told["request"]).encode()
    status, headers, answer = send(service, "SageMaker.CreateTrainingJob", body)
    error = json.loads(answer)
    assert status == 400 and error["__type"] == headers["x-amzn-ErrorType"] == "ResourceInUse"
    assert error["message"] == error["Message"]


@pytest.mark.parametrize(
    ("target", "body", "code"),
    [
        ("SageMaker.NoSuchThing", b"{}", "UnknownOperationException"),
        ("SageMaker.ListTrainingJobs", b"{", "SerializationException"),
        ("SageMaker.ListTrainingJobs", b"[]", "SerializationException"),
        ("SageMaker.ListTrainingJobs", b'{"MaxResults": "1"}', "SerializationException"),
    ],
)
def test_what_is_no_request_is_named(service, target, body, code):
    status, _, answer = send(service, target, body)
    assert status == 400 and json.loads(answer)["__type"] == code


def test_keys_that_are_wrong(service):
    unknown = client(service, "sagemaker", aws_access_key_id="AKIAUNKNOWN")
    code, message = refused(unknown.list_training_jobs)
    assert code == "UnrecognizedClientException"
    assert message == "The security token included in the request is invalid."
    wrong = client(service, "sagemaker", aws_secret_access_key="wrong")
    assert refused(wrong.list_training_jobs)[0] == "InvalidSignatureException"
    status, _, answer = send(service, "SageMaker.ListTrainingJobs", b"{}", Authorization="")
    assert status == 400
    assert json.loads(answer)["__type"] == "MissingAuthenticationTokenException"


def test_pages_end_without_a_token(service, sm):
    for number in range(3):
        sm.create_training_job(**quick(f"page-{number}"))
    pages = list(
        sm.get_paginator("list_training_jobs").paginate(
            NameContains="PAGE-", SortBy="Name", PaginationConfig={"PageSize": 2}
        )
    )
    names = [job["TrainingJobName"] for page in pages for job in page["TrainingJobSummaries"]]
    assert names == ["page-0", "page-1", "page-2"], "whatever the case of what names contain"
    assert "NextToken" in pages[0] and "NextToken" not in pages[-1]


def test_waiting_for_a_job_that_is_not_there_ends_at_once(sm):
    with pytest.raises(WaiterError) as caught:
        sm.get_waiter("training_job_completed_or_stopped").wait(TrainingJobName="none")
    message = caught.value.last_response["Error"]["Message"]
    assert message.startswith("Requested resource not found")
    with pytest.raises(WaiterError) as caught:
        sm.get_waiter("processing_job_completed_or_stopped").wait(ProcessingJobName="none")
    message = caught.value.last_response["Error"]["Message"]
    assert message == "Could not find requested job with name: none"


# ---- 5: what is refused, and how.


def test_constraints_are_told_in_their_words(sm):
    job = quick("a_b")
    job["AlgorithmSpecification"]["TrainingInputMode"] = "Tube"
    code, message = refused(sm.create_training_job, **job)
    assert code == "ValidationException"
    assert message.startswith("2 validation errors detected: Value ")
    assert "Value 'a_b' at 'trainingJobName' failed to satisfy constraint: Member must " in message
    assert "Value 'Tube' at 'algorithmSpecification.trainingInputMode' failed to " in message
    assert "Member must satisfy enum value set: [" in message


@pytest.mark.parametrize(
    ("members", "text"),
    [
        (
            {"StoppingCondition": {"MaxRuntimeInSeconds": 9, "MaxWaitTimeInSeconds": 9}},
            "Invalid MaxWaitTimeInSeconds. It is only supported when EnableManagedSpotTraining "
            "is set to true",
        ),
        (
            {"ProfilerConfig": {**PROFILER, "DisableProfiler": True}},
            "ProfilerConfig is not allowed to have fields when disabled.",
        ),
        (
            {
                "DebugHookConfig": HOOK,
                "DebugRuleConfigurations": [debug_rule("Overfit"), debug_rule("Overfit")],
            },
            "Rule configuration names must be unique. Duplicate name: Overfit",
        ),
        (
            {"DebugRuleConfigurations": [debug_rule("Overfit")]},
            "DebugHookConfig must be specified when DebugRuleConfigurations is specified",
        ),
        (
            {
                "ProfilerConfig": {"DisableProfiler": True},
                "ProfilerRuleConfigurations": [debug_rule("StepOutlier")],
            },
            "ProfilerRuleConfigurations cannot be specified when the profiler is disabled",
        ),
        (
            {"ProfilerConfig": {**PROFILER, "ProfilingIntervalInMilliseconds": 300}},
            "100, 200, 500, 1000, 5000, 60000",
        ),
        ({"OutputDataConfig": {"S3OutputPath": "https://bucket/x"}}, "s3://BUCKET/KEY"),
        ({"OutputDataConfig": {"S3OutputPath": "s3://bucket/" + "x" * 256}}, "255 bytes"),
    ],
)
def test_what_makes_no_sense_is_refused(sm, members, text):
    code, message = refused(sm.create_training_job, **quick("refused", **members))
    assert code == "ValidationException" and text in message
    assert refused(sm.describe_training_job, TrainingJobName="refused")


def test_a_job_that_is_not_there_is_a_validation_error(sm):
    for call in (sm.describe_training_job, sm.stop_training_job):
        code, message = refused(call, TrainingJobName="none")
        assert code == "ValidationException"
        assert message.startswith("Requested resource not found")
    update = {"TrainingJobName": "none", "ProfilerConfig": {"DisableProfiler": True}}
    assert refused(sm.update_training_job, **update)[0] == "ValidationException"


def test_a_name_that_is_taken(sm, told):
    code, message = refused(sm.create_training_job, **told["request"])
    assert code == "ResourceInUse"
    assert message.endswith(f"already exists ({told['job']['TrainingJobArn']})")


def test_too_many_hosts(sm):
    job = quick("crowd")
    job["ResourceConfig"]["InstanceCount"] = 10**9
    assert refused(sm.create_training_job, **job)[0] == "ResourceLimitExceeded"


# ---- 6: what operations do.


def test_a_create_that_is_sent_again_is_the_same(service, sm):
    body = json.dumps(quick("sent-twice")).encode()
    sent = {"amz_sdk_invocation_id": str(uuid.uuid4()), "amz_sdk_request": "attempt=1; max=5"}
    first = send(service, "SageMaker.CreateTrainingJob", body, **sent)
    again = send(service, "SageMaker.CreateTrainingJob", body, **sent)
    assert first[0] == again[0] == 200 and first[2] == again[2]
    sent["amz_sdk_invocation_id"] = str(uuid.uuid4())
    assert send(service, "SageMaker.CreateTrainingJob", body, **sent)[0] == 400
    assert send(service, "SageMaker.CreateTrainingJob", body)[0] == 400, "by the aws CLI"


def test_rules_are_there_from_the_first_description_on(told):
    for kind in ("Debug", "Profiler"):
        statuses = told["first"][f"{kind}RuleEvaluationStatuses"]
        assert [status["RuleEvaluationStatus"] for status in statuses] == ["InProgress"]


def test_stop_is_refused_the_second_time(service, sm, running):
    sm.stop_training_job(TrainingJobName=running)
    rejected = "The request was rejected because the training job is in status Stop"
    assert refused(sm.stop_training_job, TrainingJobName=running)[1].startswith(rejected)
    job = service.wait_until_over(running)
    assert job["TrainingJobStatus"] == "Stopped"
    assert job["ModelArtifacts"]["S3ModelArtifacts"], "what there is of a model is kept"


def test_members_of_an_update_that_are_absent_stay(service, sm, running):
    def update(**config):
        sm.update_training_job(TrainingJobName=running, ProfilerConfig=config)
        return service.describe(running)

    usual = {**PROFILER, "ProfilingIntervalInMilliseconds": 500}
    assert service.describe(running)["ProfilerConfig"] == usual
    changed = update(DisableProfiler=False, ProfilingIntervalInMilliseconds=1000)
    assert changed["ProfilerConfig"] == {**usual, "ProfilingIntervalInMilliseconds": 1000}
    changed = update(ProfilingParameters={"a": "1"})
    assert changed["ProfilerConfig"]["ProfilingParameters"] == {"a": "1"}
    changed = update(DisableProfiler=False, ProfilingParameters={})
    assert changed["ProfilerConfig"]["ProfilingParameters"] == {}, "off, but shown"
    assert update(DisableProfiler=True)["ProfilingStatus"] == "Disabled"
    changed = update(DisableProfiler=False, S3OutputPath=PROFILER["S3OutputPath"])
    assert changed["ProfilingStatus"] == "Enabled"


def test_an_update_that_cannot_be_is_refused(service, sm, running):
    def why(**update):
        return refused(sm.update_training_job, TrainingJobName=running, **update)[1]

    assert "contains no update" in why()
    assert "cannot be changed" in why(ProfilerConfig={"S3OutputPath": "s3://demo-bucket/other"})
    local = {"ProfilingParameters": {"LocalPath": "not/from/root"}}
    assert "LocalPath is 'not/from/root'" in why(ProfilerConfig=local)
    disabled = {"DisableProfiler": True, "ProfilingIntervalInMilliseconds": 500}
    assert "not allowed to have fields" in why(ProfilerConfig=disabled)


def test_a_place_that_cannot_be_does_not_reach_the_job(service, sm):
    sm.create_training_job(**script_job("unprofiled", "held.py", Environment={"HELD": "quick.py"}))
    place = {"S3OutputPath": "https://bucket/x", "DisableProfiler": False}
    update = {"TrainingJobName": "unprofiled", "ProfilerConfig": place}
    assert "s3://BUCKET/KEY" in refused(sm.update_training_job, **update)[1]
    service.release("unprofiled")
    assert service.wait_until_over("unprofiled")["TrainingJobStatus"] == "Completed"


def test_rules_are_added_and_never_changed(service, sm, running):
    update = {
        "TrainingJobName": running,
        "ProfilerRuleConfigurations": [debug_rule("CPUBottleneck")],
    }
    sm.update_training_job(**update)
    assert "must be unique" in refused(sm.update_training_job, **update)[1]
    rules = service.describe(running)["ProfilerRuleConfigurations"]
    assert [rule["RuleConfigurationName"] for rule in rules] == ["CPUBottleneck"]
    assert rules[0]["VolumeSizeInGB"] == 0


def test_updates_of_what_is_over_are_refused(sm, told):
    update = {"TrainingJobName": "Telling-Job", "ProfilerConfig": {"DisableProfiler": True}}
    assert "is in status Completed." in refused(sm.update_training_job, **update)[1]


def test_a_name_is_free_again_when_its_job_is_deleted(service, sm):
    sm.create_training_job(**quick("reused", "600"))
    body = b'{"TrainingJobName": "reused"}'  # This boto3 does not know the operation yet.
    status, _, answer = send(service, "SageMaker.DeleteTrainingJob", body)
    assert status == 400 and json.loads(answer)["__type"] == "ResourceInUse"
    sm.stop_training_job(TrainingJobName="reused")
    service.wait_until_over("reused")
    assert send(service, "SageMaker.DeleteTrainingJob", body)[::2] == (200, b"")
    assert refused(sm.describe_training_job, TrainingJobName="reused")
    sm.create_training_job(**quick("reused"))
    assert service.wait_until_over("reused")["TrainingJobStatus"] == "Completed"
    assert service.log_of("reused").count("begun") == 1, "nothing of the first is left"


# ---- 7: rules as processing jobs.


def test_the_name_of_a_rules_job_can_be_built_from_its_arn(sm, told):
    for status in told["job"]["DebugRuleEvaluationStatuses"]:
        arn, rule = status["RuleEvaluationJobArn"], status["RuleConfigurationName"]
        name = f"{'Telling-Job'[:26]}-{rule[:26]}-{arn[-8:]}"
        assert re.fullmatch("[0-9a-f]{8}", arn[-8:])
        job = sm.describe_processing_job(ProcessingJobName=name)
        assert job["ProcessingJobArn"] == arn
        assert job["TrainingJobArn"] == told["job"]["TrainingJobArn"]


def test_a_rules_job_has_inputs_outputs_and_an_environment(sm, told):
    status = told["job"]["ProfilerRuleEvaluationStatuses"][0]
    name = status["RuleEvaluationJobArn"].split("/")[-1]
    job = sm.describe_processing_job(ProcessingJobName=name)
    given = job["ProcessingInputs"][0]["S3Input"]
    assert given["S3Uri"] == "s3://demo-bucket/prof/Telling-Job/profiler-output"
    assert given["LocalPath"] == "/opt/ml/processing/input/profiler"
    output = job["ProcessingOutputConfig"]["Outputs"][0]
    place = "s3://demo-bucket/out/Telling-Job/rule-output/StepOutlier"
    assert output["OutputName"] == "RuleOutput" and output["S3Output"]["S3Uri"] == place
    assert job["Environment"]["rule_to_invoke"] == "StepOutlier"
    assert job["Environment"]["mode"] == "None"


def test_values_by_pythons_str_are_understood(told):
    status = told["job"]["ProfilerRuleEvaluationStatuses"][0]
    assert status["RuleEvaluationStatus"] in ("NoIssuesFound", "IssuesFound"), status


def test_the_platform_marks_the_ends(s3, told):
    for key in (
        "hook/Telling-Job/debug-output/training_job_end.ts",
        "prof/Telling-Job/profiler-output/system/training_job_end.ts",
        "prof/Telling-Job/profiler-output/framework/training_job_end.ts",
    ):
        assert s3.head_object(Bucket="demo-bucket", Key=key)["ContentLength"] == 0


# ---- 8: what descriptions have beyond the request.


def test_defaults_are_told(told):
    job = told["job"]
    assert job["OutputDataConfig"]["KmsKeyId"] == "", "attaching needs it"
    assert job["OutputDataConfig"]["CompressionType"] == "GZIP"
    assert job["DebugRuleConfigurations"][0]["VolumeSizeInGB"] == 0
    assert job["ProfilerConfig"]["ProfilingIntervalInMilliseconds"] == 500
    assert job["ProfilingStatus"] == "Enabled"
    for name in ("NetworkIsolation", "InterContainerTrafficEncryption", "ManagedSpotTraining"):
        assert job[f"Enable{name}"] is False
    assert job["AlgorithmSpecification"]["EnableSageMakerMetricsTimeSeries"] is False
    assert "Tags" not in job


def test_tags_are_listed(sm, told):
    arn = told["job"]["TrainingJobArn"]
    assert sm.list_tags(ResourceArn=arn)["Tags"] == [{"Key": "a", "Value": "b"}]


def test_without_a_profiler(service, sm):
    sm.create_training_job(**quick("without-profiler"))
    job = sm.describe_training_job(TrainingJobName="without-profiler")
    assert job["ProfilingStatus"] == "Disabled" and "ProfilerConfig" not in job
    sm.create_training_job(**quick("disabled", ProfilerConfig={"DisableProfiler": True}))
    job = sm.describe_training_job(TrainingJobName="disabled")
    assert job["ProfilingStatus"] == "Disabled"
    assert job["ProfilerConfig"] == {"DisableProfiler": True}
    assert "ProfilerRuleConfigurations" not in job


# ---- sdk-calls.md 1: what the SDK reads.


def test_every_step_has_a_message(told):
    steps = told["job"]["SecondaryStatusTransitions"]
    assert all(step["StatusMessage"] and step["StartTime"] for step in steps)
    messages = {step["Status"]: step["StatusMessage"] for step in steps}
    expected = "Training image download completed. Training in progress."
    assert messages["Training"] == expected, "clients wait for this very text"


def test_logs_before_there_are_any(logs):
    group = "/aws/sagemaker/TrainingJobs"
    found = logs.describe_log_streams(logGroupName=group, logStreamNamePrefix="none/", limit=1)
    assert found["logStreams"] == []
    code, _ = refused(logs.describe_log_streams, logGroupName="/none", limit=1)
    assert code == "ResourceNotFoundException", "all else would end the SDK's waiting"


def test_logs_of_a_job_have_one_page_of_streams_and_end_in_an_empty_one(logs, told):
    group = "/aws/sagemaker/TrainingJobs"
    found = logs.describe_log_streams(
        logGroupName=group,
        logStreamNamePrefix="Telling-Job/",
        orderBy="LogStreamName",
        limit=1,
    )
    assert "nextToken" not in found, "the SDK would ask for ever"
    stream = found["logStreams"][0]["logStreamName"]
    assert re.fullmatch(r"Telling-Job/algo-1-\d+", stream)
    asked = {"logGroupName": group, "logStreamName": stream, "startFromHead": True}
    page = logs.get_log_events(**asked)
    assert [event["message"] for event in page["events"]] == ["told"]
    last = logs.get_log_events(**asked, nextToken=page["nextForwardToken"])
    assert last["events"] == [] and last["nextForwardToken"] == page["nextForwardToken"]


# ---- sdk-calls.md 4: what a program finds.


def test_arguments_are_the_users_hyperparameters(told):
    seen = told["seen"]
    words = dict(zip(seen["arguments"][::2], seen["arguments"][1::2]))
    assert words == {"--epochs": "3", "--rate": "0.1", "--name": "plain text"}
    assert seen["hyperparameters.json"] == told["request"]["HyperParameters"]
    parameters = json.loads(seen["environment"]["SM_HPS"])
    assert parameters == {"epochs": 3, "rate": 0.1, "name": "plain text"}


def test_configuration_files_are_those_of_the_request(told):
    seen, request = told["seen"], told["request"]
    hook = seen["debughookconfig.json"]
    collections = request["DebugHookConfig"]["CollectionConfigurations"]
    assert hook["CollectionConfigurations"] == collections, "both of one name, in order"
    assert hook["LocalPath"].endswith("/opt/ml/output/tensors")
    parameters = seen["profilerconfig.json"]["ProfilingParameters"]
    assert parameters["DetailedProfilingConfig"] == PARAMETERS["DetailedProfilingConfig"]
    assert list(seen["checkpointconfig.json"]) == ["LocalPath"]
    assert seen["tensorboardoutputconfig.json"]["S3OutputPath"] == "s3://demo-bucket/tb"
    resources = seen["resourceconfig.json"]
    assert (resources["current_host"], resources["hosts"]) == ("algo-1", ["algo-1"])


def test_variables_are_the_platforms_and_the_users(service, told):
    variables = told["seen"]["environment"]
    assert variables["TRAINING_JOB_NAME"] == "Telling-Job"
    assert variables["TRAINING_JOB_ARN"] == told["job"]["TrainingJobArn"]
    assert variables["AWS_REGION"] == "us-west-2" and variables["MINE"] == "my value"
    secrets = {service.token(), *re.findall(r"= (.*)", (service.data / "credentials").read_text())}
    assert not secrets & set(variables.values())


def test_what_is_not_whole_is_no_object(s3, told):
    prefix = "hook/Telling-Job/debug-output/"
    found = s3.list_objects_v2(Bucket="demo-bucket", Prefix=prefix)["Contents"]
    names = {item["Key"].removeprefix(prefix) for item in found}
    assert "whole" in names and not any(name.endswith(".tmp") for name in names)
    assert s3.head_object(Bucket="demo-bucket", Key="out/Telling-Job/output/output.tar.gz")


def test_a_failure_is_told_in_the_programs_words(service, sm):
    sm.create_training_job(**script_job("fails", "tells.py", Environment={"EXIT_CODE": "7"}))
    job = service.wait_until_over("fails")
    assert job["TrainingJobStatus"] == "Failed"
    assert "the reason, in the program's own words" in job["FailureReason"]
    assert "exit code: 7" in job["FailureReason"]


def test_a_key_that_begins_with_a_slash_is_found_by_clients(service, sm, s3):
    place = {"S3OutputPath": "s3://demo-bucket//odd//place"}
    sm.create_training_job(**quick("slashes", OutputDataConfig=place))
    model = service.wait_until_over("slashes")["ModelArtifacts"]["S3ModelArtifacts"]
    key = model.removeprefix("s3://demo-bucket/")
    assert s3.head_object(Bucket="demo-bucket", Key=key)["ContentLength"] > 0
