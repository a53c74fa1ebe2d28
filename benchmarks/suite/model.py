"""The data types of experiments and of their results: only numbers and words, no drawing."""

from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional, Tuple

OWN, COLD, PLAIN = "ours with PM", "ours with PM, cold", "ours on files"
DEBIAN = "Debian's LevelDB"


@dataclass(frozen=True)
class Run:
    """One process of a program (or a few that belong together) in fresh directories."""
    key: str                       # unique in its experiment, and the same in every session
    benchmarks: str = ""
    num: int = 0
    value_size: int = 1024
    pool: int = 0                  # bytes; 0: a database without the tier
    disk: int = 0                  # bytes of tables and logs at most
    on_pm: int = 0                 # bytes of files that are on the medium of pools
    memory: int = 0                # bytes of the process besides pool and tables
    prefault: bool = True
    reads: Optional[int] = None
    write_buffer: int = 0
    flags: Tuple[str, ...] = ()
    library: str = "own"           # or "debian"
    kind: str = "db_bench"         # selects the function of bench.py
    labels: Dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Series:
    name: str
    xs: List[object]
    ys: List[Optional[float]]      # None: not measured
    style: str = "main"            # or "cold", "reference"


@dataclass(frozen=True)
class Plot:
    """kind: "lines" (sweeps and times) or "bars" (xs are words)."""
    name: str                      # of its file
    title: str
    kind: str
    x_label: str
    y_label: str
    series: List[Series]
    x_log: bool = False
    y_log: bool = False
    x_bytes: bool = False          # x is a number of bytes
    parity: bool = False           # y is a ratio: a line marks 1

    def has_data(self):
        return any(y is not None for series in self.series for y in series.ys)


@dataclass(frozen=True)
class Table:
    columns: List[str]
    rows: List[List[object]]       # words, numbers, or None
    title: str = ""


@dataclass(frozen=True)
class Shown:
    """The results of an experiment."""
    tables: List[Table]
    plots: List[Plot]
    notes: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class Experiment:
    name: str
    question: str
    method: str
    runs: Callable[..., List[Run]]       # (scale) -> runs
    show: Callable[..., Shown]           # (Outcomes) -> Shown
    program: str = "db_bench"            # the experiment is left out if the build lacks it
    program_sentence: str = ""           # the message in that case
    # (scale, places) -> why it cannot be measured on this machine, as a sentence, or ""
    obstacle: Callable[..., str] = lambda scale, places: ""


class Outcomes:
    """The finished runs of one experiment, for its show function."""

    def __init__(self, runs):
        self._runs = runs

    def __iter__(self):
        return iter(self._runs)

    def where(self, **labels):
        return [run for run in self._runs
                if all(run["labels"].get(name) == value for name, value in labels.items())]

    def one(self, **labels):
        found = self.where(**labels)
        return found[0] if found else None

    def values(self, label):
        """Returns all values of a label in the order of the runs."""
        seen = []
        for run in self._runs:
            value = run["labels"].get(label)
            if value is not None and value not in seen:
                seen.append(value)
        return seen


def result_of(run, benchmark):
    """Returns the last result of a benchmark in a run, or {}."""
    found = [result for result in (run or {}).get("results", []) if result["name"] == benchmark]
    return found[-1] if found else {}


def rate(run, benchmark):
    return result_of(run, benchmark).get("operations_per_second")


def kilo_rate(run, benchmark):
    value = rate(run, benchmark)
    return None if value is None else value / 1e3


def micros(run, benchmark):
    return result_of(run, benchmark).get("micros_per_operation")


def open_seconds(run):
    """Returns the time of opening. If the pool is prefaulted, that takes nearly all of it."""
    return (run or {}).get("open_seconds")


def megabytes(run, benchmark):
    return result_of(run, benchmark).get("megabytes_per_second")


def latency(run, benchmark, name):
    return result_of(run, benchmark).get("latency_micros", {}).get(name)


def tier(run, name):
    """Returns a figure of the tier at rest, after all background work has ended."""
    at_rest = result_of(run, "waitforcompaction") or (run["results"] or [{}])[-1]
    return at_rest.get("pmem", {}).get(name)


def sweep(outcomes, label, figure, name, style="main", **where):
    """Returns a series over a label: figure(run) of the runs that have it."""
    runs = [run for run in outcomes.where(**where) if label in run["labels"]]
    return Series(name, [run["labels"][label] for run in runs], [figure(run) for run in runs],
                  style)
