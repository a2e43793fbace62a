"""Leaves what the service gave it as its model: configuration files, variables, arguments."""

import json
import os
import sys
from pathlib import Path

config = Path(os.environ["SM_INPUT_CONFIG_DIR"])
told = {path.name: json.loads(path.read_text()) for path in config.glob("*.json")}
told["environment"] = dict(os.environ)
told["arguments"] = sys.argv[1:]
Path(os.environ["SM_MODEL_DIR"], "told.json").write_text(json.dumps(told))
output = Path(os.environ["SM_OUTPUT_DIR"])
(output / "tensors/whole").write_text("whole")
(output / "tensors/half.tmp").write_text("ha")
(output / "data/more").write_text("more")
(output / "failure").write_text("the reason, in the program's own words")
print("told", flush=True)
raise SystemExit(int(os.environ.get("EXIT_CODE", "0")))
