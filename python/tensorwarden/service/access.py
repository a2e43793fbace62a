"""Finds a service and sends requests to it."""

import json
import os
import ssl
import stat
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

TIMEOUT = 60.0


class ServiceError(Exception):
    """An error of the service, or a failure to reach it.

    `code` is the API's error code, for example ValidationException or ResourceInUse. `status` is
    the HTTP status, 0 if the service did not answer.
    """

    def __init__(self, code: str, message: str, status: int = 0):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status


class ServiceAccess:
    """The address and the token of a service."""

    def __init__(self, endpoint: Optional[str] = None, token: Optional[str] = None):
        notice = read_notice()
        endpoint = endpoint or os.environ.get("WARDEN_ENDPOINT") or notice.get("endpoint")
        if not endpoint:
            raise ServiceError(
                "NoService",
                "no service found; start one with 'warden serve', or pass endpoint and token "
                "($WARDEN_ENDPOINT, $WARDEN_TOKEN_FILE)",
            )
        self.endpoint = endpoint.rstrip("/")
        scheme = urllib.parse.urlsplit(self.endpoint).scheme
        if scheme not in ("http", "https"):
            raise ValueError(
                f"endpoint is {endpoint!r}; expected http://HOST:PORT or https://HOST:PORT"
            )
        # Do not send the token of one service to another.
        is_noticed = notice.get("endpoint") == self.endpoint
        token_file = os.environ.get("WARDEN_TOKEN_FILE") or (
            notice.get("token_file") if is_noticed else None
        )
        self._data = Path(token_file).parent if token_file else None
        self._token = token or _read_token(token_file)
        certificate = os.environ.get("WARDEN_CA_FILE") or (
            notice.get("certificate") if is_noticed else None
        )
        self._opener = _opener(scheme, certificate or None)

    def call(self, target: str, request: Mapping[str, Any]) -> Dict[str, Any]:
        """Calls an operation by its X-Amz-Target and returns the answer. Raises ServiceError."""
        headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": target}
        answer = self._send("POST", "/", json.dumps(request).encode(), headers)
        return json.loads(answer) if answer else {}

    def make_bucket(self, bucket: str) -> None:
        """Creates the bucket unless it exists."""
        try:
            self._send("HEAD", f"/{urllib.parse.quote(bucket)}", None, {})
        except ServiceError as error:
            if error.status != 404:
                raise
            self._send("PUT", f"/{urllib.parse.quote(bucket)}", b"", {})

    def put(self, bucket: str, key: str, data: bytes) -> None:
        """Uploads an object."""
        headers = {"Content-Type": "application/octet-stream"}
        self._send("PUT", f"/{urllib.parse.quote(f'{bucket}/{key}')}", data, headers)

    def folder_of(self, uri: str) -> Optional[Path]:
        """Returns the local path of an object or prefix; None if the service is not on this
        machine."""
        if self._data is None or not (self._data / "s3").is_dir():
            return None
        return self._data / "s3" / uri[len("s3://") :]

    def _send(
        self, method: str, path: str, body: Optional[bytes], headers: Dict[str, str]
    ) -> bytes:
        request = urllib.request.Request(self.endpoint + path, body, headers, method=method)
        # Redirects must not receive the token, and no message may contain it.
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise _error_of(error.code, error.read()) from None
        except (urllib.error.URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            message = f"cannot connect to the service at {self.endpoint}: {reason}"
            raise ServiceError("NoService", message) from error


def _notice_path() -> Optional[Path]:
    config = os.environ.get("XDG_CONFIG_HOME", "")
    if config.startswith("/"):
        return Path(config) / "tensorwarden/service.json"
    home = os.environ.get("HOME", "")
    return Path(home) / ".config/tensorwarden/service.json" if home else None


def read_notice() -> Dict[str, Any]:
    """Reads the file in which the service of this user announces itself; empty if there is none."""
    path = _notice_path()
    try:
        notice = json.loads(path.read_text()) if path is not None else {}
    except (OSError, ValueError):
        return {}
    return notice if isinstance(notice, dict) else {}


def _read_token(path: Optional[str]) -> str:
    if not path:
        raise ServiceError("NoToken", "token is missing; pass it or set $WARDEN_TOKEN_FILE")
    file = Path(path)
    if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ServiceError("NoToken", f"{path} is readable by other users; run chmod 600 on it")
    return file.read_text().strip()


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _opener(scheme: str, certificate: Optional[str]) -> urllib.request.OpenerDirector:
    handlers: List[Any] = [_NoRedirection()]
    if scheme == "http":
        # A proxy could read the token.
        handlers.append(urllib.request.ProxyHandler({}))
    else:
        context = ssl.create_default_context()
        if certificate:
            context.load_verify_locations(cafile=certificate)
        handlers.append(urllib.request.HTTPSHandler(context=context))
    return urllib.request.build_opener(*handlers)


def _error_of(status: int, body: bytes) -> ServiceError:
    try:
        told = json.loads(body)
        code = str(told["__type"]).rpartition("#")[2]
        return ServiceError(code, str(told.get("message") or told.get("Message") or ""), status)
    except (ValueError, KeyError, TypeError, AttributeError):
        text = body[:500].decode(errors="replace")
        return ServiceError(f"HTTP {status}", text, status)
