#!/usr/bin/env python3
"""includes_test.py SOURCE_DIR: code that uses a name of the standard library includes its header.

Builds that precompile the standard headers for all sources (BUSHSTORE_PRECOMPILE) do not notice a
missing one, and others notice it only if no other header happens to include it. A header counts if
the source includes it or one of ours that includes it, directly or indirectly.
"""
import pathlib
import re
import sys

NAMES = {
    "algorithm": "all_of any_of adjacent_find binary_search clamp copy copy_backward copy_if "
                 "copy_n count count_if equal equal_range fill fill_n find_end find_first_of "
                 "find_if find_if_not for_each for_each_n generate generate_n includes "
                 "inplace_merge is_heap is_partitioned is_permutation is_sorted "
                 "is_sorted_until iter_swap lexicographical_compare lower_bound make_heap max "
                 "max_element merge min min_element minmax minmax_element mismatch "
                 "move_backward next_permutation none_of nth_element partial_sort partition "
                 "partition_copy partition_point pop_heap prev_permutation push_heap "
                 "remove_copy remove_if replace replace_if reverse reverse_copy rotate sample "
                 "search search_n set_difference set_intersection set_symmetric_difference "
                 "set_union shuffle sort sort_heap stable_partition stable_sort swap_ranges "
                 "transform unique unique_copy upper_bound",
    "array": "array",
    "atomic": "atomic atomic_thread_fence memory_order_acq_rel memory_order_acquire "
              "memory_order_relaxed memory_order_release memory_order_seq_cst",
    "bit": "bit_cast bit_ceil bit_width countl_zero countr_zero has_single_bit popcount rotl",
    "chrono": "chrono",
    "condition_variable": "condition_variable",
    "deque": "deque",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "functional": "function",
    "future": "async future launch promise",
    "iostream": "cerr cout",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "make_shared make_unique make_unique_for_overwrite shared_ptr unique_ptr weak_ptr",
    "mutex": "call_once lock_guard mutex once_flag scoped_lock unique_lock",
    "new": "align_val_t launder nothrow",
    "numeric": "accumulate exclusive_scan iota",
    "optional": "nullopt optional",
    "random": "mt19937 mt19937_64 random_device uniform_int_distribution",
    "set": "multiset set",
    "span": "span",
    "sstream": "istringstream ostringstream stringstream",
    "string": "getline stoi stoul stoull string to_string",
    "string_view": "string_view",
    "system_error": "error_code system_error",
    "thread": "this_thread thread",
    "tuple": "tie tuple",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "exchange forward make_pair move pair swap",
    "variant": "variant",
    "vector": "vector",
}
# Headers that a header always includes, because its own signatures need them.
BROUGHT = {
    "algorithm": ["utility"],
    "array": ["utility"],
    "condition_variable": ["chrono", "mutex"],
    "filesystem": ["string", "system_error"],
    "fstream": ["string"],
    "iostream": ["string"],
    "map": ["utility"],
    "memory": ["utility"],
    "mutex": ["chrono"],
    "optional": ["utility"],
    "set": ["utility"],
    "sstream": ["string"],
    "string": ["string_view"],
    "thread": ["chrono"],
    "tuple": ["utility"],
    "unordered_map": ["utility"],
}
HEADER_OF = {name: header for header, names in NAMES.items() for name in names.split()}
OUTSIDE = {"build", "out", ".git"}
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.MULTILINE)
USE = re.compile(r"\bstd::(\w+)")
NOT_CODE = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')


class Sources:
    def __init__(self, root):
        self.root = root
        self.brought = {}

    def find(self, name):
        for path in (self.root / name, self.root / "include" / name):
            if path.is_file():
                return path
        return None

    def brings(self, path):
        """Returns the standard headers that are included together with `path`."""
        if path not in self.brought:
            found = self.brought[path] = set()  # in case it includes itself
            for name in INCLUDE.findall(path.read_text()):
                own = self.find(name)
                found.update(self.brings(own) if own else [name, *BROUGHT.get(name, [])])
        return self.brought[path]

    def lacks(self, path):
        """Yields (line, name, header) for each header that is missing."""
        has = set(self.brings(path))
        for number, line in enumerate(path.read_text().split("\n"), 1):
            for name in USE.findall(NOT_CODE.sub("", line)):
                header = HEADER_OF.get(name)
                if header and header not in has:
                    has.add(header)
                    yield number, name, header


def main():
    root = pathlib.Path(sys.argv[1])
    sources = Sources(root)
    read = findings = 0
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.suffix not in (".cc", ".h") or name.parts[0].startswith(tuple(OUTSIDE)):
            continue
        read += 1
        for number, used, header in sources.lacks(path):
            findings += 1
            print(f"{name}:{number}: std::{used} needs #include <{header}>")
    print(f"{read} files read, {findings} includes are missing")
    sys.exit(1 if findings or not read else 0)


if __name__ == "__main__":
    main()
