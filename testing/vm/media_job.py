"""Jobs that boot once, print sections, and end: the tier on every medium, and its tests there."""
import time

import media
import sections
import verdicts
from commands import Failure
from console import ENDED, keep_console

SECONDS = 1200
STRESS_SECONDS = 8
TESTS_SECONDS = 5400
TEST_SCALE = 0.05
TESTS_MEMORY_MIB = 2560  # half of it is available to tmpfs
# Suites that run on real pools in a short time; those on simulated ones run in every build.
TEST_FILTER = ":".join(["WritesSurvive.*", "Whether/WritesSurvive.*", "With/KilledProcess.*",
                        "WholeDatabases.*", "Drain.*", "PoolFull.*", "Of/VersionsOfOneKey.*"])
# Those that neither keep images of their pools nor need one of a certain size.
DEVICE_TEST_FILTER = ":".join(["Whether/WritesSurvive.*", "With/KilledProcess.*", "Drain.*",
                               "Of/VersionsOfOneKey.*"]) + "-*AtEachStep*:*OnDisk*"


class SectionsJob:
    """One boot. `script` is a file in guest/; `judge` returns findings for its sections and
    media."""

    def __init__(self, name, script, names, variables, judge, prepare=None, without=(),
                 dimm_bytes=None, machine=None, seconds=SECONDS):
        """prepare(state) is called before the boot. The DIMMs of the media `without` are left
        out, and `dimm_bytes` overrides the sizes of others by name. `machine` has arguments of
        Machine."""
        self.name = name
        self._script = script
        self._names = names
        self._variables = variables
        self._judge = judge
        self._prepare = prepare
        self._without = without
        self._dimm_bytes = dimm_bytes
        self._machine = machine or {}
        self._seconds = seconds

    def run(self, start_machine, state, keep, seed):
        """Returns True if nothing was wrong."""
        dimms = [name for name in media.dimms_of(self._names) if name not in self._without]
        state.make(dimms, self._dimm_bytes)
        if self._prepare:
            self._prepare(state)
        log = state.console
        log.unlink(missing_ok=True)
        began = time.monotonic()
        problem = None
        with start_machine(self._job(dimms, seed), dimms, log, **self._machine) as machine:
            try:
                machine.wait_until(lambda: machine.console.first(ENDED), self._seconds, "ended")
            except Failure as failure:
                problem = str(failure)
        found = sections.parse(machine.console.lines)
        findings = self._judge(found, self._names)
        if problem or machine.console.wrong():
            findings.append(problem or machine.console.wrong())
        print(f"vm {self.name}: {len(found)} steps on {', '.join(self._names)} in "
              f"{time.monotonic() - began:.0f} s, wrong {len(findings)}", flush=True)
        if findings:
            for finding in findings:
                print(f"WRONG vm {self.name}: {finding}", flush=True)
            print(f"  the console: {keep_console(log, keep)}", flush=True)
        return not findings

    def _job(self, dimms, seed):
        lines = [f'{name}="{value}"' for name, value in {**self._variables, "seed": seed}.items()]
        return (media.assignments(self._names, dimms) + "\n".join(lines) +
                f"\n. /guest/{self._script}\n")


def media_jobs(names):
    """Returns the job with every command and program, on every medium with a tier."""
    with_tier = [name for name in names if name != "files"]
    return [SectionsJob("media", "media_job.sh", with_tier,
                        {"traced_writes": verdicts.TRACED_WRITES}, verdicts.judge)
            ] if with_tier else []


def eadr_jobs(names):
    """Returns the same job on a machine whose caches survive a power failure: nothing is written
    back."""
    named = [name for name in ("ext4", "devdax2m") if name in names]
    return [SectionsJob("eadr", "media_job.sh", named, {"traced_writes": verdicts.TRACED_WRITES},
                        verdicts.judge_eadr, machine={"persistence": "cpu"})] if named else []


def tests_jobs(names):
    """Returns the tier's integration tests and stress with kills on every medium with a tier. A
    test keeps an image of a pool for each of a hundred moments."""
    with_tier = [name for name in names if name not in ("files", "devdax1g")]
    return [SectionsJob("tests", "tests_job.sh", with_tier,
                        {"test_filter": TEST_FILTER, "device_test_filter": DEVICE_TEST_FILTER,
                         "test_scale": TEST_SCALE, "stress_seconds": STRESS_SECONDS},
                        verdicts.judge_tests,
                        dimm_bytes={"ext4": media.TESTS_BYTES, "xfs": media.TESTS_BYTES},
                        machine={"memory_mib": TESTS_MEMORY_MIB}, seconds=TESTS_SECONDS)
            ] if with_tier else []


def absent_jobs(names):
    """Returns a job with databases whose DIMMs are missing (ext4), write-protected (xfs, devdax2m)
    or smaller (devdax4k) at the second boot."""
    named = [name for name in media.dimms_of(names) if name in verdicts.REFUSALS]
    if not named:
        return []

    def shrink(state):
        if "devdax4k" in named:
            with open(state.dimm("devdax4k"), "r+b") as dimm:
                dimm.truncate(media.DIMM_BYTES["devdax4k"] // 2)

    return [SectionsJob("absent", "absent_job.sh", named, {"phase": "make"},
                        verdicts.judge_exit_codes),
            SectionsJob("absent", "absent_job.sh", named, {"phase": "find"},
                        verdicts.judge_refusals, shrink, ["ext4"],
                        machine={"dimm_options": {"xfs": "unarmed=on",
                                                  "devdax2m": "unarmed=on"}})]
