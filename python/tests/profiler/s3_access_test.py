"""S3, by a real server on this machine."""

import subprocess
import sys

import pytest

from smdebug.core.access_layer import check_dir_exists
from smdebug.core.access_layer.s3 import TSAccessS3
from smdebug.core.access_layer.s3handler import (
    DeleteRequest,
    ListRequest,
    ReadObjectRequest,
    S3Handler,
)
from smdebug.core.access_layer.utils import (
    delete_s3_prefixes,
    has_training_ended,
    training_has_ended,
)
from smdebug.core.s3_utils import list_s3_objects
from smdebug.exceptions import SMDebugError, SMDebugTypeError


@pytest.fixture
def bucket(s3):
    s3.create_bucket(Bucket="bucket")
    for i in range(12):
        s3.put_object(Bucket="bucket", Key=f"run/{i:02}", Body=bytes([i]) * 10)
    return "bucket"


def test_listing(bucket):
    keys = [f"run/{i:02}" for i in range(12)]
    request = ListRequest(bucket, "run/")
    assert S3Handler.list_prefix(request) == keys
    assert S3Handler.list_prefixes([request, ListRequest(bucket, "x")]) == [keys, []]
    assert list_s3_objects(bucket, "run/", "run/09") == (["run/10", "run/11"], "run/11")
    assert list_s3_objects(bucket, "none/") == ([], None)
    assert S3Handler.list_prefix(ListRequest("no-such-bucket", "")) == []
    assert S3Handler.list_prefix(ListRequest(bucket, "", Delimiter="/")) == []
    with pytest.raises(SMDebugTypeError, match="expected a list of ListRequest"):
        S3Handler.list_prefixes(request)
    with pytest.raises(SMDebugTypeError, match="lr is str; expected a ListRequest"):
        S3Handler.list_prefix("run/")


def test_reading(bucket, tmp_path):
    path = f"s3://{bucket}/run/03"
    assert S3Handler.get_object(ReadObjectRequest(path)) == b"\3" * 10
    assert S3Handler.get_object(ReadObjectRequest(path, 2, 3)) == b"\3" * 3
    assert S3Handler.get_object(ReadObjectRequest(path, 2)) == b"\3" * 8
    assert S3Handler.get_object(ReadObjectRequest(path, 0, 0)) == b""
    assert S3Handler.get_object(ReadObjectRequest(f"s3://{bucket}/none")) is None
    (tmp_path / "file").write_bytes(b"abcdef")
    assert S3Handler.get_object(ReadObjectRequest(f"{tmp_path}/file", 1, 2)) == b"bc"
    requests = [ReadObjectRequest(f"s3://{bucket}/run/{i:02}") for i in range(12)]
    whole = [bytes([i]) * 10 for i in range(12)]
    assert S3Handler.get_objects(requests) == whole
    assert S3Handler.get_objects(requests, use_multiprocessing=False) == whole
    assert S3Handler.get_objects(requests, n_process=2) == whole
    with pytest.raises(SMDebugTypeError, match="expected a list of ReadObjectRequest"):
        S3Handler.get_objects(requests[0])


def test_writing(s3):
    # The bucket comes into being, and repeated slashes go.
    with TSAccessS3("fresh", "a//b///c") as file:
        assert file.write(b"one") == (0, 3)
        assert file.write("two") == (3, 3)
        file.flush()
    assert s3.get_object(Bucket="fresh", Key="a/b/c")["Body"].read() == b"onetwo"
    file = TSAccessS3("fresh", "a/b/c")
    file.ingest_all()
    assert (file.read(3), file.has_data()) == (b"one", True)
    assert (file.read(9), file.has_data()) == (b"two", False)
    with pytest.raises(RuntimeError), TSAccessS3("fresh", "half") as file:
        file.write(b"half")
        raise RuntimeError
    assert S3Handler.list_prefix(ListRequest("fresh", "half")) == []
    with pytest.raises(SMDebugError, match="s3://fresh/none"):
        TSAccessS3("fresh", "none").ingest_all()


def test_deleting(bucket):
    delete_s3_prefixes(bucket, ["run/00", "run/01"])
    delete_s3_prefixes(bucket, "run/02")
    assert len(S3Handler.list_prefix(ListRequest(bucket, "run/"))) == 9
    S3Handler.delete_prefix(delete_request=DeleteRequest(bucket, "run/1"))
    assert len(S3Handler.list_prefix(ListRequest(bucket, "run/"))) == 7
    S3Handler.delete_prefix(path=f"s3://{bucket}/run/")
    assert S3Handler.list_prefix(ListRequest(bucket, "")) == []
    with pytest.raises(SMDebugError, match="path is '/run'"):
        S3Handler.delete_prefix(path="/run")
    with pytest.raises(SMDebugError, match="exactly one"):
        S3Handler.delete_prefix()


def test_the_end_of_a_run(bucket, monkeypatch):
    monkeypatch.delenv("TRAINING_JOB_NAME", raising=False)
    path = f"s3://{bucket}/run"
    assert not has_training_ended(path) and not check_dir_exists(path)
    training_has_ended(path)
    assert has_training_ended(path) and check_dir_exists(path)
    assert not check_dir_exists("s3://no-such-bucket/run")


def test_refused_credentials_are_an_error(bucket, monkeypatch):
    from botocore.exceptions import ClientError, NoCredentialsError

    class Refusing:
        def __init__(self, error):
            self.error = error

        def get_object(self, **_):
            raise self.error

    denied = ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "GetObject")
    for error in (denied, NoCredentialsError()):
        monkeypatch.setattr("tensorwarden.sagemaker.s3.client", lambda e=error: Refusing(e))
        with pytest.raises(SMDebugError, match="cannot read s3://b/k"):
            S3Handler.get_object(ReadObjectRequest("s3://b/k"))


def test_without_boto3():
    program = """
import sys
sys.modules["boto3"] = None
import smdebug.profiler, smdebug.core.access_layer.s3, smdebug.core.utils
from smdebug.profiler import S3SystemMetricsReader
assert not {"pandas", "bokeh", "botocore"} & set(sys.modules)
try:
    S3SystemMetricsReader("s3://bucket/run")
except Exception as error:
    print(error)
"""
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    assert "pip install boto3" in answer.stdout
