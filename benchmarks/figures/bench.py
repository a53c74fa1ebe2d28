"""The common code of the figures: db_bench with the tier, and a table of the figures."""

import os
import shutil
import statistics
import sys
import tempfile

from programs import CannotMeasure, find_file, read_report, run_and_kill, run_program

WRITE_BUFFER = 64 << 20
CACHE = 64 << 20


class Bench:
    """Runs db_bench with the tier, each run in a database and a pool directory given to it."""

    def __init__(self, arguments, scratch, pools):
        self.arguments = arguments
        self.scratch = scratch
        self.pools = pools
        self.program = find_file(arguments.build, "db_bench")

    def entries(self, count):
        return max(1000, int(count * self.arguments.scale))

    def new_place(self):
        return Place(self.scratch, self.pools)

    def touched_pool(self, size):
        """Returns flags for a pool of another size, which was touched before."""
        size = max(64 << 20, int(size * min(1, self.arguments.scale)))
        free = shutil.disk_usage(self.pools).free
        if free < size:
            raise CannotMeasure(
                "%s has %d MB free, and a pool is to have %d MB; name another place with "
                "--pm_path, or leave out what needs it with --figures" %
                (self.arguments.pm_path, free >> 20, size >> 20))
        return ["--pm_prefault", "--pm_size=%d" % size]

    def command(self, place, benchmarks, num, value_size, flags):
        return [self.program, "--use_pm=1", "--pm_path=" + place.pools,
                "--pm_size=" + self.arguments.pm_size, "--db=" + place.database,
                "--benchmarks=" + benchmarks, "--num=%d" % num, "--value_size=%d" % value_size,
                "--write_buffer_size=%d" % WRITE_BUFFER, "--cache_size=%d" % CACHE,
                "--bloom_bits=10", "--compression=none"] + flags + self.arguments.flags.split()

    def run(self, place, benchmarks, num, value_size, flags=()):
        """Returns the report, and in it the last result of each benchmark by name."""
        command = self.command(place, benchmarks, num, value_size,
                               ["--report=" + place.report] + list(flags))
        run_program(command)
        return read_report(place.report)

    def run_and_kill(self, place, benchmarks, num, value_size, flags=()):
        """Kills db_bench when it has printed the last result. Returns its lines."""
        command = self.command(place, benchmarks + ",waitforcompaction", num, value_size,
                               list(flags))
        return run_and_kill(command, benchmarks.split(",")[-1])


class Place:
    """A database and the directory of its pool. Leaving the context removes both."""

    def __init__(self, scratch, pools):
        self.directory = tempfile.mkdtemp(dir=scratch)
        self.pools = tempfile.mkdtemp(dir=pools)
        self.database = os.path.join(self.directory, "db")
        self.report = os.path.join(self.directory, "report.json")

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        shutil.rmtree(self.directory, ignore_errors=True)
        shutil.rmtree(self.pools, ignore_errors=True)


class Table:
    """The figures so far, printed as they are added."""

    def __init__(self):
        self.rows = []

    def add(self, name, value, unit, bound=None, note=""):
        """Adds a figure that must be at most `bound`, if there is one. None means that it could not
        be measured; its bound does not hold."""
        holds = bound is None or (value is not None and value <= bound)
        self.rows.append({"name": name, "value": value, "unit": unit, "bound": bound,
                          "holds": holds, "note": note})
        limit = "" if bound is None else "at most %.3g" % bound
        known = "" if bound is None else "holds" if holds else "MISSED"
        print(("%-58s %10s %-9s %-13s %-7s %s" % (
            name, "-" if value is None else "%.3f" % value, unit, limit,
            "UNKNOWN" if value is None else known, note)).rstrip())
        sys.stdout.flush()

    def add_median(self, name, values, unit, bound):
        """Adds the median of some rounds, with the value of each."""
        self.add(name, statistics.median(values), unit, bound,
                 "all: " + ", ".join("%.2f" % value for value in values))

    def add_at_best_pace(self, name, rounds, bound, at_any_pace, least_limit):
        """Adds the median of (ratio, nanoseconds, share of operations) of the rounds in which the
        processor ran at full speed, and below it that of (nanoseconds, nanoseconds of the limit) of
        all rounds. If too few rounds had full speed, the ratio is at most that of all rounds to
        `least_limit`, in nanoseconds."""
        if len(rounds) * 2 < len(at_any_pace):
            most = statistics.median(nanos for nanos, _ in at_any_pace) / least_limit
            tells = bound is not None and most <= bound
            self.add(name, most if tells else None, "or less" if tells else "", bound,
                     "%d of %d rounds had the processor's best pace" % (
                         len(rounds), len(at_any_pace)))
        else:
            self.add(name, statistics.median(ratio for ratio, *_ in rounds), "", bound,
                     "all: " + ", ".join("%.2f (%.0f ns, %.0f %%)" % (ratio, nanos, 100 * share)
                                         for ratio, nanos, share in rounds))
        self.add_median("  at any pace", [nanos / limit for nanos, limit in at_any_pace], "", None)

    def missed(self):
        return [row["name"] for row in self.rows if not row["holds"]]


def thousands(number):
    return "{:,}".format(number)
