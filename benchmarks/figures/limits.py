"""Measures the limits of the medium, and how close to them writes and reads come."""

import json
import os
import statistics
import subprocess

from figures.pace import best_pace, had_best_pace, is_nearly_best, nanos_at_best_pace
from programs import find_file

# (value size, entries), and (benchmark, limit of pmem_bench, description, bound). A record without
# a checksum could not be replayed, so a write is compared with an append that has one.
LIMITED = (1024, 1000000)
LIMITS = [("fillrandom", "append_crc_fence", "appends with CRC and fence", 2.5),
          ("fillrandom", "append_fence", "appends with a fence and no CRC", None),
          ("readrandom", "dependent_miss", "dependent cache misses", 8.0)]


def limits_of_the_medium(bench):
    """Returns the figures of pmem_bench, in nanoseconds."""
    program = find_file(bench.arguments.build, "pmem_bench")
    path = os.path.join(bench.scratch, "limits.json")
    subprocess.run([program, "--pm_path=" + bench.pools, "--json=" + path,
                    "--size=%d" % max(16 << 20, int(2**30 * min(1.0, bench.arguments.scale)))],
                   check=True)
    with open(path, encoding="utf-8") as file:
        return json.load(file)["nanos"]


def ratios_at_best_pace(rounds, name, limit):
    """Returns (operation in limits, its nanoseconds, share of operations) of the rounds in which
    both operation and limit ran at the best speed of all."""
    best = min([best_pace([report[name] for _, report in rounds])] +
               [nanos[limit + "_pace"] for nanos, _ in rounds])
    ratios = []
    for nanos, report in rounds:
        result = report[name]
        if had_best_pace(result, best) and is_nearly_best(nanos[limit + "_pace"], best):
            took = nanos_at_best_pace(result)
            ratios.append((took / nanos[limit + "_paced"], took, result["paced"]["share"]))
    return ratios


def measure_limits(bench, table):
    """Measures the limits anew in each round: the medium is as fast as the machine is at the time.
    Other processes slow down computation more than waiting for the medium, so the time at the
    processor's full speed is compared with a bound. Reads find their keys: of random keys a third
    would be missing."""
    value_size, count = LIMITED
    rounds = []
    for _ in range(bench.arguments.rounds):
        nanos = limits_of_the_medium(bench)
        with bench.new_place() as place:
            report = bench.run(place, "fillrandom,fillseq,waitforcompaction,readrandom",
                               bench.entries(count), value_size, ["--pm_prefault", "--pace"])
        rounds.append((nanos, report["by_name"]))
    for name, limit, words, bound in LIMITS:
        table.add_at_best_pace(
            "%s of %d B values, in %s" % (name, value_size, words),
            ratios_at_best_pace(rounds, name, limit), bound,
            [(1e3 * report[name]["micros_per_operation"], nanos[limit])
             for nanos, report in rounds],
            min(nanos[limit + pace] for nanos, _ in rounds for pace in ("", "_paced")))
