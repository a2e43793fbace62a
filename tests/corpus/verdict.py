"""What the program says about an entry of the corpus, and whether that is right."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional

from corpus import ROOT, Entry, record


@dataclass
class Verdict:
    """The incidents of a run, compared with what is known about the script."""

    entry: Entry
    headlines: list[str]
    step: Optional[int] = None  # At which the first incident was reported.

    @property
    def right(self) -> bool:
        """Whether a healthy script is silent, and a faulty one is not."""
        return self.entry.healthy == (not self.headlines)

    @property
    def named(self) -> bool:
        """Whether the first headline names the cause."""
        return bool(self.headlines) and bool(
            re.search(self.entry.cause, self.headlines[0], re.IGNORECASE)
        )

    @property
    def delay(self) -> Optional[int]:
        """Steps between the fault and its report."""
        return None if self.step is None else max(0, self.step - self.entry.onset)

    def row(self) -> Dict[str, Any]:
        """Returns what was found, for a file of results."""
        return {"name": self.entry.name, "headlines": self.headlines, "step": self.step}


def evaluate(entry: Entry, folder: Path, python: Path) -> Verdict:
    """Runs the script under `warden run` and reads the incidents."""
    record(entry, folder, python)
    return read(entry, folder)


def read(entry: Entry, folder: Path) -> Verdict:
    """Reads the incidents of a recorded run. Raises RuntimeError if there is no run."""
    command = [ROOT / "build" / "bin" / "warden", "eval", folder / "run", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        incidents = json.loads(done.stdout)["incidents"]
    except (ValueError, KeyError):
        raise RuntimeError(f"no run of {entry.name}: {done.stderr or done.stdout}") from None
    steps = [incident["step"] for incident in incidents]
    return Verdict(entry, [one["headline"] for one in incidents], min(steps, default=None))
