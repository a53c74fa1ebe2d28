"""Finds the benchmark programs of a build, runs db_bench and reads its report, for the scripts."""

import argparse
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = "libleveldb1d"
LIBRARY = "libleveldb.so.1d"
# Exit codes of programs and scripts: the measurement failed (for db_bench, also an invalid flag);
# the command line is invalid; the result is bad: wrong data, or a missed bound.
CANNOT, BAD_USAGE, FOUND_BAD = 1, 2, 3


def new_parser(description):
    """Returns a parser of a script's options, with the common option."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"),
                        help="build directory (default: %(default)s)")
    return parser


class CannotMeasure(Exception):
    """Tells why something cannot be measured, as a sentence."""


class ProgramFailed(CannotMeasure):
    """A program failed."""

    def __init__(self, command, code, output):
        super().__init__("%s ended with %d:\n%s" % (" ".join(command), code, output))
        self.program = os.path.basename(command[0])
        self.gave_wrong_data = code == FOUND_BAD
        self.code = code
        self.output = output


class TookTooLong(CannotMeasure):
    """A program was killed because it exceeded its time limit."""

    def __init__(self, command, seconds):
        super().__init__("%s was ended after %g s" % (os.path.basename(command[0]), seconds))


@functools.lru_cache(maxsize=None)
def find_file(directory, name):
    for place, _, files in os.walk(directory):
        if name in files:
            return os.path.join(place, name)
    raise CannotMeasure(
        "There is no %s under %s; build it first: cmake --preset release && "
        "cmake --build --preset release." % (name, directory))


def make_directory(parent, prefix):
    """Creates a directory whose name holds the process id, so that sweep_leftovers() can recognise
    directories that are not used any more."""
    return tempfile.mkdtemp(prefix="%s.%d." % (prefix, os.getpid()), dir=parent)


def end_by_exception():
    """Turns signals that end the script into KeyboardInterrupt, so that the script removes its
    files."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)


def has_ended(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def sweep_leftovers(parent, prefix):
    """Removes the directories that make_directory() created for processes that were killed."""
    for name in os.listdir(parent):
        match = re.fullmatch(re.escape(prefix) + r"\.(\d+)\..+", name)
        path = os.path.join(parent, name)
        if match and os.stat(path).st_uid == os.getuid() and has_ended(int(match.group(1))):
            shutil.rmtree(path, ignore_errors=True)


def workload_file(name):
    """Returns the path of a workload file of ycsbc."""
    return os.path.join(ROOT, "ycsbc", "workloads", name)


def find_debian_library():
    try:
        listed = subprocess.run(["dpkg", "-L", PACKAGE], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        listed = ""
    for path in listed.split():
        if os.path.basename(path) == LIBRARY and os.path.exists(path):
            return path
    raise CannotMeasure("Debian's LevelDB is not installed; install it with: "
                        "apt-get install %s." % PACKAGE)


def link_library(library, directory):
    """Creates a directory for LD_LIBRARY_PATH, with which programs load `library`."""
    os.mkdir(directory)
    os.symlink(os.path.abspath(library), os.path.join(directory, LIBRARY))
    return directory


def run_program(command, environment=None, group=None, seconds=None):
    """Runs a program to its end, in a MemoryGroup if one is given; returns its output. Kills the
    program if an exception is raised. After `seconds`, raises TookTooLong."""
    kills = group.kills() if group else 0
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          preexec_fn=group.enter_child if group else None) as process:
        try:
            output = process.communicate(timeout=seconds)[0].decode(errors="replace")
        except subprocess.TimeoutExpired as late:
            process.kill()
            process.communicate()
            raise TookTooLong(command, seconds) from late
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        if group and group.kills() > kills:
            output += "\nit was killed, since its group of %d MB had no memory left" % (
                group.limit >> 20)
        raise ProgramFailed(command, process.returncode, output)
    return output


def read_report(path):
    """Returns a report of db_bench, with the last result of each benchmark by name."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    report["by_name"] = {result["name"]: result for result in report["results"]}
    return report


def found_in(lines):
    """Returns the number that readrandom found, from its line "(12 of 20 found)"."""
    for line in lines:
        if line.startswith("readrandom") and "found)" in line:
            return int(line.split("(")[1].split()[0])
    raise CannotMeasure("db_bench did not say what readrandom found:\n" + "".join(lines))


def run_and_kill(command, last):
    """Kills db_bench when it has printed the result of the benchmark `last`. Returns its lines."""
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as process:
        try:
            for line in process.stdout:
                lines.append(line)
                if line.startswith(last) and "micros/op" in line:
                    process.send_signal(signal.SIGKILL)
                    break
            process.stdout.read()
        except BaseException:
            process.kill()
            raise
    if process.returncode != -signal.SIGKILL:
        raise ProgramFailed(command, process.returncode, "".join(lines))
    return lines
