#!/usr/bin/env bash
# run.sh [--cuts N] [--media LIST] [--seed N] [--keep DIR] [--job LIST] BUILD_DIR
#
# The tier in a virtual machine with persistent memory, whose power is cut (docs/testing.md). With
# --help it says what each option does. Exit code: 0 nothing was wrong, 1 something was, 77 this
# machine cannot run it, which one sentence says.
set -euo pipefail
exec python3 -B "$(dirname "$0")/run.py" "$@"
