"""Other stores under the same workloads, on the same medium, in the same durability class."""

from suite.experiments.parts import process_memory, roomy_pool, stores_here, tables_room
from suite.model import (COLD, DEBIAN, OWN, PLAIN, Experiment, Plot, Run, Series, Shown, Table,
                         kilo_rate, latency)
from suite.scale import MIB

VALUE = 1024
# readseq and seekrandom (with the next 100 entries) read only keys and sizes.
WORKLOADS = ["fillseq", "fillrandom", "overwrite", "readrandom", "readmissing", "readseq",
             "readseq_values", "seekrandom", "seekrandom_values"]
YCSB = "abcdef"
STORES = [(OWN, "leveldb"), (COLD, "leveldb"), (PLAIN, "leveldb"), (DEBIAN, "leveldb"),
          ("RocksDB", "rocksdb"), ("LMDB", "lmdb"), ("WiredTiger", "wiredtiger")]
CLASSES = (("not synced", "false"), ("each write synced", "true"))
SYNCED_DIVISOR = 4  # a sync costs more than a write, if less on the medium of pools than on disks
# Workloads that only read are the same in both classes.
SYNCED_WORKLOADS = ["fillseq", "fillrandom", "overwrite"]
SYNCED_YCSB = "abdef"


def settings(scale, binding, sync):
    """Returns the settings; options with the same meaning have the same value in all stores."""
    values = {"sync": sync}
    if binding != "lmdb":
        values.update(cache_size=max(MIB, scale.write_buffer), compression="none")
    if binding in ("leveldb", "rocksdb"):
        values.update(write_buffer_size=scale.write_buffer, bloom_bits=10)
    return tuple("%s.%s=%s" % (binding, name, value) for name, value in values.items())


def make(scale, store, binding, durability, letter=None):
    """Returns a run of db_bench's workloads, or of one of YCSB's."""
    label, sync = durability
    num = scale.entries(VALUE)
    if sync == "true":
        num = max(100, num // SYNCED_DIVISOR)
    is_ours = store in (OWN, COLD)
    # The inserts of YCSB's workloads are added.
    data = (2 if letter else 1) * num * (64 + VALUE)
    flags = settings(scale, binding, sync)
    if letter:
        flags += ("fieldcount=1", "fieldlength=%d" % VALUE, "writeallfields=true")
    return Run(
        key="%s%s, %s" % ("YCSB %s, " % letter.upper() if letter else "", store, label),
        kind="ycsb" if letter else "peer", num=num, value_size=VALUE,
        benchmarks="workload" + letter if letter else ",".join(
            SYNCED_WORKLOADS if sync == "true" else WORKLOADS),
        reads=min(num, scale.reads_max), pool=roomy_pool(scale, data) if is_ours else 0,
        prefault=store == OWN,
        # Files are on the medium of pools as well: they take space there as a pool does.
        on_pm=0 if is_ours else min(scale.pool_most, tables_room(data)),
        library="debian" if store == DEBIAN else "own", flags=flags,
        memory=process_memory(scale, num),
        labels={"store": store, "binding": binding, "durability": label,
                "part": letter or "db_bench"})


def runs(scale):
    letters = YCSB if scale.name != "test" else "a"
    found = []
    for durability in CLASSES:
        is_synced = durability[1] == "true"
        for part in [None] + [letter for letter in letters
                              if not is_synced or letter in SYNCED_YCSB]:
            found += [make(scale, store, binding, durability, part)
                      for store, binding in stores_here(STORES)]
    return found


class OneStore:
    """All results of a store in a class of durability."""

    def __init__(self, outcomes, store, durability):
        self.bench = outcomes.one(store=store, durability=durability, part="db_bench")
        self.ycsb = {letter: outcomes.one(store=store, durability=durability, part=letter)
                     for letter in YCSB}

    def rates(self):
        """Returns thousands of operations per second by the names in WORKLOADS, then by YCSB's
        letters."""
        return ([kilo_rate(self.bench, name) for name in WORKLOADS] +
                [kilo_rate(run, "run") for run in self.ycsb.values()])

    def uses(self):
        values = (self.bench or {}).get("values", {})
        return [(self.bench or {}).get("library"), values.get("open_seconds"),
                latency(self.bench, "fillrandom", "p99"),
                latency(self.bench, "fillrandom", "p99.9"),
                latency(self.bench, "readrandom", "p99.9"),
                megabytes_of(values.get("peak_resident_bytes")),
                megabytes_of(values.get("peak_anonymous_bytes")),
                values.get("written_bytes_a_user_byte"), megabytes_of(values.get("space_bytes"))]


def megabytes_of(count):
    return None if count is None else count / 1e6


def quotients(own, other):
    return [one / two if one is not None and two else None for one, two in zip(own, other)]


def plots_of(durability, rates, ratios):
    """Returns bars of all stores, and of the speed of ours relative to each."""
    name = durability.replace(" ", "-")
    letters = ["YCSB " + letter.upper() for letter in YCSB]
    halves = (("", WORKLOADS, slice(0, len(WORKLOADS))),
              ("ycsb-", letters, slice(len(WORKLOADS), None)))
    found = []
    for prefix, words, part in halves:
        for kind, title, y_label, figures in (
                ("rates", "All stores", "thousand operations/s", rates),
                ("ratios", "Ours with PM, in times of each", "ratio", ratios)):
            found.append(Plot(
                "%s%s-%s" % (prefix, kind, name), "%s, %s" % (title, durability), "bars", "",
                y_label, [Series(store, words, row[part]) for store, row in figures.items()],
                y_log=True, parity=kind == "ratios"))
    return [plot for plot in found if plot.has_data()]


def show(outcomes):
    words = WORKLOADS + ["YCSB " + letter.upper() for letter in YCSB]
    tables = ([], [], [])
    plots = []
    for durability, _ in CLASSES:
        names = [store for store in outcomes.values("store")
                 if outcomes.where(store=store, durability=durability)]
        measured = {name: OneStore(outcomes, name, durability) for name in names}
        rates = {name: store.rates() for name, store in measured.items()}
        ratios = {name: quotients(rates[OWN], row) for name, row in rates.items()
                  if OWN in rates and name != OWN}
        for table, rows in zip(tables, (rates, ratios, {
                name: store.uses() for name, store in measured.items()})):
            table.extend([name, durability] + row for name, row in rows.items())
        plots += plots_of(durability, rates, ratios)
    columns = ["store", "durability"]
    return Shown(
        [Table(columns + words, tables[0], "Thousand operations a second"),
         Table(columns + words, tables[1], "Ours with PM, in times of each"),
         Table(columns + ["version", "open s", "fill p99 us", "fill p99.9 us", "read p99.9 us",
                          "RSS MB", "of it no files MB", "written/user byte", "space MB"],
               tables[2], "What they took")],
        plots,
        ["Stores that are not synced keep different promises: ours with PM has made every "
         "acknowledged write persistent, the others lose the newest ones in a power failure.",
         "A cold pool is touched for the first time while it is measured; otherwise that was done "
         "when it was opened (open s). What other stores write is always new to the medium, but "
         "for overwrite.",
         "On tmpfs a sync of a file is no device's sync, and costs next to nothing."])


EXPERIMENT = Experiment(
    name="peers",
    question="How does the store do beside other stores?",
    method="peer_bench and ycsbc run the same workloads with the same keys, values of 1 KiB, "
           "caches and filters on each store, without compression, on the medium of the pools; "
           "those that were not built are left out.",
    runs=runs, show=show, program="peer_bench",
    program_sentence="this build has no peer_bench.")
