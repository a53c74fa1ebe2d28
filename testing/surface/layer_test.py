#!/usr/bin/env python3
"""layer_test.py SOURCE_DIR: includes run only downwards through the layers.

Checks every #include line against the table of layers, and every file against a few rules that a
compiler does not check. Each finding is printed with its position and what to do about it.
"""
import pathlib
import re
import sys

# A folder is a layer; it may include itself, what is listed here, and what is in COMMON. A name
# that ends with /* stands for everything under it.
LAYERS = {
    "benchmarks": [],
    "ycsbc": ["benchmarks"],
    "benchmarks/peers": ["benchmarks", "ycsbc"],
    "tools": [],
    "db": ["db/*", "pmem", "pmem/*"],
    "db/open": ["db/jobs", "db/state", "db/version", "db/mem", "db/files", "pmem", "pmem/*",
                "table", "filelog", "entry"],
    "db/write": ["db/state", "db/version", "db/mem", "db/files", "pmem", "pmem/wal", "pmem/value",
                 "pmem/media", "filelog", "entry"],
    "db/read": ["db/state", "db/version", "db/mem", "db/files", "pmem/group", "pmem/value",
                "pmem/media", "iterator", "entry"],
    "db/jobs": ["db/decide", "db/state", "db/version", "db/mem", "db/files", "pmem", "pmem/*",
                "iterator", "entry"],
    "db/decide": ["db/version", "pmem/group", "pmem/value", "pmem/bptree", "entry"],
    "db/state": ["db/version", "db/mem", "iterator", "entry"],
    "db/version": ["db/files", "pmem/bptree", "pmem/group", "pmem/value", "pmem/media", "filelog",
                   "iterator", "entry"],
    "db/files": ["table", "iterator"],
    "db/mem": ["iterator", "entry"],
    "pmem": ["pmem/*"],
    "pmem/group": ["pmem/bptree", "pmem/media", "iterator", "entry"],
    "pmem/bptree": ["pmem/media", "iterator", "entry"],
    "pmem/wal": ["pmem/media"],
    "pmem/value": ["pmem/media", "entry"],
    "pmem/media": [],
    "table": ["iterator"],
    "filelog": [],
    "iterator": [],
    "entry": [],
    "util": [],
    "port": [],
    "include": [],
}
COMMON = ["include", "util", "port"]
# External headers that are sometimes included with quotes.
OTHERS = ("gtest/", "gmock/")
# The lowest layers, which may not even include everything in COMMON.
BASE = {"util": ["include", "port"], "port": [], "include": []}
# Files that may include anything, because their purpose requires it.
EXEMPT = {"benchmarks/pmem_bench.cc", "tools/leveldbutil.cc", "tools/stored_order.cc"}

LINES_MAX = 1000
COLUMNS_MAX = 100

SOURCES = {".h", ".cc", ".c"}
TEXTS = SOURCES | {".py", ".sh", ".cmake", ".in"}
OUTSIDE = {"build", "out", ".git"}
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b|DIS" + r"ABLED_")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def folder_of(path):
    """Returns the layer of a file: the longest key of LAYERS that is a prefix of its path."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if name in LAYERS or name == "testing":
            return name
    return None


def may_include(source, target, is_test):
    if source == target:
        return True
    if source in BASE and not is_test:
        return target in BASE[source]
    if is_test and target == "testing":
        return True
    allowed = LAYERS[source] + COMMON
    return any(target == name or (name.endswith("/*") and target.startswith(name[:-1]))
               for name in allowed)


def check_layers(name, lines, report):
    source = folder_of(name)
    if source == "testing" or name in EXEMPT:
        return
    if source is None:
        report(name, 1, "is in a folder that the table of layers does not know")
        return
    is_test = name.rsplit(".", 1)[0].endswith("_test")
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        included = match.group(1)
        if included.startswith(OTHERS):
            continue
        target = "include" if included.startswith("leveldb/") else folder_of(included)
        if target is None:
            report(name, number, f'"{included}": write the path from the root of the repository')
        elif not may_include(source, target, is_test):
            report(name, number, f"{source} may not include {target}")


def check_lines(name, lines, report):
    if len(lines) > LINES_MAX:
        report(name, LINES_MAX, f"{len(lines)} lines, at most {LINES_MAX}: should it be two files?")
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            report(name, number, "unfinished work does not stay in the tree")
        if "\t" in line or line != line.rstrip():
            report(name, number, "tabs or spaces at the end of the line")
        if len(line) > COLUMNS_MAX and name.endswith((".h", ".cc", ".c", ".py", ".sh")):
            report(name, number, f"{len(line)} columns, at most {COLUMNS_MAX}")


def check_guard(name, text, report):
    if not name.endswith(".h"):
        return
    stem = re.sub(r"[^A-Za-z0-9]", "_", name.removeprefix("include/")).upper() + "_"
    guard = stem if name.startswith("include/") else "BUSHSTORE_" + stem
    prefix = "LEVELDB_INCLUDE_" if name.startswith("include/leveldb/") else None
    accepted = {guard, "BUSHSTORE_" + stem}
    if prefix:
        accepted.add(prefix + stem.removeprefix("LEVELDB_"))
    found = re.search(r"^#ifndef (\w+)\n#define (\w+)$", text, re.MULTILINE)
    if not found or found.group(1) != found.group(2) or found.group(1) not in accepted:
        report(name, 1, f"the header guard should be {sorted(accepted)[0]}")


def check_built(root, name, report):
    """Reports a file that no CMakeLists.txt names, which is never compiled."""
    if not name.endswith((".cc", ".c")):
        return
    path = pathlib.PurePosixPath(name)
    for folder in path.parents:
        listing = root / folder / "CMakeLists.txt"
        if listing.exists() and path.relative_to(folder).as_posix() in listing.read_text():
            return
    report(name, 1, "no CMakeLists.txt names it")


def main():
    root = pathlib.Path(sys.argv[1])
    findings = []

    def report(name, line, what):
        findings.append(f"{name}:{line}: {what}")

    count = 0
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        top = name.split("/")[0]
        if top in OUTSIDE or top.startswith("build") or "/golden/" in name or not path.is_file():
            continue
        if path.suffix not in TEXTS and path.name != "CMakeLists.txt":
            continue
        count += 1
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
        if name.startswith(("testing/abi/", "testing/formats/")):
            continue  # recorded facts and their checkers, kept as they are
        check_lines(name, lines, report)
        if path.suffix in SOURCES:
            check_layers(name, lines, report)
            check_guard(name, text, report)
            check_built(root, name, report)
            if not text.isascii():
                report(name, 1, "has characters that are not ASCII")
    for finding in findings:
        print(finding)
    print(f"{count} files read, {len(findings)} findings")
    sys.exit(1 if findings or count < 50 else 0)


if __name__ == "__main__":
    main()
