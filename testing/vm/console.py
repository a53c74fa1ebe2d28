"""The serial console of the machine: kept in a file, and read line by line."""
import re
import shutil
import threading
import time

BOOTED = re.compile(r"^vm: booted after ([0-9.]+) s")
ENDED = re.compile(r"^vm: job ended with (\d+)")
WRONG = re.compile(r"(^|: )WRONG |Kernel panic|^vm: cannot ")


def clean(line):
    """Returns a line without terminal escape sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line).rstrip("\r\n")


def keep_console(log, keep):
    """Copies a console that shows a failure. Returns the path of the copy."""
    keep.mkdir(parents=True, exist_ok=True)
    return shutil.copy(log, keep / f"{log.parent.name}.console")


class Console(threading.Thread):
    """Reads `stream` until its end; `lines` has the lines so far, the file `path` keeps them with
    the seconds since the beginning."""

    def __init__(self, stream, path):
        super().__init__(daemon=True)
        self.lines = []
        self._stream = stream
        self._path = path
        self.start()

    def run(self):
        began = time.monotonic()
        with open(self._path, "a", encoding="utf-8") as log:
            for raw in self._stream:
                line = clean(raw.decode(errors="replace"))
                log.write(f"{time.monotonic() - began:7.2f} {line}\n")
                log.flush()
                self.lines.append(line)

    def first(self, pattern):
        """Returns the match of the first line that matches, or None."""
        for line in list(self.lines):
            match = pattern.search(line)
            if match:
                return match
        return None

    def all(self, pattern):
        """Returns the matches of all lines that match."""
        return [match for match in map(pattern.search, list(self.lines)) if match]

    def wrong(self):
        """Returns the first line that reports something wrong and the lines after it, or None."""
        lines = list(self.lines)
        for index, line in enumerate(lines):
            if WRONG.search(line):
                return "\n".join(lines[index:index + 12])
        return None
