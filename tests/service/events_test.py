"""Who is told of events: webhooks, commands, files, mailboxes and live pages of a real service."""

import contextlib
import email
import email.policy
import hashlib
import hmac
import http.client
import json
import os
import subprocess
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from aiosmtpd.controller import Controller
from serving import PATIENCE, PYTHON, WARDEN, Service, debug_rule, is_over, script_job

from support.ports import free_port

SECRET = "hunter2"
DEBUG_HOOK = {
    "S3OutputPath": "s3://demo-bucket/out",
    "CollectionConfigurations": [
        {"CollectionName": "gradients", "CollectionParameters": {"save_interval": "10"}}
    ],
}


class WebPeer:
    """An HTTP server that keeps what it gets, and answers with the code it was given last."""

    def __init__(self):
        self.code, self.requests = 200, []

    def __enter__(self):
        peer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                code = peer.code
                peer.requests.append((code, dict(self.headers.items()), body))
                self.send_response(code)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def taken(self) -> list:
        """The events that were answered with 200."""
        return [json.loads(body) for code, _, body in list(self.requests) if code == 200]


class Mailbox:
    """Takes mail for all but one."""

    def __init__(self):
        self.mails = []

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("gone@"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append((envelope.rcpt_tos, message))
        return "250 OK"


@pytest.fixture
def serve(tmp_path):
    """Starts a service with these receivers."""
    started = []

    def start(*receivers: dict) -> Service:
        file = tmp_path / "events.json"
        file.write_text(json.dumps({"receivers": receivers}))
        started.append(Service(tmp_path, "--events", str(file)).start())
        return started[-1]

    yield start
    for service in started:
        running = service.call("ListTrainingJobs", StatusEquals="InProgress")
        for job in running["TrainingJobSummaries"]:
            service.call("StopTrainingJob", TrainingJobName=job["TrainingJobName"])
            service.wait_until_over(job["TrainingJobName"])
        service.stop()


def wait_for(condition, service: Service):
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, service.log.read_text()
        time.sleep(0.05)
    return found


@contextlib.contextmanager
def live(service: Service, after=None, last_id=None):
    """Yields events as they come, with their numbers, until the service goes."""
    url = service.endpoint + "/-/events" + (f"?after={after}" if after is not None else "")
    headers = {"Authorization": f"Bearer {service.token()}"}
    if last_id is not None:
        headers["Last-Event-ID"] = str(last_id)
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream"
        assert answer.readline() == b"retry: 2000\n", "it says at once that it listens"

        def read():
            number = None
            with contextlib.suppress(ConnectionError, http.client.HTTPException):
                for line in answer:
                    if not line.endswith(b"\n"):
                        return  # The service went in the middle of it.
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name == "id":
                        number = int(value)
                    elif name == "data":
                        yield number, json.loads(value)

        yield read()


def until(events, name: str, status: str) -> list:
    """The events up to the one with which the job has this status."""
    taken = []
    for number, event in events:
        taken.append((number, event))
        detail = event["detail"]
        if (detail.get("TrainingJobName"), detail.get("TrainingJobStatus")) == (name, status):
            return taken
    raise AssertionError(f"the service went before {name} was {status}: {taken}")


def history(service: Service) -> list:
    """All events there are; the last job's are over."""
    with live(service, after=0) as events:
        return [event for _, event in until(events, "last", "Completed")]


def run_last(service: Service) -> None:
    service.call("CreateTrainingJob", **script_job("last", "quick.py"))
    service.wait_until_over("last")


def is_end_of_last(event: dict) -> bool:
    detail = event["detail"]
    return detail.get("TrainingJobName") == "last" and detail["TrainingJobStatus"] == "Completed"


def without_repeats(events: list) -> list:
    """An event may come again right after itself."""
    return [e for i, e in enumerate(events) if i == 0 or e["id"] != events[i - 1]["id"]]


def test_a_webhook_gets_each_event_signed_and_again_if_it_was_busy(serve, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text(SECRET + "\n")
    secret.chmod(0o600)
    with WebPeer() as peer:
        peer.code = 503
        service = serve({"name": "chat", "webhook": peer.url, "secret_file": str(secret)})
        run_last(service)
        wait_for(lambda: len(peer.requests) >= 2, service)
        assert len({body for _, _, body in peer.requests}) == 1, "none is passed over"
        peer.code = 200
        wait_for(lambda: any(map(is_end_of_last, peer.taken())), service)
        assert without_repeats(peer.taken()) == history(service)
        for _, headers, body in peer.requests:
            signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
            assert headers["X-Warden-Signature"] == f"sha256={signature}"
            assert headers["Idempotency-Key"] == json.loads(body)["id"]
            assert headers["Content-Type"] == "application/json"


def test_killed_and_started_again_it_loses_nothing_and_keeps_the_order(serve, tmp_path):
    file = tmp_path / "told.jsonl"
    with WebPeer() as peer:
        peer.code = 503
        service = serve({"name": "file", "file": str(file)}, {"name": "slow", "webhook": peer.url})
        for number in range(4):
            service.call("CreateTrainingJob", **script_job(f"job-{number}", "quick.py"))
        wait_for(lambda: peer.requests and file.exists(), service)
        service.kill()
        service.start()
        for number in range(4):
            service.wait_until_over(f"job-{number}")
        service.kill()
        service.start()
        peer.code = 200
        run_last(service)
        told = history(service)
        assert {e["detail"]["TrainingJobName"] for e in told} == {
            "last",
            *(f"job-{number}" for number in range(4)),
        }
        wait_for(lambda: any(map(is_end_of_last, peer.taken())), service)
        assert without_repeats(peer.taken()) == told

        def lines():
            return [json.loads(line) for line in file.read_text().splitlines()]

        wait_for(lambda: is_end_of_last(lines()[-1]), service)
        assert without_repeats(lines()) == told


def test_a_command_gets_the_event_and_reaches_the_service(serve, tmp_path, monkeypatch):
    # Keys with which the service sends SMS would take precedence over those for this service.
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "sends-sms")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    script, file = tmp_path / "handler.py", tmp_path / "handled.jsonl"
    # Its own client: what a command is told must be enough to ask the service.
    script.write_text(
        "import json, os, sys, boto3\n"
        "event = json.load(sys.stdin)\n"
        "url = os.environ['AWS_ENDPOINT_URL']\n"
        "client = boto3.client('sagemaker', endpoint_url=url)\n"
        "job = client.describe_training_job(TrainingJobName=os.environ['WARDEN_JOB'])\n"
        "variables = {n: os.environ[n] for n in os.environ if n.startswith('WARDEN_EVENT_')}\n"
        "with open(sys.argv[1], 'a') as file:\n"
        "    file.write(json.dumps([event, url, variables, job['TrainingJobStatus']]) + '\\n')\n"
    )
    service = serve(
        {
            "name": "handler",
            "command": [str(PYTHON), str(script), str(file)],
            "pattern": {"detail": {"TrainingJobStatus": ["Completed"]}},
        }
    )
    run_last(service)
    wait_for(lambda: file.exists() and file.read_text().endswith("\n"), service)
    (line,) = file.read_text().splitlines()
    event, url, variables, status = json.loads(line)
    assert event == history(service)[-1]
    assert url == service.endpoint, "the port that was free"
    assert status == "Completed"
    assert variables["WARDEN_EVENT_ID"] == event["id"]
    assert variables["WARDEN_EVENT_TYPE"] == "SageMaker Training Job State Change"
    assert int(variables["WARDEN_EVENT_NUMBER"]) == len(history(service))


@pytest.fixture
def mailbox(monkeypatch):
    port = free_port()
    box = Mailbox()
    controller = Controller(box, hostname="127.0.0.1", port=port, ready_timeout=PATIENCE)
    controller.start()
    monkeypatch.setenv("WARDEN_SMTP_URL", f"smtp://127.0.0.1:{port}")
    monkeypatch.setenv("WARDEN_SMTP_FROM", "warden@example.com")
    monkeypatch.setenv("WARDEN_SMTP_STARTTLS", "off")
    yield box
    controller.stop()


def test_people_get_mail_of_what_matters(serve, mailbox):
    service = serve(
        {"name": "people", "mail": ["me@example.org", "gone@example.org"]},
        {
            "name": "curious",
            "mail": "other@example.org",
            "pattern": {"detail": {"TrainingJobName": ["last"]}},
        },
    )
    stop = json.dumps([{"name": "stoptraining", "training_job_prefix": "sigmoids"}])
    service.call(
        "CreateTrainingJob",
        **script_job(
            "sigmoids",
            "vanishing.py",
            DebugHookConfig=DEBUG_HOOK,
            DebugRuleConfigurations=[
                {
                    **debug_rule("VanishingGradient", threshold="0.0001", action_json=stop),
                    "RuleConfigurationName": "Gradients",
                }
            ],
        ),
    )
    failing = script_job(
        "failing",
        "quick.py",
        HyperParameters={"fail": "3"},
        DebugHookConfig=DEBUG_HOOK,
        DebugRuleConfigurations=[debug_rule("Overfit")],
    )
    service.call("CreateTrainingJob", **failing)
    service.wait_until_over("failing")
    service.wait_until_over("sigmoids")
    run_last(service)

    def of(address):
        return {mail["Subject"]: mail for to, mail in list(mailbox.mails) if to == [address]}

    last = "Training job last completed"
    wait_for(lambda: last in of("me@example.org") and last in of("other@example.org"), service)
    mine = of("me@example.org")
    (found,) = (subject for subject in mine if subject.startswith("Training job sigmoids: problem"))
    stopped = "Training job sigmoids was stopped"
    failed = "Training job failing failed"
    error = "Training job failing: rule Overfit failed"
    assert set(mine) == {found, stopped, failed, error, last}
    assert len(mine) == sum(to == ["me@example.org"] for to, _ in mailbox.mails), "each once"
    assert "Rule:    Gradients" in mine[found].get_content()
    assert "\r\n\r\ngradient/" in mine[found].get_content()
    assert "- Gradients: IssuesFound" in mine[stopped].get_content()
    assert service.describe("failing")["FailureReason"].split("\n")[0] in (
        mine[failed].get_content()
    )
    (overfit,) = service.describe("failing")["DebugRuleEvaluationStatuses"]
    assert overfit["StatusDetails"].split("\n")[0] in mine[error].get_content()
    ids = {event["id"] for event in history(service)}
    for mail in mine.values():
        assert mail["To"] == "me@example.org"
        assert mail["Message-ID"].removeprefix("<").removesuffix("@example.com>") in ids
    # Who says which events gets all of those.
    assert len(of("other@example.org")) > 1


def rule_of_nan(name: str, collection: str, **parameters: str) -> dict:
    rule = debug_rule("ExplodingTensor", collection_names=collection, **parameters)
    return {**rule, "RuleConfigurationName": name}


def job_with_nan(name: str, *rules: dict) -> dict:
    """One batch of NaN, at step 12, and four rules that find what comes of it."""
    saved = [
        {"CollectionName": collection, "CollectionParameters": {"save_interval": "1"}}
        for collection in ("weights", "gradients", "losses")
    ]
    return script_job(
        name,
        "nan_batch.py",
        DebugHookConfig={
            "S3OutputPath": "s3://demo-bucket/out",
            "CollectionConfigurations": saved,
        },
        DebugRuleConfigurations=[
            rule_of_nan("BadWeights", "weights"),
            rule_of_nan("BadGradients", "gradients"),
            debug_rule("NaNOrigin"),
            debug_rule("AllZero", collection_names="weights"),
            *rules,
        ],
    )


def page_of(service: Service, name: str) -> dict:
    """What the job's page in the dashboard asks for."""
    request = urllib.request.Request(
        f"{service.endpoint}/-/api/runs/{name}",
        headers={"Authorization": f"Bearer {service.token()}"},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())


def check_incident_of_nan(service: Service, name: str, rules: set) -> None:
    """Statuses are those of each rule; what is wrong is one thing."""
    job = service.describe(name)
    statuses = {rule["RuleConfigurationName"]: rule for rule in job["DebugRuleEvaluationStatuses"]}
    healthy = statuses.pop("AllZero")
    assert healthy["RuleEvaluationStatus"] == "NoIssuesFound"
    assert "StatusDetails" not in healthy
    assert set(statuses) == rules
    for rule, status in statuses.items():
        assert status["RuleEvaluationStatus"] == "IssuesFound", rule
        of = "NaNOrigin" if rule == "NaNOrigin" else "ExplodingTensor"
        step = 13 if rule == "BadWeights" else 12
        assert status["StatusDetails"] == (
            f"RuleEvaluationConditionMet: Evaluation of the rule {of} at step {step} resulted in "
            "the condition being met\n"
        )
    assert "Incident" not in json.dumps(job)
    page = page_of(service, name)
    (incident,) = page["incidents"]
    assert incident["rule"] == "NaNOrigin"
    assert incident["step"] == 12
    assert {effect["rule"] for effect in incident["effects"]} == rules - {"NaNOrigin"}
    assert page["incident_counts"] == {"problem": 1, "warning": 0, "note": 0}
    assert incident["findings"] == sum(len(rule["findings"]) for rule in page["rules_seen"])
    (event,) = (e for e in history(service) if e["detail-type"] == "Training Job Incident")
    assert event["source"] == "tensorwarden"
    assert event["detail"]["TrainingJobName"] == name
    assert event["detail"]["Incident"]["rule"] in rules


def warden_says(service: Service, *words: str) -> "tuple[int, str]":
    """The exit code and the output of a command of the service's user."""
    environment = service.environment(HOME=str(service.folder / "home"))
    for name in ("XDG_CONFIG_HOME", "WARDEN_ENDPOINT", "WARDEN_TOKEN_FILE"):
        environment.pop(name, None)
    done = subprocess.run(
        [str(WARDEN), *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_one_nan_is_one_incident_of_a_job_and_one_message(serve, mailbox):
    with WebPeer() as peer:
        service = serve(
            {"name": "people", "mail": "me@example.org"},
            {
                "name": "chat",
                "webhook": peer.url,
                "pattern": {"detail-type": ["Training Job Incident"]},
            },
        )
        # What a rule's own configuration asks for is the rule's alone.
        own = json.dumps([{"name": "email", "endpoint": "rule@example.org"}])
        losses = rule_of_nan("BadLosses", "losses", action_json=own)
        service.call("CreateTrainingJob", **job_with_nan("nan", losses))
        service.wait_until_over("nan")
        run_last(service)

        def of(address):
            return [mail for to, mail in list(mailbox.mails) if to == [address]]

        def subjects(address):
            return [mail["Subject"] for mail in of(address)]

        last = "Training job last completed"
        wait_for(lambda: last in subjects("me@example.org") and peer.taken(), service)
        wait_for(lambda: of("rule@example.org"), service)
        check_incident_of_nan(
            service, "nan", {"BadWeights", "BadGradients", "NaNOrigin", "BadLosses"}
        )
        page = page_of(service, "nan")
        code, said = warden_says(service, "jobs", "incidents", "nan", "--json")
        assert code == 3, "problems were found"
        assert json.loads(said)["incidents"] == page["incidents"]
        findings = {rule["name"]: rule["findings"] for rule in json.loads(said)["rules"]}
        assert findings == {rule["name"]: rule["findings"] for rule in page["rules_seen"]}
        code, said = warden_says(service, "jobs", "incidents", "nan")
        assert (code, said.splitlines()[0]) == (3, "1 problem found")
        assert "NaNOrigin  since step 12" in said or "NaNOrigin  1 tensor at step 12" in said, said
        assert "1 problem found" in warden_says(service, "jobs", "show", "nan")[1]
        assert warden_says(service, "jobs", "incidents", "last") == (0, "")
        incidents = [text for text in subjects("me@example.org") if " since step 1" in text]
        (incident,) = incidents
        assert incident.startswith("Training job nan: problem since step 1")
        others = {last, "Training job nan completed"}
        assert sorted(subjects("me@example.org")) == sorted([incident, *others])
        assert "\r\nTry: " in of("me@example.org")[0].get_content()
        (posted,) = peer.taken()
        assert posted["detail"]["Incident"]["headline"] in of("me@example.org")[0].get_content()
        (mail,) = of("rule@example.org")
        assert mail["Subject"].startswith("SMDebugRule:ExplodingTensor fired")


def test_an_incident_is_told_once_whenever_the_service_is_killed(serve, mailbox):
    service = serve({"name": "people", "mail": "me@example.org"})
    service.call("CreateTrainingJob", **job_with_nan("nan"))
    while not is_over(service.describe("nan")):
        time.sleep(0.4)
        service.kill()
        service.start()
    run_last(service)

    def subjects():
        return [mail["Subject"] for _, mail in list(mailbox.mails)]

    wait_for(lambda: "Training job last completed" in subjects(), service)
    check_incident_of_nan(service, "nan", {"BadWeights", "BadGradients", "NaNOrigin"})
    # A mail that was sent at the moment of a kill comes twice, with the same id.
    told = {
        mail["Message-ID"] for _, mail in list(mailbox.mails) if " since step 1" in mail["Subject"]
    }
    assert len(told) == 1
    assert not any("found problems" in subject for subject in subjects())


def test_live_pages_get_history_and_what_happens_also_over_a_restart(serve):
    service = serve()
    with live(service) as events:
        service.call("CreateTrainingJob", **script_job("first", "quick.py"))
        seen = until(events, "first", "Completed")
    assert [number for number, _ in seen] == list(range(1, len(seen) + 1))
    with live(service, last_id=1) as events:
        assert until(events, "first", "Completed") == seen[1:]
    with live(service, after=len(seen)) as events:
        service.call("CreateTrainingJob", **script_job("second", "quick.py"))
        seen.append(next(events))
        service.kill()
        seen += events
    service.start()
    # As a browser does: where it was, whatever the address said.
    with live(service, after=0, last_id=seen[-1][0]) as events:
        seen += until(events, "second", "Completed")
    assert [number for number, _ in seen] == list(range(1, len(seen) + 1))
    with live(service, after=0) as events:
        assert until(events, "second", "Completed") == seen


@pytest.mark.parametrize("query", ["after=x", "after=-1", "after=99999999999999999999"])
def test_live_pages_refuse_what_is_no_number(serve, query):
    service = serve()
    request = urllib.request.Request(
        f"{service.endpoint}/-/events?{query}",
        headers={"Authorization": f"Bearer {service.token()}"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=PATIENCE)
    assert refused.value.code == 400
    assert "the number of an event" in json.loads(refused.value.read())["message"]


@pytest.mark.parametrize(
    ("receiver", "expected"),
    [
        ({"name": "b"}, "expected exactly one of: webhook, command, file, mail"),
        ({"name": "b", "webhook": "ftp://x"}, "webhook: "),
        ({"name": "b", "webhook": "http://x", "secret_file": "/none"}, "secret_file: "),
        ({"name": "b", "command": "ls"}, "command: expected a list such as"),
        ({"name": "b", "file": "told"}, "file is 'told'; expected an absolute path"),
        ({"name": "b", "file": "/x", "patern": {}}, "unknown member 'patern'; expected one of:"),
        ({"name": "b", "file": "/x", "pattern": {"a": "b"}}, "pattern.a: "),
        ({"name": "b", "mail": "me"}, 'mail: invalid address "me"; expected one such as name@'),
        ({"name": "b", "mail": "me@x.org"}, "mail: no mail server configured; set WARDEN_SMTP_URL"),
        ({"name": "a", "file": "/y"}, "duplicate name 'a'"),
    ],
)
def test_what_is_not_understood_keeps_it_from_starting(tmp_path, receiver, expected):
    file = tmp_path / "events.json"
    file.write_text(json.dumps({"receivers": [{"name": "a", "file": "/x"}, receiver]}))
    kept = {n: v for n, v in os.environ.items() if not n.startswith("WARDEN_")}
    command = [WARDEN, "serve", "--data", tmp_path / "data", "--listen", "127.0.0.1:0"]
    done = subprocess.run(
        [str(word) for word in [*command, "--events", file]],
        env={**kept, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    assert f"{file}: receiver 2: {expected}" in done.stderr
    assert done.stdout == ""
