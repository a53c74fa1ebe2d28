"""results.json: every finished run, written after each, so that an interrupted session resumes.

results_schema.json next to this file describes it. Results of other programs, at another scale or
on another medium are moved aside, never mixed in.
"""

import hashlib
import json
import os
import time

NAME = "results.json"
FORMAT = 1
DONE, FAILED, REFUSED, WRONG = "done", "failed", "refused", "wrong data"
LEFT_OUT = "left out"  # this build lacks something that it needs


def digest_of(*parts):
    """Returns a digest that changes with each of the parts, so that earlier results are not reused
    then."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


class Results:
    """The file of one output directory."""

    def __init__(self, directory):
        self.path = os.path.join(directory, NAME)
        self.data = {}

    def begin(self, identity, machine, again=False):
        """Loads earlier results if they have the same identity. Returns a sentence, or ""."""
        sentence = ""
        before = self._read()
        if before is not None and (again or before.get("identity") != identity):
            aside = self._aside()
            os.replace(self.path, aside)
            why = "afresh, as asked" if again else "not by these programs on this medium"
            sentence = "What was measured before (%s) is kept in %s." % (why, aside)
            before = None
        if before is not None:
            self.data = before
            self.data["machine"] = machine
        else:
            self.data = {"format": FORMAT, "identity": identity, "machine": machine,
                         "began": now(), "runs": []}
        self.write()
        return sentence

    def load(self):
        """Loads the results for a report. Returns False if there are none."""
        before = self._read()
        if before is not None:
            self.data = before
        return before is not None

    def _read(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                data = json.load(file)
        except FileNotFoundError:
            return None
        except ValueError:
            return {}
        return data if isinstance(data, dict) and data.get("format") == FORMAT else {}

    def _aside(self):
        number = 1
        while True:
            path = self.path.replace(".json", ".before-%d.json" % number)
            if not os.path.exists(path):
                return path
            number += 1

    def find(self, experiment, key):
        for entry in self.data["runs"]:
            if entry["experiment"] == experiment and entry["key"] == key:
                return entry
        return None

    def settled_state(self, experiment, run, definition):
        """Returns DONE or LEFT_OUT if the same programs would give the same result again, otherwise
        None."""
        entry = self.find(experiment, run.key)
        if entry is None or entry["definition"] != definition:
            return None
        return entry["state"] if entry["state"] in (DONE, LEFT_OUT) else None

    def add(self, experiment, run, definition, state, seconds, kept, sentence=""):
        entry = {"experiment": experiment, "key": run.key, "definition": definition,
                 "state": state, "when": now(), "seconds": round(seconds, 3),
                 "labels": dict(run.labels), "sentence": sentence, "commands": [], "results": []}
        entry.update(kept)
        self.data["runs"] = [other for other in self.data["runs"]
                             if (other["experiment"], other["key"]) != (experiment, run.key)]
        self.data["runs"].append(entry)
        self.write()

    def of(self, experiment, runs=None):
        """Returns finished runs in the order of `runs`, or in that of the file."""
        found = [entry for entry in self.data["runs"]
                 if entry["experiment"] == experiment and entry["state"] == DONE]
        if runs is not None:
            order = {run.key: number for number, run in enumerate(runs)}
            found = sorted((entry for entry in found if entry["key"] in order),
                           key=lambda entry: order[entry["key"]])
        return found

    def troubles(self, experiment):
        return [entry for entry in self.data["runs"]
                if entry["experiment"] == experiment and entry["state"] != DONE]

    def write(self):
        """Writes the file atomically: a kill in between leaves the earlier file."""
        draft = self.path + ".draft"
        with open(draft, "w", encoding="utf-8") as file:
            json.dump(self.data, file, indent=1)
            file.write("\n")
        os.replace(draft, self.path)
