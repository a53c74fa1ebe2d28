"""Judges the sections of jobs. All functions are pure; a finding is one text."""
import re

TRACED_WRITES = 60

# What each place says about a medium, by its kind: SAYS must be in it, DENIES must not. The places
# are the output of `bushstore info`, the lines of LOG about the pool, and db_bench's header.
KINDS = {"ext4": "fsdax", "xfs": "fsdax", "devdax2m": "devdax", "devdax4k": "devdax",
         "devdax1g": "devdax", "msync": "msync", "tmpfs": "emulated"}
SAYS = {
    "fsdax": r"persistent memory",
    "devdax": r"persistent memory",
    "msync": r"msync|synced like a file|synced writes",
    "emulated": r"emulated",
}
DENIES = {
    "fsdax": r"synced like a file|msync|emulated",
    "devdax": r"synced like a file|msync|emulated",
    "msync": r"emulated|clwb|every write before it is acknowledged",
    "emulated": r"synced like a file|msync|every write before it is acknowledged",
}
PLACES = ["info", "log", "bench"]
SURVIVE = r"persistent memory, caches survive a power failure \(eADR\)"
EADR = {
    "info": [r"^  persistence_domain: cpu_cache$", r"^  medium: eadr$", SURVIVE],
    "log": [SURVIVE + r" \(no flush,"],
    "bench": [SURVIVE, "every write before it is acknowledged"],
    "stats": [SURVIVE, r"^  flushed-lines: 0$", r"^  fences: [1-9]"],
}


def judge(sections, media):
    """Returns the findings of all sections. A missing step is a finding, too."""
    by_name = {(section.medium, section.step): section for section in sections}
    findings = [finding for section in sections for finding in exit_code(section)]
    for medium in media:
        findings += agreement(medium, by_name)
        findings += same_contents(medium, by_name)
        findings += system_calls(medium, by_name)
    if "ext4" in media:
        findings += remounted(by_name)
    return findings


def judge_eadr(sections, media):
    """Like judge, for a machine whose caches survive a power failure, which every place must say,
    too."""
    by_name = {(section.medium, section.step): section for section in sections}
    findings = judge(sections, media)
    for medium in media:
        findings += says_eadr(medium, by_name)
    return findings


def says_eadr(medium, by_name):
    """Checks that info, LOG, db_bench and the properties say that nothing is written back, but
    fenced."""
    findings = []
    for place, words in EADR.items():
        section = by_name.get((medium, place))
        text = section.text if section else ""
        text = header_of(text) if place == "bench" else text
        findings += [f"{medium} {place}: does not say \"{word}\" of eADR\n{text}"
                     for word in words if not re.search(word, text, re.MULTILINE)]
        if re.search("written back by", text):
            findings.append(f"{medium} {place}: says that eADR is written back\n{text}")
    return findings


def remounted(by_name):
    """Checks that a pool made without DAX is persistent memory from the first open with DAX on."""
    section = by_name.get(("ext4", "remount"))
    text = section.text if section else ""
    said = [re.search(f"^{line}: (.*)$", text, re.MULTILINE) for line in ("before", "after", "log")]
    words = [found.group(1) if found else "" for found in said]
    wanted = [SAYS["msync"], SAYS["fsdax"], SAYS["fsdax"]]
    if all(re.search(want, word) for want, word in zip(wanted, words)):
        return []
    return [f"ext4 remount: a pool made without DAX is not taken for what it is\n{text}"]


def judge_exit_codes(sections, media):
    """Returns the findings of sections that report only whether they succeeded."""
    findings = [finding for section in sections for finding in exit_code(section)]
    missing = set(media) - {section.medium for section in sections}
    return findings + [f"{medium}: nothing was run" for medium in sorted(missing)]


def judge_tests(sections, media):
    """Checks that tests and stress have run on every medium and succeeded."""
    ran = {(section.medium, section.step) for section in sections}
    wanted = {(medium, step) for medium in media for step in ("tests", "stress")}
    return ([finding for section in sections for finding in exit_code(section)] +
            [f"{medium} {step}: was not run" for medium, step in sorted(wanted - ran)])


# What an open reports for a pool that is missing, write-protected or smaller; the whole line. The
# groups are the database and the pool, which must be named with their paths.
NEEDS = (r"bushstore: %s: (?P<db>/media/disk/{medium}) has its newest data in the pool "
         r"(?P<pool>{pool}), which can't be used: ")
GONE = (NEEDS % "IO error" + r"NotFound: there is no pool at (?P=pool); bring it back, or correct "
        r"(?P=db)/PMEM if it was moved, or save what is in tables by "
        r"`bushstore repair --without-pool (?P=db)`")
PROTECTED = (NEEDS % "IO error" + r"IO error: pool (?P=pool) is on namespace\d+\.0, whose region "
             r"is read-only: its modules do not keep what is written; `bushstore repair` of the "
             r"database saves what is there")
SMALLER = (NEEDS % "Corruption" + r"Corruption: pool (?P=pool) is cut short: it has \d+ of \d+ "
           r"bytes; `bushstore repair (?P=db)` saves what can be read")
REFUSALS = {"ext4": GONE, "xfs": PROTECTED, "devdax2m": PROTECTED, "devdax4k": SMALLER}


def judge_refusals(sections, media):
    """Checks that each database is refused with one sentence, `info` reports the problem, a repair
    saves all that is there, and nothing ends by a signal."""
    by_name = {(section.medium, section.step): section for section in sections}
    findings = []
    for medium in media:
        findings += refused(medium, by_name)
        if medium != "ext4":
            findings += repaired(medium, by_name)
    return findings + [f"{section.medium} {section.step}: ended by a signal\n{section.text}"
                       for section in sections if section.code is not None and section.code > 128]


def refused(medium, by_name):
    opening = by_name.get((medium, "open"))
    info = by_name.get((medium, "info"))
    if opening is None or opening.code is None:
        return [f"{medium}: opening it did not end"]
    findings = []
    if opening.code != 1:
        findings.append(f"{medium}: opening it ended with {opening.code}\n{opening.text}")
    pool = r"/dev/dax\d+\.0" if KINDS[medium] == "devdax" else rf"/media/{medium}/\S+\.set"
    if not re.fullmatch(REFUSALS[medium].format(medium=medium, pool=pool), opening.text):
        findings.append(f"{medium}: the refusal is not the sentence that it should be\n"
                        f"{opening.text}")
    if info is None or info.code == 0 or not re.search("problem: |NotFound: ", info.text):
        findings.append(f"{medium} info: names no problem\n{info.text if info else ''}")
    return findings


def repaired(medium, by_name):
    steps = {step: by_name.get((medium, step))
             for step in ("contents", "repair", "check", "contents_of_repaired")}
    if None in steps.values():
        return [f"{medium}: was not repaired"]
    findings = [finding for section in steps.values() for finding in exit_code(section)]
    if medium != "devdax4k" and steps["contents"].text != steps["contents_of_repaired"].text:
        findings.append(f"{medium} repair: the contents are others than before")
    return findings


def judge_poison(sections, media):
    """Checks that the writer ends without a signal, `info` counts the bad blocks, and a repair
    saves the rest."""
    by_name = {(section.medium, section.step): section for section in sections}
    findings = []
    for medium in media:
        for step in ["make", "check_before", "bad_blocks", "writer", "log", "repair",
                     "check_after"]:
            if (medium, step) not in by_name:
                findings.append(f"{medium} {step}: was not run")
            elif step not in ("writer", "log"):
                findings += exit_code(by_name[medium, step])
        findings += info_of_poison(medium, by_name)
        findings += writer_of_poison(medium, by_name)
    return findings + [f"{section.step}: ended by a signal\n{section.text}"
                       for section in sections if section.code is not None and section.code > 128]


def info_of_poison(medium, by_name):
    info = by_name.get((medium, "info"))
    text = info.text if info else ""
    counted = re.search(r"bad_blocks: (\d+)", text)
    if not counted or counted.group(1) == "0":
        return [f"{medium} info: counts no bad blocks\n{text}"]
    if "contents:" not in text:
        return [f"{medium} info: does not say what is in the bad blocks\n{text}"]
    return []


def writer_of_poison(medium, by_name):
    """Checks the writer. On ext4 it reads the bad page: its calls fail with one sentence, and LOG
    has one line. On a device QEMU continues to return the old contents, so the writer continues and
    LOG has no line."""
    texts = {step: by_name[medium, step].text if (medium, step) in by_name else ""
             for step in ("writer", "log")}
    pool = r"/dev/dax\d+\.0" if KINDS[medium] == "devdax" else rf"/media/{medium}/\S+\.set"
    failed = (rf"^{medium}: WRONG (write|read|scan): Corruption: persistent memory pool {pool} has "
              r"lost a page, at (\d+): close the database and run `bushstore repair` on it, which "
              r"saves everything else$")
    logged = rf"pool {pool}: the page at (\d+) cannot be read any more$"
    failures = re.findall(failed, texts["writer"], re.MULTILINE)
    lines = re.findall(logged, texts["log"], re.MULTILINE)
    if KINDS[medium] == "devdax":
        is_right = "WRONG" not in texts["writer"] and not lines
    else:
        is_right = len(failures) == 1 and lines == [failures[0][1]]
    if is_right:
        return []
    return [f"{medium}: the writer and LOG do not say of the lost page what they should\n"
            f"{texts['writer']}\nLOG: {texts['log']}"]


def exit_code(section):
    if section.code is None:
        return [f"{section.medium} {section.step}: did not end\n{section.text}"]
    if section.code != 0:
        return [f"{section.medium} {section.step}: failed with {section.code}\n{section.text}"]
    if re.search(r": WRONG ", section.text):
        return [f"{section.medium} {section.step}: found something wrong\n{section.text}"]
    return []


def header_of(text):
    """Returns what db_bench prints before its figures."""
    return text.split("-----", 1)[0]


def agreement(medium, by_name):
    """Checks that info, LOG and db_bench say the same about a medium."""
    kind = KINDS[medium]
    findings = []
    for place in PLACES:
        section = by_name.get((medium, place))
        if section is None:
            findings.append(f"{medium} {place}: was not run")
            continue
        text = header_of(section.text) if place == "bench" else section.text
        if not re.search(SAYS[kind], text):
            findings.append(f"{medium} {place}: does not say \"{SAYS[kind]}\"\n{text}")
        denied = re.search(DENIES[kind], text)
        if denied:
            findings.append(f"{medium} {place}: says \"{denied.group(0)}\" of {kind}\n{text}")
    return findings


def same_contents(medium, by_name):
    """Checks that a backup and a repair keep every entry."""
    sums = {step: by_name[medium, step].text.strip()
            for step in ["contents", "contents_of_backup", "contents_of_repaired"]
            if (medium, step) in by_name}
    if len(sums) != 3:
        return [f"{medium}: the contents were not compared"]
    return [f"{medium} {step}: the contents are others than before"
            for step, value in sums.items() if value != sums["contents"]]


def calls_of(text):
    return {name: int(count) for name, count in re.findall(r"^(MAP_SYNC|msync) (\d+)$", text,
                                                            re.MULTILINE)}


def system_calls(medium, by_name):
    """Checks the traced calls. On a file system with DAX a pool is mapped with MAP_SYNC, and a
    write calls no msync; on an msync pool each synced write of a single thread does. (On tmpfs
    libpmemobj calls it for its own writes.)"""
    section = by_name.get((medium, "calls"))
    counts = calls_of(section.text) if section else {}
    if len(counts) != 2:
        return [f"{medium} calls: were not counted"]
    kind = KINDS[medium]
    findings = []
    if kind == "fsdax" and counts["MAP_SYNC"] == 0:
        findings.append(f"{medium} calls: nothing is mapped with MAP_SYNC")
    if kind in ("fsdax", "devdax") and counts["msync"] >= TRACED_WRITES // 10:
        findings.append(f"{medium} calls: {TRACED_WRITES} writes call msync "
                        f"{counts['msync']} times")
    if kind == "msync" and counts["msync"] < TRACED_WRITES:
        findings.append(f"{medium} calls: {TRACED_WRITES} synced writes call msync "
                        f"{counts['msync']} times only")
    return findings
