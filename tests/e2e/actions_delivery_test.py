"""Actions that send: what real servers get of them."""

import hashlib
import hmac
import json
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from actions_peers import (
    FIRING,
    PROGRAM,
    HttpPeer,
    environment,
    run_actions,
    states,
    write_request,
)
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

AWS = {
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    "AWS_REGION": "eu-west-1",
}


def expected_authorization(request, service: str, settings: dict) -> str:
    """What botocore signs the same request with, at the same time."""
    given = request.headers["Authorization"]
    signed = given.split("SignedHeaders=")[1].split(",")[0].split(";")
    lower = {name.lower(): value for name, value in request.headers.items()}
    signer = SigV4Auth(
        Credentials(settings["AWS_ACCESS_KEY_ID"], settings["AWS_SECRET_ACCESS_KEY"]),
        service,
        settings["AWS_REGION"],
    )
    copy = AWSRequest(
        "POST",
        f"http://{lower['host']}{request.path}",
        headers={name: lower[name] for name in signed},
        data=request.body,
    )
    copy.context["timestamp"] = lower["x-amz-date"]
    canonical = signer.canonical_request(copy)
    signature = signer.signature(signer.string_to_sign(copy, canonical), copy)
    return (
        f"AWS4-HMAC-SHA256 Credential={signer.scope(copy)}, "
        f"SignedHeaders={';'.join(signed)}, Signature={signature}"
    )


@pytest.mark.parametrize("token", [{}, {"AWS_SESSION_TOKEN": "a/session+token=="}])
def test_an_sms_is_published_and_signed(tmp_path, token):
    with HttpPeer() as peer:
        settings = AWS | token | {"WARDEN_SNS_ENDPOINT": peer.url}
        lines = run_actions(tmp_path, [{"name": "sms", "endpoint": "+12223334444"}], settings)
    assert states(lines) == ["done"], lines
    (request,) = peer.requests
    form = dict(urllib.parse.parse_qsl(request.body.decode()))
    assert form["Action"] == "Publish"
    assert form["Version"] == "2010-03-31"
    assert form["PhoneNumber"] == "+12223334444"
    assert form["Message"].startswith("SMDebugRule:VanishingGradient fired. ")
    assert "1e-9 € < 1e-7" in form["Message"]
    assert request.headers["Authorization"] == expected_authorization(request, "sns", settings)
    assert request.headers.get("X-Amz-Security-Token") == token.get("AWS_SESSION_TOKEN")


def test_a_metric_is_put_and_signed(tmp_path):
    with HttpPeer() as peer:
        settings = AWS | {"WARDEN_CLOUDWATCH_ENDPOINT": peer.url + "/"}
        action = {"name": "publishmetric", "target": "cloudwatch", "namespace": "My/Own"}
        lines = run_actions(tmp_path, [action], settings)
    assert states(lines) == ["done"], lines
    (request,) = peer.requests
    form = dict(urllib.parse.parse_qsl(request.body.decode()))
    assert form["Action"] == "PutMetricData"
    assert form["Namespace"] == "My/Own"
    assert form["MetricData.member.1.Dimensions.member.1.Value"] == "demo-001"
    assert form["MetricData.member.1.Timestamp"] == "2026-01-02T03:04:05Z"
    authorization = expected_authorization(request, "monitoring", settings)
    assert request.headers["Authorization"] == authorization


def test_a_webhook_gets_the_event_signed(tmp_path):
    with HttpPeer() as peer:
        action = {"name": "webhook", "url": peer.url + "/Hook?x=1", "secret_env": "MY_KEY"}
        lines = run_actions(tmp_path, [action], {"MY_KEY": "word"})
    assert states(lines) == ["done"], lines
    (request,) = peer.requests
    assert request.path == "/Hook?x=1"
    assert request.headers["Content-Type"] == "application/json"
    digest = hmac.new(b"word", request.body, hashlib.sha256).hexdigest()
    assert request.headers["X-Warden-Signature"] == f"sha256={digest}"
    event = json.loads(request.body)
    assert request.headers["Idempotency-Key"] == event["id"]
    assert event["detail-type"] == "SageMaker Training Job State Change"
    (status,) = event["detail"]["DebugRuleEvaluationStatuses"]
    assert status["RuleEvaluationStatus"] == "IssuesFound"
    assert event["detail"]["Finding"] == FIRING["finding"]


def test_a_webhook_is_tried_again_with_the_same_key(tmp_path):
    with HttpPeer(answers=[(503, {}), (429, {"Retry-After": "1"}), (500, {})]) as peer:
        begin = time.monotonic()
        action = {"name": "webhook", "url": peer.url}
        lines = run_actions(tmp_path, [action], waits_ms=[10, 10, 10])
        took = time.monotonic() - begin
    assert states(lines) == ["failed", "failed", "failed", "done"], lines
    assert lines[1]["next_try_ms"] == 1000
    assert took >= 1
    assert len({request.headers["Idempotency-Key"] for request in peer.requests}) == 1
    assert len({request.body for request in peer.requests}) == 1
    assert all("X-Warden-Signature" not in request.headers for request in peer.requests)


@pytest.mark.parametrize("code", [400, 404, 301])
def test_a_webhook_that_is_refused_is_given_up(tmp_path, code):
    with HttpPeer(answers=[(code, {"Location": "/elsewhere"})]) as peer:
        action = {"name": "webhook", "url": peer.url + "/secret"}
        lines = run_actions(tmp_path, [action], waits_ms=[10])
    assert states(lines) == ["gave_up"]
    assert len(peer.requests) == 1
    assert lines[-1]["left"][0]["reason"] == f"{peer.url} answered {code}"


def test_nobody_there_is_tried_again_until_given_up(tmp_path):
    action = {"name": "webhook", "url": "http://127.0.0.1:1/"}
    lines = run_actions(tmp_path, [action], waits_ms=[10, 10])
    assert states(lines) == ["failed", "failed", "gave_up"]


def test_prometheus_fetches_metrics(tmp_path):
    settings = {"WARDEN_PROMETHEUS_LISTEN": "127.0.0.1:0"}
    action = {"name": "publishmetric", "target": "prometheus"}
    process = subprocess.Popen(
        [PROGRAM, write_request(tmp_path, [action], hold=True)],
        env=environment(**settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [json.loads(process.stdout.readline()) for _ in range(2)]
    port = next(line["metrics_port"] for line in lines if "metrics_port" in line)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{port}/metrics", timeout=120) as answer:
        page = answer.read().decode()
    assert 'warden_rule_firings_total{job="demo-001",rule="MyGradients"} 1\n' in page
    with pytest.raises(urllib.error.HTTPError, match="404"):
        opener.open(f"http://127.0.0.1:{port}/", timeout=120)
    process.communicate(timeout=300)
    assert process.returncode == 0


def test_secrets_are_shown_nowhere(tmp_path):
    secret = "wJalrXUtnFEMI"
    journal = tmp_path / "actions.jsonl"
    settings = AWS | {
        "WARDEN_SNS_ENDPOINT": "http://127.0.0.1:1",
        "WARDEN_WEBHOOK_SECRET": "hunter2",
        "WARDEN_SMTP_URL": "smtp://127.0.0.1:1",
        "WARDEN_SMTP_FROM": "warden@example.com",
        "WARDEN_SMTP_USER": "me",
        "WARDEN_SMTP_PASSWORD": "hunter2",
    }
    actions = [
        {"name": "sms", "endpoint": "+12223334444"},
        {"name": "webhook", "url": "http://127.0.0.1:1/"},
        {"name": "email", "endpoint": "a@b.com"},
    ]
    lines = run_actions(tmp_path, actions, settings, journal=str(journal))
    shown = json.dumps(lines) + journal.read_text()
    assert states(lines) == ["gave_up"] * 3
    assert secret not in shown
    assert "hunter2" not in shown
