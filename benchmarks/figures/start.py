"""Measures what linking the library costs a program that never uses the tier."""

import os
import statistics
import time

from programs import LIBRARY, CannotMeasure, find_debian_library, find_file, link_library

START_RATIO = 1.10
STARTS = 1000


def seconds_to_run(program, environment):
    began = time.perf_counter()
    process = os.posix_spawn(program, [program], environment)
    _, status = os.waitpid(process, 0)
    taken = time.perf_counter() - began
    if status != 0:
        raise CannotMeasure("%s ended with status %d" % (program, status))
    return taken


def measure_start(bench, table):
    program = find_file(bench.arguments.build, "start_up")
    libraries = {"ours": find_file(bench.arguments.build, LIBRARY), "debian": find_debian_library()}
    environments = {}
    for side, library in libraries.items():
        links = os.path.join(bench.scratch, "lib_" + side)
        environments[side] = {"LD_LIBRARY_PATH": link_library(library, links)}
    times = {side: [] for side in libraries}
    for number in range(max(20, int(STARTS * min(1.0, bench.arguments.scale)))):
        for side in (("ours", "debian") if number % 2 == 0 else ("debian", "ours")):
            times[side].append(seconds_to_run(program, environments[side]))
    ratio = statistics.median(ours / debian for ours, debian in zip(times["ours"], times["debian"]))
    table.add("start of a program without the tier, ours / Debian's", ratio, "", START_RATIO,
              "medians %.3f ms, %.3f ms" % tuple(1e3 * statistics.median(times[side])
                                                 for side in ("ours", "debian")))
