#!/usr/bin/env python3
"""headers_test.py SOURCE_DIR CC CXX: every header compiles by itself.

Public headers compile by themselves as C++11, with and without exceptions and RTTI, without a
warning; those for C also as C11. Internal headers compile by themselves as C++20 with the project's
own warnings; those that come first in the source of the same name are already proven by the build.

Most of the time goes into a few external headers. Those are precompiled for the headers of ours
that include all of them, directly or indirectly: such a header sees the same declarations as
without, since all of them come before its own text. Each of the other headers is compiled
separately.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

PEDANTIC = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
INTERNAL = ["-Wall", "-Wextra", "-Wshadow", "-Wno-unused-parameter", "-Werror", "-fsyntax-only"]
OUTSIDE = {"build", "out", "testing/golden"}
# External headers that are precompiled; a header of ours uses the first group of which it includes
# all.
PRECOMPILED = [["gtest/gtest.h"],
               ["functional", "memory", "mutex", "string", "thread", "vector"]]
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')


def is_proven(header, name):
    """Returns whether x.cc or x_test.cc includes x.h before anything else."""
    for suffix in (".cc", "_test.cc"):
        source = header.with_name(header.stem + suffix)
        if source.exists():
            first = re.search(r'^#include [<"]([^>"]+)[>"]', source.read_text(), re.MULTILINE)
            if first and first.group(1) == name:
                return True
    return False


def brought(source, name, seen):
    """Returns the external headers that a header of ours always includes, directly or
    indirectly."""
    places = [path for path in (source / name, source / "include" / name) if path.is_file()]
    if not places:
        return {name}
    found = set()
    if name in seen:
        return found
    seen.add(name)
    depth = 0  # 1 is inside the guard; what is deeper may be left out
    for line in places[0].read_text().split("\n"):
        depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif", line))
        match = INCLUDE.match(line)
        if match and depth <= 1:
            found |= brought(source, match.group(1), seen)
    return found


def internal_command(source, cc_compiler):
    return [cc_compiler, "-xc++", "-std=c++20", "-I", source, "-I", source / "include", *INTERNAL]


def precompile(command, directory):
    """Precompiles the groups of PRECOMPILED; the files are named by the index of the group."""
    def one(number):
        header = directory / f"{number}.h"
        header.write_text("".join(f"#include <{name}>\n" for name in PRECOMPILED[number]))
        flags = [flag for flag in command if flag not in ("-xc++", "-fsyntax-only")]
        subprocess.run([*map(str, flags), "-xc++-header", header, "-o", f"{header}.gch"],
                       check=True)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(one, range(len(PRECOMPILED))))


def cases(source, c_compiler, cc_compiler, precompiled):
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
    internal = internal_command(source, cc_compiler)
    for header in sorted(source.rglob("*.h")):
        name = header.relative_to(source).as_posix()
        top = name.split("/")[0]
        if top in OUTSIDE or top.startswith((".", "build")) or top == "include":
            continue
        if is_proven(header, name):
            continue
        others = brought(source, name, set())
        first = [["-include", precompiled / f"{number}.h"]
                 for number, names in enumerate(PRECOMPILED) if others.issuperset(names)][:1]
        yield name, internal + sum(first, []), f'#include "{name}"\n#include "{name}"\n'


def compile_one(case):
    what, command, text = case
    finished = subprocess.run([*map(str, command), "-"], input=text, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if finished.returncode != 0:
        return f"{what}: {' '.join(map(str, command))}\n{finished.stdout}"
    return None


def main():
    source, c_compiler, cc_compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    with tempfile.TemporaryDirectory() as precompiled:
        try:
            precompile(internal_command(source, cc_compiler), pathlib.Path(precompiled))
        except subprocess.CalledProcessError:
            sys.exit("headers of others do not compile: the compiler has said why")
        work = list(cases(source, c_compiler, cc_compiler, pathlib.Path(precompiled)))
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            failures = [failure for failure in pool.map(compile_one, work) if failure]
    for failure in failures:
        print(failure)
    print(f"{len(work)} compilations, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
