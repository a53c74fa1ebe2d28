"""The store against the limits of its medium, from what the experiments found."""

from suite.model import Outcomes, Plot, Series, Shown, Table, result_of
from suite.scale import show_bytes

VALUE = 1024


def sum_of(nanos, *names):
    figures = [nanos.get(name) for name in names]
    return None if None in figures else sum(figures)


def steps(run, nanos):
    """(what, the store's nanoseconds, the medium's, what the medium did)"""
    def own(name):
        seconds = result_of(run, name).get("micros_per_operation")
        return None if seconds is None else 1e3 * seconds

    in_order = sum_of(nanos, "sequential_read_kib") or sum_of(nanos, "touch_value")
    return [
        ("write at random", own("fillrandom"), sum_of(nanos, "append_crc_fence"),
         "append with a checksum, and fence"),
        ("read at random", own("readrandom"), sum_of(nanos, "dependent_miss", "touch_value"),
         "one dependent miss, and all lines of a value"),
        ("scan, values read", own("readseq"), in_order, "read a KiB in order"),
        ("scan, keys and sizes", own("scankeys"), in_order, "read a KiB in order")]


def show(limits, value_size_runs):
    """None when there is nothing to compare."""
    nanos = next(iter(limits), {}).get("values", {})
    run = Outcomes(value_size_runs).one(size=VALUE, order="random", warm=True)
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
              "store / medium", [Series("ratio", words, ratios)], parity=True)],
        ["1 would be a store that does nothing but the stores and loads it cannot do without. A "
         "ratio below 1 is a read that leaves values alone, or finds lines in the caches."])
