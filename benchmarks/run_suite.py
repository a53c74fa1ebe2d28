#!/usr/bin/env python3
"""Measures the store by experiments; run_db_bench.sh builds everything and calls this.

Results are kept in --out after every run: the same command resumes an interrupted session. The exit
code is 0, 1 if a run failed or does not fit, 2 for wrong arguments, and 3, with a message in
capitals, if the store returned wrong data.
"""

import argparse
import difflib
import os
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import CANNOT, ROOT, CannotMeasure, sweep_leftovers
from suite import text
from suite.bench import PREFIX
from suite.experiments import EXPERIMENTS, LIMITS
from suite.machine import Places
from suite.model import Outcomes
from suite.results import Results
from suite.scale import SCALES, SHOWN
from suite.session import Refused, Session, refuse_misfits, say


class Terminated(BaseException):
    """Stands for SIGTERM or SIGHUP, as an exception, so that everything is cleaned up."""


def nearest(word, words):
    found = difflib.get_close_matches(word, words, n=1, cutoff=0)
    return found[0] if found else ""


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="run_db_bench.sh", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", default="quick", help=" | ".join(
        "%s: %s" % (name, SCALES[name].summary) for name in SHOWN) + " (default: quick)")
    parser.add_argument("--pm", default=os.environ.get("LEVELDB_PMEM_PATH") or "/dev/shm",
                        metavar="PATH", help="directory for pools (default: LEVELDB_PMEM_PATH, "
                        "otherwise /dev/shm, where persistent memory is emulated)")
    parser.add_argument("--dir", default=tempfile.gettempdir(),
                        help="directory for tables and files (default: %(default)s)")
    parser.add_argument("--out", default=None, metavar="DIR",
                        help="where results are kept (default: build/suite/SCALE)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"),
                        help="build directory (default: %(default)s)")
    parser.add_argument("--again", action="store_true",
                        help="measure afresh what has been measured")
    parser.add_argument("--check", action="store_true",
                        help="tell what is wrong with the arguments and what does not fit, only")
    parser.add_argument("--report", action="store_true",
                        help="write the report of what has been measured, and measure nothing")
    parser.add_argument("--no-report", action="store_true", help="tables only")
    parser.add_argument("--list", action="store_true", help="tell the experiments and do nothing")
    parser.add_argument("experiments", nargs="*", metavar="experiment",
                        help="which ones (default: all of them)")
    arguments = parser.parse_args()
    if arguments.scale not in SCALES:
        parser.error("there is no scale %r; did you mean %s? (%s)" % (
            arguments.scale, nearest(arguments.scale, SHOWN), ", ".join(SHOWN)))
    for name in arguments.experiments:
        if name not in EXPERIMENTS:
            parser.error("there is no experiment %r; did you mean %s? (--list tells all)" % (
                name, nearest(name, list(EXPERIMENTS))))
    for path in (arguments.pm, arguments.dir):
        if not os.path.isdir(path):
            parser.error("there is no directory %s" % path)
    if arguments.out is None:
        arguments.out = os.path.join(ROOT, "build", "suite", arguments.scale)
    return arguments


def list_experiments():
    width = max(map(len, EXPERIMENTS))
    for name, experiment in EXPERIMENTS.items():
        say("%s  %s" % (name.ljust(width), experiment.question))


def shown_experiments(results, scale):
    """Yields (experiment, what its finished runs show) of all experiments with finished runs."""
    for experiment in [LIMITS] + list(EXPERIMENTS.values()):
        finished = results.of(experiment.name, experiment.runs(scale))
        if finished:
            yield experiment, experiment.show(Outcomes(finished))


def print_tables(results, scale, names):
    for experiment, shown in shown_experiments(results, scale):
        if experiment is LIMITS or experiment.name in names:
            say("\n%s: %s" % (experiment.name, experiment.question))
            for table in shown.tables:
                say("\n".join(text.format_table(table)))


def tell_report(results, directory):
    """Writes the report, unless matplotlib is missing, as it may be without run_db_bench.sh."""
    try:
        from suite.report import write_report
    except ImportError as reason:
        say("There is no report, since plots need Debian's python3-matplotlib (%s)." % reason)
        return
    say("The report is %s" % write_report(results, os.path.abspath(directory)))


def only_report(directory):
    results = Results(os.path.abspath(directory))
    if not results.load():
        raise CannotMeasure("there are no results in %s" % directory)
    tell_report(results, directory)
    return 0


def measure(arguments):
    scale = SCALES[arguments.scale]
    if arguments.report:
        return only_report(arguments.out)
    places = Places(pm=os.path.abspath(arguments.pm), disk=os.path.abspath(arguments.dir))
    names = arguments.experiments or list(EXPERIMENTS)
    experiments = [experiment for name, experiment in EXPERIMENTS.items() if name in names]
    # The files of a killed session may take the space.
    for path in {places.pm, places.disk}:
        sweep_leftovers(path, PREFIX)
    refuse_misfits([LIMITS] + experiments, scale, places.room(), places)
    if arguments.check:
        return 0
    os.makedirs(arguments.out, exist_ok=True)
    results = Results(os.path.abspath(arguments.out))
    session = Session(arguments.build, places, scale, results)
    session.begin(arguments.again)
    session.run(experiments)
    print_tables(results, scale, names)
    say("\nAll results are in %s" % results.path)
    if not arguments.no_report:
        tell_report(results, arguments.out)
    return session.exit_code()


def end_politely(number, _frame):
    raise Terminated(number)


def main():
    arguments = parse_arguments()
    if arguments.list:
        list_experiments()
        return 0
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_politely)
    try:
        return measure(arguments)
    except (Refused, CannotMeasure) as reason:
        print("run_db_bench.sh: %s" % reason, file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        print("\nInterrupted; the same command goes on from here.", file=sys.stderr)
        return 128 + signal.SIGINT
    except Terminated as ended:
        return 128 + ended.args[0]


if __name__ == "__main__":
    sys.exit(main())
