"""A job in which memory goes bad: the host injects a machine check through QEMU's monitor."""
import re
import socket
import time

import media
import sections
import verdicts
from commands import Failure
from console import ENDED, keep_console

SECONDS = 600
POISON = re.compile(r"^vm: poison (0x[0-9a-f]+)")
# An uncorrected error that software must recover from, found while data was read: bank 9, with an
# address and its granularity (a page).
STATUS = 0xBD000000000000C0
MCG_STATUS = 0x5
MISC = 0x8C


def command(address):
    """For QEMU's monitor: a machine check of processor 0 at a physical address."""
    return f"mce 0 9 {STATUS:#x} {MCG_STATUS:#x} {address} {MISC:#x}"


def send(monitor, line):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(monitor))
        connection.recv(4096)  # the greeting
        connection.sendall((line + "\n").encode())
        time.sleep(0.3)
        connection.recv(65536)


def run(start_machine, state, keep, seed):
    """True if nothing was wrong."""
    state.make(["ext4"])
    log = state.console
    log.unlink(missing_ok=True)
    job = (media.assignments(["ext4"], ["ext4"]) +
           f"seed={seed}\nshare={seed % 80 + 10}\n. /guest/poison_job.sh\n")
    problem = None
    with start_machine(job, ["ext4"], log) as machine:
        try:
            machine.wait_until(lambda: machine.console.first(POISON), SECONDS, "ready for poison")
            send(state.monitor, command(machine.console.first(POISON).group(1)))
            machine.wait_until(lambda: machine.console.first(ENDED), SECONDS, "ended")
        except (Failure, OSError) as failure:
            problem = str(failure)
    found = sections.parse(machine.console.lines)
    findings = verdicts.judge_poison(found) + ([problem] if problem else [])
    print(f"vm poison: {len(found)} steps, wrong {len(findings)}; seed {seed}", flush=True)
    if findings:
        for finding in findings:
            print(f"WRONG vm poison: {finding}", flush=True)
        print(f"  the console: {keep_console(log, keep)}", flush=True)
    return not findings
