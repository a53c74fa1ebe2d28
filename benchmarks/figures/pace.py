"""Evaluates results of db_bench --pace: selects those at the processor's full speed."""

# Arithmetic that takes at most this multiple of the quickest of all rounds counts as full speed.
NEARLY_BEST = 1.1
# A result with a smaller share of operations at full speed means little.
LEAST_SHARE = 0.03


def best_pace(results):
    return min(result["paced"]["pace_nanos"] for result in results)


def is_nearly_best(pace_nanos, best_nanos):
    return pace_nanos <= NEARLY_BEST * best_nanos


def had_best_pace(result, best_nanos):
    paced = result["paced"]
    return is_nearly_best(paced["pace_nanos"], best_nanos) and paced["share"] >= LEAST_SHARE


def nanos_at_best_pace(result):
    return 1e3 * result["paced"]["micros_per_operation"]
