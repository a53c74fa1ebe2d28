#!/usr/bin/env python3
"""install_test.py SOURCE_DIR BUILD_DIR CMAKE GENERATOR CC CXX: an installed copy can be used.

Installs the build into an empty prefix, then builds a small C and a small C++ program against it,
by CMake's find_package and by pkg-config, with the shared and with the static library, and runs
them. Nothing outside the prefix and the system's own libraries may be needed.
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

from namespaces_test import check_namespaces


def run(*command, **environment):
    """Runs a command; its output is shown only if it fails."""
    finished = subprocess.run([str(word) for word in command], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, **environment})
    if finished.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{finished.stdout}\n"
                 f"exit code {finished.returncode}")
    return finished.stdout.strip()


def check_prefix(prefix):
    """Checks that the files of an installation are there."""
    libraries = [path.parent for path in prefix.rglob("libleveldb.so.1d")]
    if len(libraries) != 1:
        sys.exit(f"libleveldb.so.1d is in {libraries}")
    library = libraries[0]
    wanted = [library / "libleveldb.so", library / "libleveldb.a",
              library / "pkgconfig/leveldb.pc",
              library / "cmake/leveldb/leveldbConfig.cmake",
              library / "cmake/leveldb/leveldbConfigVersion.cmake",
              prefix / "include/leveldb/helpers/memenv.h"]
    wanted += [prefix / "include/leveldb" / f"{name}.h" for name in (
        "c cache comparator db dumpfile env export filter_policy iterator options pmem pmem_c "
        "slice status table table_builder write_batch").split()]
    for path in wanted:
        if not path.exists():
            sys.exit(f"not installed: {path}")
    links = {path.name: os.readlink(path) for path in library.iterdir() if path.is_symlink()}
    if links.get("libleveldb.so") != "libleveldb.so.1d":
        sys.exit(f"the links of the shared library are {links}")
    tool = prefix / "bin/bushstore"
    if not tool.exists():
        sys.exit(f"not installed: {tool}")
    for path in prefix.rglob("*"):
        inside = path.relative_to(prefix).as_posix()
        if path == tool:
            continue
        for stranger in ("testing", "gtest", "bush_", "bushstore"):
            if stranger in inside:
                sys.exit(f"installed, and should not be: {inside}")
    return library


def by_cmake(cmake, generator, source, prefix, library, work, compilers):
    """Builds the consumer project; returns its programs."""
    run(cmake, "-G", generator, "-S", source / "testing/surface/consumer", "-B", work / "cmake",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={compilers['c']}",
        f"-DCMAKE_CXX_COMPILER={compilers['cc']}", "-DCMAKE_BUILD_TYPE=Release")
    found = (work / "cmake/CMakeCache.txt").read_text()
    if f"leveldb_DIR:PATH={library}/cmake/leveldb" not in found:
        sys.exit("find_package took another copy:\n" + found)
    run(cmake, "--build", work / "cmake", "--parallel", 2)
    return [work / "cmake" / f"{kind}_{program}_{language}" for kind in ("shared", "static")
            for program in ("consumer", "consumer_pmem") for language in ("cc", "c")]


def by_pkg_config(source, prefix, library, work, compilers):
    """Compiles the consumer's files by hand; returns the programs."""
    programs = []
    paths = {"PKG_CONFIG_PATH": str(library / "pkgconfig")}
    for kind in ("shared", "static"):
        for language in ("cc", "c"):
            program = work / f"pkg_{kind}_{language}"
            flags = ["--static"] if kind == "static" else []
            words = shlex.split(run("pkg-config", *flags, "--cflags", "--libs", "leveldb", **paths))
            if f"-L{library}" not in words and f"-I{prefix}/include" not in words:
                sys.exit(f"pkg-config took another copy: {words}")
            link = ["-static"] if kind == "static" else [f"-Wl,-rpath,{library}"]
            run(compilers[language], source / f"testing/surface/consumer/consumer.{language}",
                "-o", program, *words, *link)
            programs.append(program)
    return programs


def main():
    source, build, cmake, generator, c_compiler, cc_compiler = sys.argv[1:7]
    source = pathlib.Path(source)
    compilers = {"c": c_compiler, "cc": cc_compiler}
    with tempfile.TemporaryDirectory(prefix="bushstore-install-") as temporary:
        work = pathlib.Path(temporary)
        prefix = work / "prefix"
        run(cmake, "--install", build, "--prefix", prefix)
        library = check_prefix(prefix)
        check_namespaces(library / "libleveldb.so.1d", pathlib.Path(build))
        programs = by_cmake(cmake, generator, source, prefix, library, work, compilers)
        programs += by_pkg_config(source, prefix, library, work, compilers)
        print(run(prefix / "bin/bushstore", "--version"))
        for program in programs:
            print(f"{program.name}: {run(program, work / 'db')}")


if __name__ == "__main__":
    main()
