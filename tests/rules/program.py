"""The program under test: rules and their parameters in, its reports out."""

import json
import subprocess
from pathlib import Path

WARDEN = Path(__file__).resolve().parents[2] / "build" / "bin" / "warden"


def evaluate(run: Path, rules: dict[str, dict]) -> dict[str, dict]:
    """What the program says of each rule, all of them in one call."""
    configs = [
        {
            "RuleConfigurationName": rule,
            "RuleParameters": {"rule_to_invoke": rule}
            | {name: _as_text(value) for name, value in parameters.items()},
        }
        for rule, parameters in rules.items()
    ]
    file = run.with_suffix(".json")
    file.write_text(json.dumps(configs))
    command = [WARDEN, "eval", run, "--rules-file", file, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 3), done.stderr
    return {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}


def _as_text(value) -> str:
    """As the job API has it."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
