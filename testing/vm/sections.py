"""Parses the sections that guest/media_job.sh prints."""
import dataclasses
import re

BEGIN = re.compile(r"^@ (\S+) (\S+)$")
END = re.compile(r"^@ end (\d+)$")


@dataclasses.dataclass
class Section:
    medium: str
    step: str
    lines: list
    code: int = None  # None: the machine ended before the command did

    @property
    def text(self):
        return "\n".join(self.lines)


def parse(lines):
    """Returns the sections, in their order."""
    found = []
    current = None
    for line in lines:
        end = END.match(line)
        begin = BEGIN.match(line)
        if end and current:
            current.code = int(end.group(1))
            current = None
        elif begin and not end:
            current = Section(begin.group(1), begin.group(2), [])
            found.append(current)
        elif current:
            current.lines.append(line)
    return found
