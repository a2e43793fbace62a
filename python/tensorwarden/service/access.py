"""How a service is found and spoken to."""

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
    """What the service, or the lack of one, says. `code` is the API's: ValidationException,
    ResourceInUse ...; `status` is that of HTTP, 0 if nothing answers."""

    def __init__(self, code: str, message: str, status: int = 0):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status


class ServiceAccess:
    """A service's address and key."""

    def __init__(self, endpoint: Optional[str] = None, token: Optional[str] = None):
        notice = read_notice()
        endpoint = endpoint or os.environ.get("WARDEN_ENDPOINT") or notice.get("endpoint")
        if not endpoint:
            raise ServiceError(
                "NoService",
                "no service is known: start one with 'warden serve', or give endpoint and token "
                "($WARDEN_ENDPOINT, $WARDEN_TOKEN_FILE)",
            )
        self.endpoint = endpoint.rstrip("/")
        scheme = urllib.parse.urlsplit(self.endpoint).scheme
        if scheme not in ("http", "https"):
            raise ValueError(f"endpoint {endpoint!r}: accepted is http://HOST:PORT or https://...")
        # What the file says of one service is not told to another.
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
        """An operation by its X-Amz-Target; what it answers."""
        headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": target}
        answer = self._send("POST", "/", json.dumps(request).encode(), headers)
        return json.loads(answer) if answer else {}

    def make_bucket(self, bucket: str) -> None:
        """Unless it is there."""
        try:
            self._send("HEAD", f"/{urllib.parse.quote(bucket)}", None, {})
        except ServiceError as error:
            if error.status != 404:
                raise
            self._send("PUT", f"/{urllib.parse.quote(bucket)}", b"", {})

    def put(self, bucket: str, key: str, data: bytes) -> None:
        """An object."""
        headers = {"Content-Type": "application/octet-stream"}
        self._send("PUT", f"/{urllib.parse.quote(f'{bucket}/{key}')}", data, headers)

    def folder_of(self, uri: str) -> Optional[Path]:
        """Where an object, or what begins so, is on this machine; None if that is not known."""
        if self._data is None or not (self._data / "s3").is_dir():
            return None
        return self._data / "s3" / uri[len("s3://") :]

    def _send(
        self, method: str, path: str, body: Optional[bytes], headers: Dict[str, str]
    ) -> bytes:
        request = urllib.request.Request(self.endpoint + path, body, headers, method=method)
        # Not handed on by redirections, and never in a message.
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise _error_of(error.code, error.read()) from None
        except (urllib.error.URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            message = f"no service answers at {self.endpoint}: {reason}"
            raise ServiceError("NoService", message) from error


def _notice_path() -> Optional[Path]:
    config = os.environ.get("XDG_CONFIG_HOME", "")
    if config.startswith("/"):
        return Path(config) / "tensorwarden/service.json"
    home = os.environ.get("HOME", "")
    return Path(home) / ".config/tensorwarden/service.json" if home else None


def read_notice() -> Dict[str, Any]:
    """What the service of this user has left for us; empty if there is none."""
    path = _notice_path()
    try:
        notice = json.loads(path.read_text()) if path is not None else {}
    except (OSError, ValueError):
        return {}
    return notice if isinstance(notice, dict) else {}


def _read_token(path: Optional[str]) -> str:
    if not path:
        raise ServiceError("NoToken", "no token: give it, or name its file with $WARDEN_TOKEN_FILE")
    file = Path(path)
    if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ServiceError("NoToken", f"{path} can be read by others; make it private: chmod 600")
    return file.read_text().strip()


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _opener(scheme: str, certificate: Optional[str]) -> urllib.request.OpenerDirector:
    handlers: List[Any] = [_NoRedirection()]
    if scheme == "http":
        # The token would be read by whatever stands in between.
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
