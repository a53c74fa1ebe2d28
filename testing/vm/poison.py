"""A job in which memory becomes bad: the host injects a machine check through QEMU's monitor."""
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
FAILED = re.compile(r"^vm: WRONG ")
# An uncorrected error that software must recover from, found while data was read: bank 9, with an
# address and its granularity (a page).
STATUS = 0xBD000000000000C0
MCG_STATUS = 0x5
MISC = 0x8C
# On a device, whose contents cannot be compared, the page is among the first extents of the pool:
# after libpmemobj's metadata and the root, from 4.5 MiB on.
FIRST_PAGE = 1152
PAGES = 256


def command(address):
    """Returns the command for QEMU's monitor: a machine check of processor 0 at a physical
    address."""
    return f"mce 0 9 {STATUS:#x} {MCG_STATUS:#x} {address} {MISC:#x}"


def send(monitor, line):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(monitor))
        connection.recv(4096)  # the greeting
        connection.sendall((line + "\n").encode())
        time.sleep(0.3)
        connection.recv(65536)


def run(start_machine, state, keep, names, seed):
    """Returns True if nothing was wrong."""
    names = [name for name in ("ext4", "devdax2m") if name in names]
    if not names:
        return True
    state.make(names)
    log = state.console
    log.unlink(missing_ok=True)
    page = FIRST_PAGE + seed % PAGES
    job = (media.assignments(names, names) +
           f"seed={seed}\npage_in_pool={page}\n. /guest/poison_job.sh\n")
    problem = None
    with start_machine(job, names, log) as machine:
        try:
            for number in range(len(names)):
                machine.wait_until(lambda: len(machine.console.all(POISON)) > number or
                                   machine.console.first(FAILED), SECONDS, "ready for poison")
                if machine.console.first(FAILED):
                    break
                send(state.monitor, command(machine.console.all(POISON)[number].group(1)))
            machine.wait_until(lambda: machine.console.first(ENDED), SECONDS, "ended")
        except (Failure, OSError) as failure:
            problem = str(failure)
    found = sections.parse(machine.console.lines)
    failed = [match.string for match in machine.console.all(FAILED)]
    findings = failed + verdicts.judge_poison(found, names) + ([problem] if problem else [])
    print(f"vm poison: {len(found)} steps, wrong {len(findings)}; seed {seed}", flush=True)
    if findings:
        for finding in findings:
            print(f"WRONG vm poison: {finding}", flush=True)
        print(f"  the console: {keep_console(log, keep)}", flush=True)
    return not findings
