"""Keys for S3 from the services of a cloud: an instance's role, a container's, a web identity.

They exist in Amazon's cloud alone, so their documented answers are given here; what they give opens
a real server."""

import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest
from serving import PATIENCE, ROOT, WARDEN

from support.buckets import KEY, SECRET, Buckets

RUN = ROOT / "tests/golden/pt_save_all/trial"
ROLES = "/latest/meta-data/iam/security-credentials/"
LATER = "2099-01-01T00:00:00Z"


class Cloud(BaseHTTPRequestHandler):
    """The services' answers, to those who ask as documented."""

    def answer(self, text: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def keys(self) -> str:
        return json.dumps({"AccessKeyId": KEY, "SecretAccessKey": SECRET, "Expiration": LATER})

    def do_PUT(self) -> None:
        asked = self.headers.get("X-aws-ec2-metadata-token-ttl-seconds")
        known = self.path == "/latest/api/token" and asked
        self.answer("a-session" if known else "", 200 if known else 400)

    def do_GET(self) -> None:
        in_session = self.headers.get("X-aws-ec2-metadata-token") == "a-session"
        if self.path == "/container" and self.headers.get("Authorization") == "a-token":
            self.answer(self.keys())
        elif self.path == ROLES and in_session:
            self.answer("trainers\n")
        elif self.path == ROLES + "trainers" and in_session:
            self.answer(self.keys())
        else:
            self.answer("", 401)

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        wanted = {"Action": ["AssumeRoleWithWebIdentity"], "WebIdentityToken": ["a b+c"]}
        if wanted.items() <= form.items() and form["RoleArn"] == ["arn:aws:iam::1:role/x"]:
            self.answer(
                "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
                f"<AccessKeyId>{KEY}</AccessKeyId><SecretAccessKey>{SECRET}</SecretAccessKey>"
                f"<Expiration>{LATER}</Expiration></Credentials>"
                "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"
            )
        else:
            self.answer("", 403)

    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="module")
def cloud():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Cloud)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A run, and the variables to find it with, but for keys."""
    server = Buckets(tmp_path_factory.mktemp("s3")).start()
    server.create("runs")
    variables = server.environment(WARDEN_S3_CACHE="off")
    upload = [WARDEN, "upload", str(RUN), "s3://runs/a"]
    subprocess.run(upload, env=variables, check=True, timeout=PATIENCE, capture_output=True)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_EC2_METADATA_DISABLED"):
        del variables[name]
    yield "s3://runs/a", variables
    server.kill()


def steps(place, **more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [WARDEN, "trial", "steps", place[0]],
        env={**place[1], **more},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_an_instance_has_a_role(place, cloud):
    done = steps(place, AWS_EC2_METADATA_SERVICE_ENDPOINT=cloud)
    assert done.returncode == 0, done.stderr


def test_a_container_has_a_role(place, cloud, tmp_path):
    (tmp_path / "token").write_text("a-token\n")
    full = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{cloud}/container"}
    done = steps(place, **full, AWS_CONTAINER_AUTHORIZATION_TOKEN="a-token")
    assert done.returncode == 0, done.stderr
    token = {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": str(tmp_path / "token")}
    assert steps(place, **full, **token).returncode == 0
    refused = steps(place, **full, AWS_CONTAINER_AUTHORIZATION_TOKEN="another")
    assert "the container's credentials answered with HTTP status 401" in refused.stderr


def test_a_web_identity_has_a_role(place, cloud, tmp_path):
    (tmp_path / "token").write_text("a b+c\n")
    identity = {
        "AWS_WEB_IDENTITY_TOKEN_FILE": str(tmp_path / "token"),
        "AWS_ENDPOINT_URL_STS": cloud,
    }
    done = steps(place, **identity, AWS_ROLE_ARN="arn:aws:iam::1:role/x")
    assert done.returncode == 0, done.stderr
    refused = steps(place, **identity, AWS_ROLE_ARN="arn:aws:iam::1:role/y")
    assert "role/y answered with HTTP status 403" in refused.stderr


def test_a_machine_that_is_no_instance_says_what_to_set(place):
    done = steps(place, AWS_EC2_METADATA_SERVICE_ENDPOINT="http://127.0.0.1:1")
    assert "set AWS_ACCESS_KEY_ID" in done.stderr
