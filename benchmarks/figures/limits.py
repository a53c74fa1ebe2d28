"""What the medium can do, and how near to that writes and reads come."""

import json
import os
import statistics
import subprocess

from programs import find_file

# (value size, entries), and (benchmark, what pmem_bench calls the limit, in words, bound). A record
# without a checksum could not be replayed, so an append with one is what a write is held against.
LIMITED = (1024, 1000000)
LIMITS = [("fillrandom", "append_crc_fence", "appends with CRC and fence", 2.5),
          ("fillrandom", "append_fence", "appends with a fence and no CRC", None),
          ("readrandom", "dependent_miss", "dependent cache misses", 8.0)]


def limits_of_the_medium(bench):
    """Nanoseconds of what pmem_bench measures."""
    program = find_file(bench.arguments.build, "pmem_bench")
    path = os.path.join(bench.scratch, "limits.json")
    subprocess.run([program, "--pm_path=" + bench.pools, "--json=" + path,
                    "--size=%d" % max(16 << 20, int(2**30 * min(1.0, bench.arguments.scale)))],
                   check=True)
    with open(path, encoding="utf-8") as file:
        return json.load(file)["nanos"]


def measure_limits(bench, table):
    """Each round takes the limits anew: the medium is as fast as the machine is at the time. Reads
    find what they look for: of random keys a third would be missing."""
    value_size, count = LIMITED
    ratios = [[] for _ in LIMITS]
    for _ in range(bench.arguments.rounds):
        nanos = limits_of_the_medium(bench)
        with bench.new_place() as place:
            report = bench.run(place, "fillrandom,fillseq,waitforcompaction,readrandom",
                               bench.entries(count), value_size, ["--pm_prefault"])
        for (name, limit, _, _), rounds in zip(LIMITS, ratios):
            took = 1e3 * report["by_name"][name]["micros_per_operation"]
            rounds.append((took / nanos[limit], took))
    for (name, _, words, bound), rounds in zip(LIMITS, ratios):
        table.add("%s of %d B values, in %s" % (name, value_size, words),
                  statistics.median(ratio for ratio, _ in rounds), "", bound,
                  "all: " + ", ".join("%.1f (%.0f ns)" % each for each in rounds))
