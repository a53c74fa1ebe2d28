#!/usr/bin/env python3
"""namespaces_test.py LIBRARY BUILD_DIR: a library that was built with libndctl's headers uses
libndctl for namespaces, health and bad blocks, in whatever way its sources were compiled."""
import pathlib
import sys


def check_namespaces(library, build):
    """Exits with a message if the library lacks code that the headers found by the build
    require."""
    cache = (build / "CMakeCache.txt").read_text().splitlines()
    has_headers = all(any(line.startswith(f"{name}_INCLUDE_DIR:PATH=/") for line in cache)
                      for name in ("PMEMOBJ", "NDCTL", "DAXCTL"))
    is_left_out = any(line.startswith("BUSHSTORE_PMEM:") and line.endswith("=OFF")
                      for line in cache)
    if has_headers and not is_left_out and b"libndctl.so.6" not in library.read_bytes():
        sys.exit(f"{library} does not ask libndctl about namespaces")


if __name__ == "__main__":
    check_namespaces(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
