"""Programs that measure on request, and rounds in which they take turns."""

import json
import os
import select
import statistics
import subprocess
import sys

SAMPLE_TIMEOUT = 300  # Seconds. The original can wait for ever.


class BenchError(Exception):
    """Something could not be measured; the message says what to do about it."""


class Program:
    """A program that measures a variant for each line it is given."""

    def __init__(self, command):
        self.command = [str(part) for part in command]
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def measure(self, variant):
        try:
            self.process.stdin.write(variant + "\n")
            self.process.stdin.flush()
            ready, _, _ = select.select([self.process.stdout], [], [], SAMPLE_TIMEOUT)
            line = self.process.stdout.readline() if ready else ""
        except BrokenPipeError:
            line = ""
        if not line:
            raise BenchError(f"no answer to '{variant}' from {' '.join(self.command)}")
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def measure_once(command, variant):
    """One sample from a process of its own."""
    command = [*(str(part) for part in command), variant]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, timeout=SAMPLE_TIMEOUT
        )
        return json.loads(done.stdout.splitlines()[-1])
    except (subprocess.SubprocessError, IndexError, OSError) as error:
        raise BenchError(f"{' '.join(command)} failed: {error}") from error


class Samples:
    """What all rounds of a benchmark gave."""

    def __init__(self):
        self._rounds = []

    def add_round(self, samples):
        self._rounds.append(samples)

    def lines(self):
        return [sample for samples in self._rounds for sample in samples.values()]

    def per_round(self, statistic):
        """statistic of each round, a function of the samples by label."""
        return [statistic(samples) for samples in self._rounds]

    def median(self, statistic):
        return statistics.median(self.per_round(statistic))


def run_rounds(name, count, variants):
    """variants: {label: function that gives a sample}.

    Every round measures each of them once, in an order that turns around from round to round. A
    round before the first warms up and is forgotten, unless there is only one.
    """
    samples = Samples()
    for number in range(0 if count > 1 else 1, count + 1):
        show_progress(f"{name}: round {number} of {count}" if number else f"{name}: warming up")
        labels = list(variants) if number % 2 else list(reversed(variants))
        measured = {label: variants[label]() for label in labels}
        if number:
            samples.add_round(measured)
    show_progress("")
    return samples


def show_progress(text):
    if os.isatty(sys.stderr.fileno()):
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
