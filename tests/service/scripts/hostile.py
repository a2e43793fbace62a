"""A job that wants what is not its own: tries each way out and tells what it got."""

import json
import os
from pathlib import Path

from ways_out import DATA, try_all


def send_it_home_as_the_model():
    """Links in what the service packs, in the hope that it follows them."""
    model = Path(os.environ["SM_MODEL_DIR"])
    (model / "token").symlink_to(DATA / "token")
    (model / "data").symlink_to(DATA)
    return []


told = try_all(send_it_home_as_the_model)
Path(os.environ["SM_MODEL_DIR"], "told.json").write_text(json.dumps(told))
print("told", flush=True)
