"""Links, forms and chunks that real clients sign, and what others make of them."""

import hashlib
import hmac
import http.client
import json
import socket
import time
import urllib.error
import urllib.request
import uuid
from urllib.parse import urlsplit

import boto3
import pytest
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.client import Config
from botocore.exceptions import ClientError
from serving import PATIENCE, Service

MEGABYTE = 1 << 20
REPLAY_S = 10  # Until a request counts as a recorded one.
# By default, boto3 signs URLs and forms for us-east-1 with version 2.
VERSIONS = {"default": None, "v4": Config(signature_version="s3v4")}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("presigned")).start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


def session_of(service: Service) -> boto3.Session:
    names = ("aws_access_key_id", "aws_secret_access_key")
    lines = (service.data / "credentials").read_text().splitlines()
    pairs = dict(line.split(" = ", 1) for line in lines if " = " in line)
    return boto3.Session(*(pairs[name] for name in names), region_name="us-east-1")


@pytest.fixture(scope="module")
def s3(service):
    client = session_of(service).client("s3", endpoint_url=service.endpoint)
    client.create_bucket(Bucket="links")
    return client


@pytest.fixture(params=VERSIONS)
def signer(request, service, s3):
    return session_of(service).client(
        "s3", endpoint_url=service.endpoint, config=VERSIONS[request.param]
    )


def send(url, method="GET", body=None, headers=None):
    request = urllib.request.Request(url, body, headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def test_a_link_gives_the_object_as_it_asks(s3, signer):
    key = "runs/a b/ü+~(1)=&;,.txt"
    s3.put_object(Bucket="links", Key=key, Body=b"hello", ContentType="text/x")
    wanted = {
        "ResponseContentType": "text/plain; charset=utf-8",
        "ResponseContentDisposition": 'attachment; filename="x.txt"',
        "ResponseCacheControl": "no-store",
    }
    url = signer.generate_presigned_url("get_object", {"Bucket": "links", "Key": key, **wanted})
    status, headers, body = send(url)
    assert (status, body) == (200, b"hello"), body
    assert headers["Content-Type"] == wanted["ResponseContentType"]
    assert headers["Content-Disposition"] == wanted["ResponseContentDisposition"]
    assert headers["Cache-Control"] == "no-store"
    assert send(url)[0] == 200, "as often as one likes"
    for changed in (url.replace("no-store", "public"), url + "&acl", url.replace("links", "other")):
        status, _, body = send(changed)
        assert status == 403 and b"SignatureDoesNotMatch" in body, changed


def test_a_link_that_has_expired_says_so(s3, signer):
    s3.put_object(Bucket="links", Key="old", Body=b"x")
    params = {"Bucket": "links", "Key": "old"}
    url = signer.generate_presigned_url("get_object", params, ExpiresIn=1)
    time.sleep(2.1)
    status, _, body = send(url)
    assert status == 403
    assert b"<Code>AccessDenied</Code><Message>Request has expired</Message>" in body


def test_a_link_takes_an_object(s3, signer):
    params = {"Bucket": "links", "Key": "put", "ContentType": "text/x"}
    url = signer.generate_presigned_url("put_object", params)
    assert send(url, "PUT", b"by link", {"Content-Type": "text/x"})[0] == 200
    assert s3.get_object(Bucket="links", Key="put")["Body"].read() == b"by link"


def test_no_object_is_a_page_of_the_dashboard(s3, signer):
    page = b"<script>document.title = 'script ran'</script>"
    s3.put_object(Bucket="links", Key="page", Body=page, ContentType="text/plain")
    for kind in ("text/html", "image/svg+xml", "application/xml"):
        params = {
            "Bucket": "links",
            "Key": "page",
            "ResponseContentType": kind,
            "ResponseContentDisposition": "inline",
        }
        status, headers, body = send(signer.generate_presigned_url("get_object", params))
        assert (status, body) == (200, page)
        assert headers["Content-Type"] == kind
        assert headers["Content-Disposition"] == "attachment"
        assert headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
        assert headers["X-Content-Type-Options"] == "nosniff"


def form(fields: dict, file: bytes, name: str = "photo.txt") -> tuple:
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
        for field, value in fields.items()
    ]
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    )
    body = "".join(parts).encode() + file + f"\r\n--{boundary}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={boundary}"}


def test_a_form_uploads_a_file(s3, signer):
    made = signer.generate_presigned_post(
        "links",
        "user/${filename}",
        Fields={"Content-Type": "text/x", "success_action_status": "201"},
        Conditions=[
            ["starts-with", "$Content-Type", "text/"],
            {"success_action_status": "201"},
            ["content-length-range", 1, 10],
        ],
    )
    status, _, body = send(made["url"], "POST", *form(made["fields"], b"hello"))
    assert status == 201 and b"<Key>user/photo.txt</Key>" in body, body
    stored = s3.get_object(Bucket="links", Key="user/photo.txt")
    assert (stored["Body"].read(), stored["ContentType"]) == (b"hello", "text/x")
    status, _, body = send(made["url"], "POST", *form(made["fields"], b"much too long"))
    assert status == 400 and b"EntityTooLarge" in body
    for field, value in (
        ("key", "elsewhere"),
        ("Content-Type", "image/png"),
        ("x-amz-meta-a", "1"),
    ):
        fields = {**made["fields"], field: value}
        status, _, body = send(made["url"], "POST", *form(fields, b"hello"))
        assert status == 403 and b"AccessDenied" in body, (field, body)
    fields = {**made["fields"], "policy": made["fields"]["policy"][:-4] + "AAAA"}
    status, _, body = send(made["url"], "POST", *form(fields, b"hello"))
    assert status == 403 and b"SignatureDoesNotMatch" in body


def test_a_form_that_has_expired_is_refused(signer):
    made = signer.generate_presigned_post("links", "late", ExpiresIn=1)
    time.sleep(2.1)
    status, _, body = send(made["url"], "POST", *form(made["fields"], b"hello"))
    assert status == 403 and b"Policy expired" in body


def test_small_parts_are_refused_but_for_the_last(s3):
    upload = s3.create_multipart_upload(Bucket="links", Key="big")["UploadId"]

    def part(number, size):
        answer = s3.upload_part(
            Bucket="links", Key="big", UploadId=upload, PartNumber=number, Body=b"x" * size
        )
        return {"PartNumber": number, "ETag": answer["ETag"]}

    parts = [part(1, 5 * MEGABYTE - 1), part(2, 5 * MEGABYTE), part(3, 1)]

    def complete(chosen):
        s3.complete_multipart_upload(
            Bucket="links", Key="big", UploadId=upload, MultipartUpload={"Parts": chosen}
        )

    with pytest.raises(ClientError) as refused:
        complete(parts)
    assert refused.value.response["Error"]["Code"] == "EntityTooSmall"
    complete(parts[1:])
    assert s3.head_object(Bucket="links", Key="big")["ContentLength"] == 5 * MEGABYTE + 1


class ChunkAuth(S3SigV4Auth):
    """Signs the head as botocore does, for a body in signed chunks."""

    def payload(self, request):
        return "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"

    def add_auth(self, request):
        super().add_auth(request)
        self.seed = request.headers["Authorization"].rsplit("Signature=", 1)[1]

    def chunks(self, request, data: bytes, size: int) -> bytes:
        """As Java's and Go's SDKs and older clients send it."""
        scope = self.credential_scope(request)
        key = f"AWS4{self.credentials.secret_key}".encode()
        for word in scope.split("/"):
            key = hmac.new(key, word.encode(), hashlib.sha256).digest()
        body, before, empty = b"", self.seed, hashlib.sha256(b"").hexdigest()
        for at in range(0, len(data) + size, size):
            piece = data[at : at + size]
            text = "\n".join(
                [
                    "AWS4-HMAC-SHA256-PAYLOAD",
                    request.context["timestamp"],
                    scope,
                    before,
                    empty,
                    hashlib.sha256(piece).hexdigest(),
                ]
            )
            before = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
            body += f"{len(piece):x};chunk-signature={before}\r\n".encode() + piece + b"\r\n"
            if not piece:
                break
        return body


def put_in_chunks(service, key, data, change=lambda body: body):
    request = AWSRequest("PUT", f"{service.endpoint}/links/{key}", data=b"")
    request.headers["x-amz-decoded-content-length"] = str(len(data))
    request.headers["Content-Encoding"] = "aws-chunked"
    signer = ChunkAuth(session_of(service).get_credentials(), "s3", "us-east-1")
    signer.add_auth(request)
    body = change(signer.chunks(request, data, 64 * 1024))
    return send(request.url, "PUT", body, dict(request.headers.items()))


def test_signed_chunks_are_checked_and_accepted(service, s3):
    data = bytes(range(256)) * 1000
    status, _, body = put_in_chunks(service, "chunks", data)
    assert status == 200, body
    assert s3.get_object(Bucket="links", Key="chunks")["Body"].read() == data
    assert "ContentEncoding" not in s3.head_object(Bucket="links", Key="chunks")

    def flip(body):
        at = len(body) // 2
        return body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]

    status, _, body = put_in_chunks(service, "forged", data, flip)
    assert status == 403 and b"SignatureDoesNotMatch" in body
    with pytest.raises(ClientError):
        s3.head_object(Bucket="links", Key="forged")


def test_a_recorded_put_cannot_be_sent_again(service, s3):
    def again():
        return send(request.url, "PUT", b"first", dict(request.headers.items()))

    for _ in range(10):
        request = AWSRequest("PUT", f"{service.endpoint}/links/replayed", data=b"first")
        S3SigV4Auth(session_of(service).get_credentials(), "s3", "us-east-1").add_auth(request)
        begun = time.monotonic()
        assert again()[0] == 200
        tried_again = again()[0]
        if time.monotonic() - begun < REPLAY_S:
            break  # Not paused in between.
    assert tried_again == 200, "a client that got no answer tries again"
    s3.put_object(Bucket="links", Key="replayed", Body=b"second")
    time.sleep(max(0, begun + REPLAY_S + 0.5 - time.monotonic()))
    status, _, body = again()
    assert status == 403 and b"AccessDenied" in body
    assert s3.get_object(Bucket="links", Key="replayed")["Body"].read() == b"second"
    lines = map(json.loads, (service.data / "audit.log").read_text().splitlines())
    outcomes = [line["outcome"] for line in lines if line["resource"] == "links/replayed"]
    assert outcomes[-2:] == ["begun", "AccessDenied"]


def test_equal_requests_within_a_second_are_not_replays(s3):
    for _ in range(20):
        s3.put_object(Bucket="links", Key="same", Body=b"same")
        s3.delete_object(Bucket="links", Key="same")
    s3.put_object(Bucket="links", Key="same", Body=b"same")
    assert s3.get_object(Bucket="links", Key="same")["Body"].read() == b"same"


@pytest.mark.parametrize(
    "head",
    [
        "POST / HTTP/1.1\r\nX-Amz-Target: SageMaker.ListTrainingJobs\r\n",
        "PUT /links/slow HTTP/1.1\r\n",
        "POST / HTTP/1.1\r\nAuthorization: Bearer wrong\r\n",
        "POST /-/api/runs/mine/marks HTTP/1.1\r\n",
        "POST /-/api/runs/mine/marks HTTP/1.1\r\nAuthorization: Bearer wrong\r\n",
        "POST /-/api/runs/mine/marks HTTP/1.1\r\nX-Warden-Session: wrong\r\n",
        "POST /-/api/session/ticket HTTP/1.1\r\n",
    ],
)
def test_nobody_without_a_key_has_us_wait_for_a_body(service, head):
    address = urlsplit(service.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as raw:
        raw.sendall(f"{head}Host: {address.netloc}\r\nContent-Length: 60000\r\n\r\n".encode())
        answer = http.client.HTTPResponse(raw)
        raw.settimeout(0.25)
        for _ in range(4 * PATIENCE):  # Far fewer bytes than it was told of.
            raw.sendall(b"x")
            try:
                if raw.recv(1, socket.MSG_PEEK):
                    break
            except TimeoutError:
                continue
        raw.settimeout(1)
        answer.begin()
        assert answer.status in (400, 401, 403)
