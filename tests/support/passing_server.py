"""A server that passes requests on to another one and keeps what was asked."""

from __future__ import annotations

import http.client
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Asked:
    """A request; the names of its headers are in lower case."""

    method: str
    path: str
    headers: dict[str, str]


class PassingServer:
    """Passes on to `endpoint`, after `delay_s`, with the headers as they came: `Host` too, which
    S3's signatures contain."""

    def __init__(self, endpoint: str, delay_s: float = 0.0):
        self.asked: list[Asked] = []
        asked, address = self.asked, urlsplit(endpoint).netloc

        class Passing(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _pass_on(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked.append(Asked(self.command, self.path, headers))
                time.sleep(delay_s)
                connection = http.client.HTTPConnection(address)
                connection.request(self.command, self.path, body, headers)
                answer = connection.getresponse()
                content = answer.read()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    # Of HEAD, the length is that of what is not sent.
                    if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                        self.send_header(name, value)
                length = str(len(content))
                if self.command == "HEAD":
                    length = answer.getheader("Content-Length") or length
                self.send_header("Content-Length", length)
                self.end_headers()
                self.wfile.write(content)
                connection.close()

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _pass_on

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Passing)
        self.port = self._server.server_port
        self.endpoint = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> PassingServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
