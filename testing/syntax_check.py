#!/usr/bin/env python3
"""syntax_check.py BUILD_DIR [-j N] [--built TARGET]: reads every source file of a build as its
compiler would, for errors and warnings only: nothing is optimised or written.

The commands are those of BUILD_DIR/compile_commands.json without what only matters to code, such
as sanitizers. What TARGET is made of (in a build of Ninja) is passed over: who has just built it
knows that it compiles. Files that fail are shown with their messages, and make the exit code 1.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

# What only matters to what is written; those of the second kind take the next word along.
DROPPED = ("-c", "-MD", "-MMD")
DROPPED_WITH_VALUE = ("-o", "-MF", "-MT", "-MQ")
DROPPED_PREFIXES = ("-fsanitize", "-fno-sanitize")


def words_of(entry):
    return entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])


def syntax_only(words):
    kept = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in DROPPED_WITH_VALUE:
            skip = True
        elif word not in DROPPED and not word.startswith(DROPPED_PREFIXES):
            kept.append(word)
    return kept + ["-fsyntax-only", "-Werror"]


def object_of(words, directory):
    at = words.index("-o") if "-o" in words else len(words)
    return os.path.join(directory, words[at + 1]) if at + 1 < len(words) else None


def objects_of_target(build, target):
    """The objects that Ninja compiles for it."""
    listed = subprocess.run(["ninja", "-t", "commands", target], cwd=build, check=True,
                            stdout=subprocess.PIPE, universal_newlines=True).stdout
    objects = set()
    for line in listed.splitlines():
        if " -c " in line:
            objects.add(object_of(shlex.split(line), str(build)))
    return objects


def read(entry):
    done = subprocess.run(syntax_only(words_of(entry)), cwd=entry["directory"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(usage="%(prog)s BUILD_DIR [-j N] [--built TARGET]")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count())
    parser.add_argument("--built", metavar="TARGET")
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    with open(build / "compile_commands.json", encoding="utf-8") as file:
        entries = json.load(file)
    built = objects_of_target(build, arguments.built) if arguments.built else set()
    # What several programs are made of in the same way is read once.
    entries = list({tuple(syntax_only(words_of(entry))): entry for entry in entries
                    if object_of(words_of(entry), entry["directory"]) not in built}.values())
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for entry, (code, messages) in zip(entries, pool.map(read, entries)):
            if code != 0:
                failed += 1
                print(f"syntax_check: {entry['file']}:\n{messages}", flush=True)
    print(f"syntax_check: {len(entries)} files read, {failed} failed")
    sys.exit(1 if failed or not entries else 0)


if __name__ == "__main__":
    main()
