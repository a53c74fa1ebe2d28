"""Runs all experiments of a session in their order: refuses those that do not fit, and prints the
progress."""

import os
import sys
import time

from programs import CANNOT, FOUND_BAD, CannotMeasure, ProgramFailed
from suite import results as states
from suite.bench import Bench, LeftOut, WrongData
from suite.experiments import EXPERIMENTS, LIMITS, NOISE
from suite.machine import (describe, digest_of_file, digest_of_programs, identity_of,
                           lacks)
from suite.scale import SCALES, SHOWN


class Refused(Exception):
    """Tells why a session does not begin, as sentences."""


def say(text):
    print(text)
    sys.stdout.flush()


def misfits(experiment, scale, room, places):
    """Returns the first run of an experiment that does not fit, as (run, why), or None."""
    for run in experiment.runs(scale):
        why = lacks(run, room, places)
        if why:
            return run, why
    return None


def advice(room, places):
    """Returns advice on what would fit here."""
    for name in reversed(SHOWN):
        if all(misfits(experiment, SCALES[name], room, places) is None
               for experiment in EXPERIMENTS.values()):
            return "--scale %s would fit." % name
    return "Not even --scale quick would fit: free some, or name other places by --pm and --dir."


def refuse_misfits(experiments, scale, room, places):
    lines = []
    fitting = []
    for experiment in experiments:
        found = misfits(experiment, scale, room, places)
        if found is None:
            fitting.append(experiment.name)
        else:
            run, why = found
            lines.append("%s (%s) does not fit: %s." % (experiment.name, run.key, why))
    if not lines:
        return
    if fitting:
        lines.append("Of those asked for, these fit: %s." % " ".join(fitting))
    lines.append(advice(room, places))
    raise Refused("\n".join(lines))


def last_line(text):
    """Returns the last line, in which programs say why they ended."""
    return ([""] + [line.strip() for line in text.splitlines() if line.strip()])[-1]


def known_words(settled):
    """Returns how many runs of an experiment are not carried out again, and why, for its first
    line."""
    counts = [(sum(state == states.DONE for state in settled), "measured before"),
              (sum(state == states.LEFT_OUT for state in settled), "left out by this build")]
    return "".join(", %d of them %s" % (count, words) for count, words in counts if count)


class Session:
    """Runs experiments and stores their results."""

    def __init__(self, build, places, scale, results):
        self.bench = Bench(build, places, scale)
        self.places = places
        self.scale = scale
        self.results = results
        self.failed = 0
        self.wrong = 0

    def begin(self, again):
        identity = {"scale": self.scale.name, "medium": os.path.realpath(self.places.pm),
                    "places": identity_of(self.places),
                    "programs": digest_of_programs(self.bench.build)}
        sentence = self.results.begin(identity, describe(self.places, self.bench.build), again)
        if sentence:
            say(sentence)

    def run(self, experiments):
        self._run_experiment(LIMITS)
        for experiment in experiments:
            if experiment is not NOISE:
                self._run_experiment(experiment)
                if NOISE in experiments:
                    self._run_experiment(NOISE, at_most=1)
        if NOISE in experiments:
            self._run_experiment(NOISE)

    def _definition(self, run):
        """Returns the digest of a run. db_bench and the library are part of the session's identity;
        other programs are part of the run's."""
        files = [digest_of_file(path) for path in self.bench.files_of(run)]
        return states.digest_of(run, self.scale, *files)

    def _run_experiment(self, experiment, at_most=None):
        if not self.bench.has(experiment.program):
            say("%s is left out: %s" % (experiment.name, experiment.program_sentence))
            return
        obstacle = experiment.obstacle(self.scale, self.places)
        if obstacle:
            say("%s is left out: %s" % (experiment.name, obstacle))
            return
        runs = experiment.runs(self.scale)
        settled = {run.key: self.results.settled_state(experiment.name, run, self._definition(run))
                   for run in runs}
        left = [run for run in runs if settled[run.key] is None]
        if at_most is not None and not left:
            return
        say("== %s: %d runs%s" % (experiment.name, len(runs), known_words(settled.values())))
        for number, run in enumerate(left[:at_most], len(runs) - len(left) + 1):
            self._run_one(experiment, run, "%d/%d" % (number, len(runs)))

    def _run_one(self, experiment, run, number):
        began = time.monotonic()
        kept = {}
        why = lacks(run, self.places.room(), self.places)
        state, sentence = (states.REFUSED, why) if why else (states.DONE, "")
        if not why:
            try:
                kept = self.bench.carry_out(run)
            except ProgramFailed as failure:
                state = states.WRONG if failure.gave_wrong_data else states.FAILED
                sentence = "%s ended with %d: %s" % (
                    failure.program, failure.code, last_line(failure.output))
            except WrongData as what:
                state, sentence = states.WRONG, str(what)
            except LeftOut as reason:
                state, sentence = states.LEFT_OUT, str(reason)
            except (CannotMeasure, OSError, ValueError, KeyError) as failure:
                state, sentence = states.FAILED, last_line("%s: %s" % (
                    type(failure).__name__, failure))
        seconds = time.monotonic() - began
        self.results.add(experiment.name, run, self._definition(run), state, seconds,
                         kept, sentence)
        say("   %-7s %-34s %6.1f s" % (number, run.key, seconds))
        note = kept.get("text", {}).get("cut")
        if note:
            say("   " + note)
        self._count(experiment, run, state, sentence)

    def _count(self, experiment, run, state, sentence):
        if state == states.WRONG:
            self.wrong += 1
            bar = "!" * 78
            say("%s\nTHE STORE RETURNED WRONG DATA in %s, %s.\n%s\n%s" % (
                bar, experiment.name, run.key, sentence, bar))
        elif state != states.DONE:
            self.failed += state != states.LEFT_OUT
            say("   %s: %s" % (state, sentence))

    def exit_code(self):
        return FOUND_BAD if self.wrong else CANNOT if self.failed else 0
