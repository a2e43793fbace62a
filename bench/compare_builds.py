"""Compares two builds of the project: the same measurement with the programs of one and of the
other, in turn.

    python3 bench/compare_builds.py BEFORE AFTER [--rounds 7] [--dir FOLDER] [--quick]

BEFORE and AFTER are folders with `warden` and the benchmarks' programs (build/bin of a build with
-DWARDEN_BENCH=ON). Prints a line for each measurement: the medians of both, and the median of the
ratios of neighbours with the smallest and the largest; below 1, the second build takes less.
"""

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path

from cases import QUICK, Setting, Sizes, duration
from sampling import measure_once, show_progress
from service_cases import serving

JOBS_ASKED = 500


def sampled(setting):
    """The commands of the sampling programs, by name, with what each measures."""
    sizes, folder = setting.sizes, setting.dir
    write = ("--steps", sizes.write_steps, "--tensors", sizes.write_tensors)
    run = ("--steps", sizes.rule_steps, "--tensors", 100, "--kib", 4)
    return {
        "bench_reductions": (
            ("--mib", sizes.reduce_mib),
            ("reduce_float32", "reduce_bfloat16", "median", "histogram", "reduce_small"),
        ),
        "bench_writing": (
            ("--dir", folder, *write, "--mib", sizes.write_mib),
            ("hook", "records"),
        ),
        "bench_steps": (
            ("--dir", folder, "--steps", sizes.saved_steps),
            ("idle", "save_scalar", "save_small"),
        ),
        "bench_opening": (
            ("--run", folder / "opening", "--steps", sizes.open_steps[0]),
            ("write", "read"),
        ),
        "bench_rules": (("--run", folder / "rules", *run), ("write", "all", "vanishing")),
        "bench_series": (
            ("--run", folder / "series", "--steps", sizes.open_steps[0]),
            ("write", "first", "whole"),
        ),
    }


def of_service(setting):
    """Medians of requests to a service that holds a thousand jobs."""
    with serving(setting) as (_, client):
        names = [f"job-{(number * 7919) % 1000:04}" for number in range(JOBS_ASKED)]
        describes = [client.call("DescribeTrainingJob", TrainingJobName=n)[1] for n in names]
        lists = [client.call("ListTrainingJobs", MaxResults=100)[1] for _ in range(100)]
    return {
        "DescribeTrainingJob": statistics.median(describes),
        "ListTrainingJobs": statistics.median(lists),
    }


def measure(settings, rounds):
    """Seconds by name of the measurement: a list of pairs, one for each round."""
    pairs = {}

    def add(name, number, function):
        both = [0.0, 0.0]
        for which in (0, 1) if number % 2 else (1, 0):
            both[which] = function(settings[which])
        if number:  # The first round warms up.
            pairs.setdefault(name, []).append(both)

    for program in sampled(settings[0]):
        for number in range(rounds + 1):
            show_progress(f"{program}: round {number} of {rounds}")
            for variant in sampled(settings[0])[program][1]:

                def one(setting, program=program, variant=variant):
                    flags = sampled(setting)[program][0]
                    if variant == "write":
                        shutil.rmtree(flags[1], ignore_errors=True)
                    return measure_once(setting.ours(program, *flags), variant)["seconds"]

                add(f"{program} {variant}", number, one)
    for number in range(1, 4):
        show_progress(f"service: round {number} of 3")
        answers = [of_service(settings[which]) for which in (0, 1)]
        for name in answers[0]:
            pairs.setdefault(name, []).append([answer[name] for answer in answers])
    show_progress("")
    return pairs


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--dir", type=Path, help="scratch folder (default: a temporary one)")
    parser.add_argument("--quick", action="store_true", help="small sizes: a smoke test")
    options = parser.parse_args()
    sizes = QUICK if options.quick else Sizes()
    scratch = Path(tempfile.mkdtemp(dir=options.dir))
    settings = []
    for name in ("before", "after"):
        (scratch / name).mkdir()
        programs = getattr(options, name).absolute()
        none = Path()
        settings.append(Setting(programs, none, none, none, scratch / name, sizes))
    try:
        pairs = measure(settings, options.rounds)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print("| measurement | before | after | after / before | spread |")
    print("| --- | --- | --- | --- | --- |")
    for name, values in pairs.items():
        ratios = sorted(after / before for before, after in values)
        before, after = (duration(statistics.median(v[i] for v in values)) for i in (0, 1))
        print(
            f"| {name} | {before} | {after} | {statistics.median(ratios):.3f} "
            f"| {ratios[0]:.3f} to {ratios[-1]:.3f} |"
        )


main()
