"""Compares the store with the limits of its medium, from the results of the experiments."""

from suite.experiments import beyond_memory
from suite.model import Outcomes, Plot, Series, Shown, Table, micros, result_of, sweep
from suite.scale import show_bytes

VALUE = 1024


def sum_of(nanos, *names):
    figures = [nanos.get(name) for name in names]
    return None if None in figures else sum(figures)


def steps(run, nanos):
    """Returns (operation, the store's nanoseconds, the medium's, operation of the medium)."""
    def own(name):
        figure = micros(run, name)
        return None if figure is None else 1e3 * figure

    in_order = sum_of(nanos, "sequential_read_kib") or sum_of(nanos, "touch_value")
    return [
        ("write at random", own("fillrandom"), sum_of(nanos, "append_crc_fence"),
         "append with a checksum, and fence"),
        ("read at random", own("readrandom"), sum_of(nanos, "dependent_miss", "touch_value"),
         "one dependent miss, and all lines of a value"),
        ("scan, values read", own("readseq"), in_order, "read a KiB in order"),
        ("scan, keys and sizes", own("scankeys"), in_order, "read a KiB in order")]


def by_size(outcomes, nanos):
    """Returns series of the store's time over the medium's, by the size of values."""
    def quotient(name, least_of):
        def figure(run):
            own, least = micros(run, name), least_of(run["labels"]["size"])
            return None if own is None or not least else 1e3 * own / least
        return figure

    def append(size):
        return nanos.get("append_fence_%d" % size)

    def in_order(size):
        return nanos.get("sequential_read_kib", 0) * size / 1024

    found = [sweep(outcomes, "size", quotient(name, least_of), words, order="random", warm=True)
             for name, least_of, words in (
                 ("fillrandom", append, "write / append and fence"),
                 ("readseq", in_order, "scan, values read / read in order"))]
    return [series for series in found if any(y is not None for y in series.ys)]


def show(limits, value_size_runs, beyond_memory_runs=()):
    """Returns None if there is nothing to compare."""
    shown = [part for part in (show_medium(limits, value_size_runs),
                               show_device(beyond_memory_runs)) if part is not None]
    if not shown:
        return None
    return Shown([table for part in shown for table in part.tables],
                 [plot for part in shown for plot in part.plots],
                 [note for part in shown for note in part.notes])


def show_device(runs):
    """Compares all stores with the limits of the device, on data larger than memory."""
    outcomes = Outcomes(runs)
    limits = beyond_memory.device_limits(outcomes)
    rows = []
    bars = {}
    for run in outcomes:
        for what, own, most in beyond_memory.against_device(run, limits):
            if not most:
                continue
            store, ratio = run["labels"]["store"], "%d times" % run["labels"]["ratio"]
            rows.append([store, ratio, what, own, most, own / most])
            bars.setdefault(what, {}).setdefault(store, []).append((ratio, own / most))
    if not rows:
        return None
    plots = [Plot("device-" + "".join(letter if letter.isalnum() else "-" for letter in what),
                  "Data larger than memory: " + what, "bars", "data, in times of the memory",
                  "store / device", [Series(store, [x for x, _ in points], [y for _, y in points])
                                     for store, points in by_store.items()])
             for what, by_store in bars.items()]
    return Shown([Table(["store", "data", "what", "store", "device", "ratio"], rows,
                        "Data larger than memory, against the device")], plots)


def show_medium(limits, value_size_runs):
    """Returns None if there is nothing to compare."""
    nanos = next(iter(limits), {}).get("values", {})
    outcomes = Outcomes(value_size_runs)
    run = outcomes.one(size=VALUE, order="random", warm=True)
    if not nanos or run is None:
        return None
    rows, words, ratios = [], [], []
    for what, own, least, of_medium in steps(run, nanos):
        if own is None or not least:
            continue
        rows.append([what, own, least, own / least, of_medium])
        words.append(what)
        ratios.append(own / least)
    if not rows:
        return None
    return Shown(
        [Table(["values of %s" % show_bytes(VALUE), "store ns", "medium ns", "ratio",
                "what the medium did"], rows)],
        [Plot("ratios", "The store's time, in times of the medium's limit", "bars", "",
              "store / medium", [Series("ratio", words, ratios)], parity=True),
         Plot("ratios-by-size", "The same by the size of values", "lines", "size of values",
              "store / medium", by_size(outcomes, nanos), x_log=True, y_log=True, x_bytes=True,
              parity=True)],
        ["1 would be a store that does nothing but the stores and loads it cannot do without. A "
         "ratio below 1 is a read that leaves values alone, or finds lines in the caches."])
