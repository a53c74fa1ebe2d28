"""Runs guest/media_job.sh on every medium and judges what it prints."""
import shutil
import time

import media
import sections
import verdicts
from commands import Failure
from console import ENDED

SECONDS = 1200
STRESS_SECONDS = 8
# Suites that work on real pools in a moment; those about simulated ones run in every build.
TEST_FILTER = ":".join(["WritesSurvive.*", "Whether/WritesSurvive.*", "With/KilledProcess.*",
                        "WholeDatabases.*", "Drain.*", "PoolFull.*", "Of/VersionsOfOneKey.*"])


class MediaJob:
    def __init__(self, start_machine, state, keep, names, seed):
        self._start_machine = start_machine
        self._state = state
        self._keep = keep
        self._names = [name for name in names if name != "files"] + ["tmpfs"]
        self._seed = seed

    def _job(self):
        tested = " ".join(name for name in self._names if name in ("ext4", "xfs", "msync"))
        return (media.assignments(self._names, media.dimms_of(self._names)) +
                f'seed={self._seed}\ntested_media="{tested}"\ntest_filter="{TEST_FILTER}"\n'
                f"traced_writes={verdicts.TRACED_WRITES}\nstress_seconds={STRESS_SECONDS}\n"
                ". /guest/media_job.sh\n")

    def run(self):
        """True if nothing was wrong."""
        dimms = media.dimms_of(self._names)
        self._state.make(dimms)
        log = self._state.folder / "console.log"
        began = time.monotonic()
        problem = None
        with self._start_machine(self._job(), dimms, log) as machine:
            try:
                machine.wait_until(lambda: machine.console.first(ENDED), SECONDS, "ended")
            except Failure as failure:
                problem = str(failure)
        found = sections.parse(machine.console.lines)
        findings = verdicts.judge(found, self._names)
        if problem or machine.console.wrong():
            findings.append(problem or machine.console.wrong())
        print(f"vm media: {len(found)} steps on {', '.join(self._names)} in "
              f"{time.monotonic() - began:.0f} s, wrong {len(findings)}", flush=True)
        if findings:
            self._keep.mkdir(parents=True, exist_ok=True)
            kept = self._keep / f"media-seed-{self._seed}.log"
            shutil.copy(log, kept)
            for finding in findings:
                print(f"WRONG vm media: {finding}", flush=True)
            print(f"  the console: {kept}", flush=True)
        return not findings
