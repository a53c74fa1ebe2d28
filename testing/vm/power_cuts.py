"""Cuts the machine's power many times while databases are written to, and checks that every
acknowledged write survives.

One boot serves all media at once: a cut is a cut of each of them. The next boot verifies each
database (power_writer), and then continues to write. A last boot verifies what the last cut left.
"""
import dataclasses
import shutil
import time

import media
import seeds
from acknowledgements import Page, State
from commands import Failure
from console import BOOTED
from machine import Machine

BOOT_SECONDS = 180
VERIFY_SECONDS = 300
THREADS = 3


@dataclasses.dataclass
class Tally:
    """The counts of one medium."""
    cuts: int = 0
    acknowledged: int = 0
    verified: int = 0
    jobs: tuple = (0, 0, 0)
    wrong: int = 0


class PowerCuts:
    def __init__(self, start_machine, state, keep, names, seed, repeat):
        """start_machine(job, dimms, log) makes a Machine. Failing states are copied to `keep`;
        `repeat` is the command line that repeats the run, without the seed."""
        self._start_machine = start_machine
        self._state = state
        self._keep = keep
        self._names = list(names)
        self._dimms = media.dimms_of(names)
        self._seed = seed
        self._repeat = repeat
        self.tallies = {name: Tally() for name in names}

    def run(self, count):
        """Returns True if nothing was wrong."""
        self._state.make(self._dimms)
        print(f"vm: {count} power cuts of {', '.join(self._names)}; seed {self._seed}", flush=True)
        page = Page(self._state.page)
        try:
            for number in range(1, count + 2):
                if not self._names:
                    break
                self._cycle(page, number, None if number > count else
                            seeds.cut_of(self._seed, number))
        finally:
            page.close()
        self._report()
        return all(tally.wrong == 0 for tally in self.tallies.values())

    def _job(self):
        return (media.assignments(self._names, self._dimms) +
                f"seed={self._seed}\nthreads={THREADS}\n. /guest/power_cuts.sh\n")

    def _cycle(self, page, number, cut):
        """Boots, verifies what the last cut left, and ends with the next cut; without `cut` ends
        when all has been verified."""
        began = time.monotonic()
        before = self._state.folder.parent / "before"
        shutil.rmtree(before, ignore_errors=True)
        self._state.copy_to(before)
        for name in self._names:
            page.forget_state(media.SLOTS[name])
        log = self._state.console
        log.unlink(missing_ok=True)
        openings = {name: self._slot(page, name).openings for name in self._names}
        totals = {name: self._slot(page, name).total for name in self._names}
        problem = None
        with self._start_machine(self._job(), self._dimms, log) as machine:
            try:
                self._wait_and_cut(machine, page, cut)
            except Failure as failure:
                problem = str(failure)
            machine.cut_power()
            if machine.console.wrong() and problem is None:
                problem = "the console says that something is wrong"
        booted = machine.console.first(BOOTED)
        wrong = []
        for name in self._names:
            slot = self._slot(page, name)
            tally = self.tallies[name]
            tally.acknowledged += slot.total - totals[name]
            tally.verified += slot.openings - openings[name]
            tally.jobs = tuple(map(sum, zip(tally.jobs, slot.jobs)))
            if slot.state == State.WRONG:
                wrong.append(name)
            elif cut is not None:
                tally.cuts += 1
        counts = " ".join(f"{name}={self._slot(page, name).total - totals[name]}"
                          for name in self._names)
        what = ("verified" if cut is None else f"cut {cut.seconds:.1f} s into "
                f"{'writing' if cut.while_writing else 'recovery'}")
        print(f"vm: {number}: {what}; boot {booted.group(1) if booted else '?'} s, "
              f"all {time.monotonic() - began:.1f} s; acknowledged {counts}", flush=True)
        if wrong or problem:
            self._keep_failure(before, log, number, wrong, problem, machine)

    def _wait_and_cut(self, machine, page, cut):
        machine.wait_until(lambda: machine.console.first(BOOTED), BOOT_SECONDS, "booted")
        wait_for_recovery = cut is not None and not cut.while_writing

        def ready():
            states = [self._slot(page, name).state for name in self._names]
            if State.WRONG in states:
                # The other writers may still find something wrong, too.
                return State.UNUSED not in states and State.VERIFYING not in states
            if wait_for_recovery:
                return any(state != State.UNUSED for state in states)
            return all(state == State.WRITING for state in states)

        machine.wait_until(ready, VERIFY_SECONDS, "verified")
        if cut is not None:
            time.sleep(cut.seconds)

    def _slot(self, page, name):
        return page.slot(media.SLOTS[name])

    def _keep_failure(self, before, log, number, wrong, problem, machine):
        """Keeps the state that the power cut left, and continues without the media that were
        wrong."""
        kept = self._keep / f"seed-{self._seed}-boot-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(before, kept / "state")
        shutil.copy(log, kept / "console.log")
        print(f"WRONG vm: boot {number} of seed {self._seed}: {', '.join(wrong) or problem}\n"
              f"{machine.console.wrong() or ''}\n"
              f"  kept: {kept} (the machine's state before the boot that found it)\n"
              f"to repeat: {self._repeat} --media {','.join(self._names)} --from {kept}/state "
              f"--seed {self._seed} --cuts 0", flush=True)
        if not wrong:
            raise Failure(f"The run ends here, because no medium can be named: {problem}")
        for name in wrong:
            self.tallies[name].wrong += 1
            self._names.remove(name)

    def _report(self):
        for name, tally in self.tallies.items():
            print(f"vm {name}: {tally.cuts} cuts, {tally.acknowledged} acknowledged writes, "
                  f"{'/'.join(map(str, tally.jobs))} merges/GC jobs/spills, "
                  f"verified {tally.verified} times, wrong {tally.wrong}", flush=True)
