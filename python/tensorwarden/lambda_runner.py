"""Runs an AWS Lambda handler as a plain command.

    python -m tensorwarden.lambda_runner FILE[:handler]

Reads the event from standard input, calls handler(event, context) and prints the result as JSON.
The default handler is lambda_handler. boto3 clients in the handler talk to the service that sent
the event: the service sets $AWS_ENDPOINT_URL for the commands it runs. Without that variable they
talk to the service running on this machine.

Exit code: 0 on success, 1 if the handler raises an exception, 2 if it cannot be called.
"""

import importlib.util
import json
import os
import sys
import time
import traceback
import uuid
from pathlib import Path
from typing import Any, Callable, List, Optional

from tensorwarden.service.access import read_notice

FAILED = 1
USED_WRONGLY = 2
# The time limit that the service sets for a command.
TIME_LIMIT_SECONDS = 60.0

Handler = Callable[[Any, "Context"], Any]


class Context:
    """The Lambda context object, reduced to what applies here."""

    function_version = "$LATEST"
    memory_limit_in_mb = "128"
    log_group_name = ""
    log_stream_name = ""
    identity = None
    client_context = None

    def __init__(self, function_name: str, time_limit: float = TIME_LIMIT_SECONDS):
        self.function_name = function_name
        self.invoked_function_arn = f"arn:aws:lambda:local:000000000000:function:{function_name}"
        # Stays the same across retries of an event, which lets receivers detect a retry.
        self.aws_request_id = os.environ.get("WARDEN_EVENT_ID") or str(uuid.uuid4())
        self._deadline = time.monotonic() + time_limit

    def get_remaining_time_in_millis(self) -> int:
        """Returns the time left for the handler, in milliseconds."""
        return max(0, int((self._deadline - time.monotonic()) * 1000))


def load_handler(text: str) -> Handler:
    """Loads the function named by FILE[:handler]. Raises ValueError if that is not possible."""
    file, colon, name = text.rpartition(":")
    if not colon:
        file, name = text, "lambda_handler"
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"cannot open {file}: no such file (expected FILE[:handler])")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.resolve()))
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    handler = getattr(module, name, None)
    if not callable(handler):
        raise ValueError(f"{file} has no function {name!r}")
    return handler


def _find_service() -> None:
    """Points boto3 to the local service: sets the endpoint and credentials unless already set."""
    if os.environ.get("AWS_ENDPOINT_URL"):
        return
    notice = read_notice()
    endpoint, token = notice.get("endpoint"), notice.get("token_file")
    if not endpoint or not token:
        return
    os.environ["AWS_ENDPOINT_URL"] = str(endpoint)
    credentials = Path(str(token)).parent / "credentials"
    os.environ.setdefault("AWS_SHARED_CREDENTIALS_FILE", str(credentials))
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")


def _use_endpoint() -> None:
    """Sets the endpoint in boto3 versions that ignore $AWS_ENDPOINT_URL."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    if not endpoint:
        return
    try:
        from botocore.session import Session
    except ImportError:
        return
    create_client = Session.create_client

    def create_client_here(self: Any, *args: Any, **kwargs: Any) -> Any:
        # endpoint_url is the sixth positional argument.
        if len(args) < 6 and kwargs.get("endpoint_url") is None:
            kwargs["endpoint_url"] = endpoint
        return create_client(self, *args, **kwargs)

    Session.create_client = create_client_here


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command and returns its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 1:
        print("usage: python -m tensorwarden.lambda_runner FILE[:handler]", file=sys.stderr)
        return USED_WRONGLY
    _find_service()
    _use_endpoint()
    try:
        event = json.load(sys.stdin)
    except ValueError as error:
        print(f"lambda_runner: standard input is not a JSON event: {error}", file=sys.stderr)
        return USED_WRONGLY
    try:
        handler = load_handler(arguments[0])
    except ValueError as error:
        print(f"lambda_runner: {error}", file=sys.stderr)
        return USED_WRONGLY
    except Exception:
        traceback.print_exc()
        return USED_WRONGLY
    try:
        result = handler(event, Context(Path(arguments[0].rpartition(":")[0] or arguments[0]).stem))
        print(json.dumps(result))
    except Exception:
        traceback.print_exc()
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
