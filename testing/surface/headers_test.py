#!/usr/bin/env python3
"""headers_test.py SOURCE_DIR CC CXX: every header stands on its own.

Public headers compile alone as C++11, with and without exceptions and RTTI, without a warning;
those for C also as C11. Internal headers compile alone as C++20 with the project's own warnings;
those that come first in the source of the same name are proven by the build already.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

PEDANTIC = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
HOUSE = ["-Wall", "-Wextra", "-Wshadow", "-Wno-unused-parameter", "-Werror", "-fsyntax-only"]
OUTSIDE = {"build", "out", "testing/golden"}


def is_proven(header, name):
    """Whether x.cc or x_test.cc includes x.h before anything else."""
    for suffix in (".cc", "_test.cc"):
        source = header.with_name(header.stem + suffix)
        if source.exists():
            first = re.search(r'^#include [<"]([^>"]+)[>"]', source.read_text(), re.MULTILINE)
            if first and first.group(1) == name:
                return True
    return False


def cases(source, c_compiler, cc_compiler):
    """Yields (what, command, text of the file to compile)."""
    public = source / "include"
    for header in sorted(public.rglob("*.h")):
        name = header.relative_to(public).as_posix()
        text = f'#include "{name}"\n#include "{name}"\n'
        flags = ["-I", public, *PEDANTIC]
        yield name, [cc_compiler, "-xc++", "-std=c++11", *flags], text
        yield name, [cc_compiler, "-xc++", "-std=c++11", "-fno-rtti", "-fno-exceptions",
                     *flags], text
        yield name, [cc_compiler, "-xc++", "-std=c++20", *flags], text
        if header.name in ("c.h", "pmem_c.h"):
            yield name, [c_compiler, "-xc", "-std=c11", *flags], text
    for header in sorted(source.rglob("*.h")):
        name = header.relative_to(source).as_posix()
        top = name.split("/")[0]
        if top in OUTSIDE or top.startswith((".", "build")) or top == "include":
            continue
        if is_proven(header, name):
            continue
        yield name, [cc_compiler, "-xc++", "-std=c++20", "-I", source, "-I", public,
                     *HOUSE], f'#include "{name}"\n#include "{name}"\n'


def compile_one(case):
    what, command, text = case
    finished = subprocess.run([*map(str, command), "-"], input=text, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if finished.returncode != 0:
        return f"{what}: {' '.join(map(str, command))}\n{finished.stdout}"
    return None


def main():
    source, c_compiler, cc_compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    work = list(cases(source, c_compiler, cc_compiler))
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        failures = [failure for failure in pool.map(compile_one, work) if failure]
    for failure in failures:
        print(failure)
    print(f"{len(work)} compilations, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
