"""Says which system metrics the original library reads below a profiler's folder.

read_metrics_with_original.py FOLDER, by an interpreter that has smdebug: prints a JSON list of
[type, dimension, name, value, node, seconds].
"""

import json
import sys
import time

from smdebug.profiler import LocalSystemMetricsReader
from smdebug.profiler.utils import TimeUnits


def main(folder: str) -> None:
    reader = LocalSystemMetricsReader(folder)
    reader.refresh_event_file_list()
    events = reader.get_events(0, int(time.time() + 60) * 1_000_000, unit=TimeUnits.MICROSECONDS)
    rows = [(e.type, e.dimension, e.name, e.value, e.node_id, e.timestamp) for e in events]
    json.dump(rows, sys.stdout)


main(sys.argv[1])
