#!/usr/bin/env python3
"""Measures the figures that the persistent-memory tier promises, and compares each with its bound.

  amplification  bytes written to PM for each byte of the user, everything counted
  memory         DRAM for inner nodes and filters, for each key
  open           time to open a database, after it was closed and after it was killed
  tails          p99, p99.9 and p99.99 of writes while flushes and merges run, and the longest one,
                 and the longest pause of a thread that only watches the clock
  sustained      the slowest second of writing into a pool that overflows to tables
  threads        two writers and two readers against one, and a reader with a writer
  start          what linking the library costs a program that never uses the tier, compared with
                 Debian's LevelDB (package libleveldb1d)
  limits         what the medium can do (pmem_bench), and how near to that writes and point reads
                 come, on a pool that was touched before

Exit status: 0 if every bound holds; 1 if something cannot be measured; 2 if an option is invalid; 3
if a bound does not hold; 130 after Ctrl-C.
"""

import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from figures.bench import Bench, Table
from figures.limits import measure_limits
from figures.opening import measure_open
from figures.space import measure_amplification, measure_memory
from figures.start import measure_start
from figures.threads import measure_threads
from figures.writing import measure_sustained, measure_tails
from programs import (CANNOT, FOUND_BAD, CannotMeasure, end_by_exception,
                      make_directory, new_parser, sweep_leftovers)

# The prefix of the directories that a run creates.
PREFIX = "pmem_figures"

# The measurements in the order in which they are made.
MEASURES = {"limits": measure_limits, "amplification": measure_amplification,
            "memory": measure_memory, "open": measure_open, "tails": measure_tails,
            "sustained": measure_sustained, "threads": measure_threads, "start": measure_start}
FIGURES = list(MEASURES)


def parse_arguments():
    parser = new_parser(__doc__)
    parser.add_argument("--pm_path", default="/dev/shm",
                        help="directory for pools (default: %(default)s, where PM is emulated)")
    parser.add_argument("--pm_size", default="8G", help="ceiling of a pool (default: %(default)s)")
    parser.add_argument("--dir", default=None,
                        help="directory for databases (default: that for pools)")
    parser.add_argument("--figures", default=",".join(FIGURES),
                        help="what to measure (default: all: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3,
                        help="how often limits, tails, sustained, threads and openings are "
                        "measured (default: %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0,
                        help="times the entries; the bounds are meant for 1 (default: 1)")
    parser.add_argument("--flags", default="",
                        help="more flags for db_bench, separated by spaces")
    parser.add_argument("--json", default=None, help="write all figures to this file, too")
    arguments = parser.parse_args()
    arguments.figures = arguments.figures.split(",")
    arguments.dir = arguments.dir or arguments.pm_path
    for name in arguments.figures:
        if name not in FIGURES:
            parser.error("%s is not one of %s" % (name, ", ".join(FIGURES)))
    if arguments.rounds < 1 or arguments.scale <= 0:
        parser.error("--rounds and --scale must be positive")
    return arguments


def main():
    arguments = parse_arguments()
    end_by_exception()
    made = []
    table = Table()
    try:
        for path in (arguments.dir, arguments.pm_path):
            sweep_leftovers(path, PREFIX)
            made.append(make_directory(path, PREFIX))
        bench = Bench(arguments, *made)
        for name in FIGURES:
            if name in arguments.figures:
                MEASURES[name](bench, table)
    except (CannotMeasure, OSError, subprocess.CalledProcessError) as reason:
        print("pmem_figures: %s" % reason, file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        print("\npmem_figures: interrupted.", file=sys.stderr)
        return 130
    finally:
        for place in made:
            shutil.rmtree(place, ignore_errors=True)
        if arguments.json is not None:
            with open(arguments.json, "w", encoding="utf-8") as file:
                json.dump(table.rows, file, indent=1)
    missed = table.missed()
    if missed:
        print("\n%d bounds are missed: %s" % (len(missed), "; ".join(missed)))
        return FOUND_BAD
    print("\nevery bound holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
