"""How a client finds its service and keeps its token to itself."""

import json
import os
import subprocess
import sys

import pytest

import tensorwarden
from tensorwarden.client import ServiceError
from tensorwarden.service.source import name_from, pack, split_uri

ENDPOINT = "http://127.0.0.1:1"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A home with nothing in it, and a token."""
    for name in ("WARDEN_ENDPOINT", "WARDEN_TOKEN_FILE", "WARDEN_CA_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    token = tmp_path / "token"
    token.write_text("secret-token\n")
    token.chmod(0o600)
    return tmp_path


def leave_notice(place, endpoint=ENDPOINT):
    file = place / "tensorwarden/service.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"endpoint": endpoint, "token_file": str(place / "token")}))
    return file


def test_without_a_service_it_says_how_to_start_one(place):
    with pytest.raises(ServiceError, match="warden serve"):
        tensorwarden.Client()


def test_the_service_of_this_user_is_found(place):
    leave_notice(place)
    client = tensorwarden.Client()
    assert client.endpoint == ENDPOINT
    with pytest.raises(
        ServiceError, match="cannot connect to the service at http://127.0.0.1:1"
    ) as error:
        client.call("ListTrainingJobs")
    assert "secret-token" not in str(error.value) + repr(client) + repr(vars(client))


def test_a_token_is_not_told_to_another_service(place):
    leave_notice(place)
    with pytest.raises(ServiceError, match="token is missing"):
        tensorwarden.Client("http://127.0.0.1:2")
    assert tensorwarden.Client("http://127.0.0.1:2", "other").endpoint == "http://127.0.0.1:2"


def test_the_environment_names_one(place, monkeypatch):
    monkeypatch.setenv("WARDEN_ENDPOINT", "http://127.0.0.1:3/")
    monkeypatch.setenv("WARDEN_TOKEN_FILE", str(place / "token"))
    assert tensorwarden.Client().endpoint == "http://127.0.0.1:3"


def test_a_token_that_others_can_read_is_refused(place):
    leave_notice(place)
    (place / "token").chmod(0o644)
    with pytest.raises(ServiceError, match="chmod 600"):
        tensorwarden.Client()


@pytest.mark.parametrize("text", ["", "[]", "{", "3"])
def test_a_damaged_notice_is_none(place, text):
    leave_notice(place).write_text(text)
    with pytest.raises(ServiceError, match="warden serve"):
        tensorwarden.Client()


@pytest.mark.parametrize("endpoint", ["ftp://x", "127.0.0.1:80", "file:///etc/passwd"])
def test_other_addresses_are_refused(place, endpoint):
    with pytest.raises(ValueError, match="expected http://"):
        tensorwarden.Client(endpoint, "token")


def test_training_programs_do_not_load_it():
    code = "import sys, tensorwarden; print('urllib.request' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def names_in(packed: bytes) -> list:
    import io
    import tarfile

    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return sorted(archive.getnames())


def test_packs_the_script_or_its_folder(tmp_path):
    for name in ("train.py", "model/net.py", "__pycache__/x.pyc", ".git/config", "data.bin"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    os.symlink("/etc", tmp_path / "etc")
    os.symlink("data.bin", tmp_path / "link.bin")
    entry, packed = pack(tmp_path / "train.py", None)
    assert (entry, names_in(packed)) == ("train.py", ["train.py"])
    for script in (tmp_path / "train.py", (tmp_path / "train.py").relative_to(tmp_path)):
        entry, packed = pack(script, tmp_path)
        assert entry == "train.py"
        assert names_in(packed) == ["data.bin", "link.bin", "model/net.py", "train.py"]
    with pytest.raises(FileNotFoundError, match="is not in"):
        pack(tmp_path / "none.py", tmp_path)
    with pytest.raises(NotADirectoryError):
        pack(tmp_path / "train.py", tmp_path / "train.py")


def test_names_of_jobs_fit_the_api():
    for script in ("train.py", "my_model v2.py", "x" * 100 + ".py", "___.py", "-a-.py"):
        name = name_from(script)
        assert len(name) <= 63
        assert name[0].isalnum()
        assert all(c.isalnum() or c == "-" for c in name)


def test_uris_are_checked():
    assert split_uri("s3://b/a/c") == ("b", "a/c")
    for uri in ("s3://b", "s3://b/", "b/a", "http://b/a"):
        with pytest.raises(ValueError, match="expected s3://BUCKET/KEY"):
            split_uri(uri)
