"""How long an open takes, after a clean close and after a kill."""

from suite.experiments.parts import process_memory, roomy_pool
from suite.model import Experiment, Plot, Run, Shown, Table, sweep
from suite.scale import GB, MIB, show_bytes

CHECKED_READS = 20000
VALUES = (100, 1024)


def sizes(scale):
    return scale.choose(test=[128 << 10], quick=[size * MIB for size in (16, 64, 256)],
                        small=[size * MIB for size in (64, 128, 256, 512, 1024)],
                        paper=[size * GB for size in (10, 20, 40, 80)])


def runs(scale):
    found = []
    for value in VALUES:
        for data in sizes(scale):
            num = scale.entries(value, data)
            # The pool is not prefaulted, as that is of no use to an open.
            found.append(Run(
                key="%s of %s values" % (show_bytes(data), show_bytes(value)), kind="recovery",
                num=num, value_size=value, pool=roomy_pool(scale, data + 64 * num),
                prefault=False, reads=min(num, CHECKED_READS),
                memory=process_memory(scale, num), labels={"data": data, "value": value}))
    return found


def show(outcomes):
    rows = [[show_bytes(run["labels"]["data"]), show_bytes(run["labels"]["value"]),
             run["values"]["keys"], run["values"]["open_after_close_millis"],
             run["values"]["open_after_kill_millis"]] for run in outcomes]
    series = []
    for value in outcomes.values("value"):
        for name, words in (("close", "closed"), ("kill", "killed")):
            series.append(sweep(
                outcomes, "data",
                lambda run, name=name: run["values"]["open_after_%s_millis" % name],
                "%s, %s values" % (words, show_bytes(value)), value=value))
    return Shown(
        [Table(["written", "value", "keys", "open after close ms", "open after kill ms"], rows)],
        [Plot("open", "Time to open", "lines", "data written", "ms", series, x_log=True,
              y_log=True, x_bytes=True)],
        ["After the kill as many of %s random keys must be found as before it, and after the close "
         "every key is read; a lost key or a wrong value fails the run." %
         "{:,}".format(CHECKED_READS)])


EXPERIMENT = Experiment(
    name="recovery",
    question="How long does an open take, by the amount of data, after a clean close and a kill?",
    method="db_bench fills at random, is killed with SIGKILL when its writes are acknowledged, and "
           "the next open is timed; after that one's clean close another.",
    runs=runs, show=show)
