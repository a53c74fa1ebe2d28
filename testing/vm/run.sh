#!/usr/bin/env bash
# run.sh [--cuts N] [--media LIST] [--seed N] [--keep DIR] [--job LIST] BUILD_DIR
#
# Runs the tier in a virtual machine with persistent memory, whose power is cut (docs/testing.md).
# --help describes each option. Exit code: 0 nothing was wrong, 1 something was wrong, 77 this
# machine cannot run it, for the reason printed.
set -euo pipefail
exec python3 -B "$(dirname "$0")/run.py" "$@"
