#!/usr/bin/env python3
"""Tries to open databases with plyvel.

Prints a line "refused DIR: why" or "opened DIR: N entries" for each.
"""

import sys

import plyvel

for directory in sys.argv[1:]:
    try:
        database = plyvel.DB(directory, create_if_missing=False)
    except plyvel.Error as error:
        print(f"refused {directory}: {error}")
        continue
    with database:
        print(f"opened {directory}: {sum(1 for _ in database)} entries")
