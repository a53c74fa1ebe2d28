#!/usr/bin/env python3
"""vm_test.py POWER_WRITER: tests the decisions of the scripts that run the virtual machine, and
that power_writer and the acknowledgement page agree. No machine is booted."""
import lzma
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import acknowledgements
import console
import kernel
import media
import root_image
import sections
import seeds
import verdicts
from acknowledgements import State
from commands import Failure

POWER_WRITER = None


class SeedsTest(unittest.TestCase):
    def test_a_seed_repeats_the_moments(self):
        for number in range(1, 50):
            self.assertEqual(seeds.cut_of(7, number), seeds.cut_of(7, number))
        self.assertNotEqual([seeds.cut_of(7, n) for n in range(20)],
                            [seeds.cut_of(8, n) for n in range(20)])

    def test_cuts_are_in_writing_and_in_recovery(self):
        for seed in range(20):
            self.assertTrue(seeds.cut_of(seed, 1).while_writing)
        kinds = {seeds.cut_of(1, number).while_writing for number in range(1, 200)}
        self.assertEqual(kinds, {True, False})


class MediaTest(unittest.TestCase):
    def test_a_list_is_in_the_order_of_the_media(self):
        self.assertEqual(media.parse("msync,ext4"), ["ext4", "msync"])
        self.assertEqual(media.dimms_of(["msync", "xfs", "ext4"]), ["ext4", "xfs"])
        self.assertNotIn("devdax1g", media.CUT)

    def test_what_is_not_known_is_refused(self):
        self.assertEqual(media.parse("ext4,"), ["ext4"])
        for text in ["ext5", "", "ext4,ext5"]:
            with self.assertRaises(ValueError):
                media.parse(text)

    def test_a_dimm_has_the_same_slot_whichever_others_there_are(self):
        alone = media.assignments(["xfs"], ["xfs"])
        self.assertIn(f'dimms="xfs={media.SLOTS["xfs"]}"', alone)
        self.assertIn(f'xfs={media.SLOTS["xfs"]}',
                      media.assignments(media.CUT, media.dimms_of(media.CUT)))


class AcknowledgementsTest(unittest.TestCase):
    def page(self, number, *words):
        data = bytearray(acknowledgements.SLOT_BYTES * acknowledgements.SLOTS)
        struct.pack_into(f"<{len(words)}Q", data, number * acknowledgements.SLOT_BYTES, *words)
        return data

    def test_a_slot_that_was_never_used(self):
        slot = acknowledgements.parse_slot(self.page(0), 3)
        self.assertEqual((slot.state, slot.total), (State.UNUSED, 0))

    def test_numbers_of_threads(self):
        words = [acknowledgements.MAGIC, 2, 2, 9, 5, 6, 7, 0,
                 12, 11, 10, 30, 0, 0, 0, 0, 22, 22, 21, 40]
        slot = acknowledgements.parse_slot(self.page(4, *words), 4)
        self.assertEqual((slot.state, slot.openings, slot.total), (State.WRITING, 9, 70))
        self.assertEqual(slot.threads[0], acknowledgements.Writes(12, 11, 10, 30))
        self.assertEqual(slot.threads[1].durable, 21)
        self.assertEqual(slot.jobs, (5, 6, 7))

    def test_bytes_of_another_program_are_refused(self):
        with self.assertRaises(ValueError):
            acknowledgements.parse_slot(self.page(0, 5), 0)


class ConsoleTest(unittest.TestCase):
    def test_lines_come_without_a_terminals_codes(self):
        self.assertEqual(console.clean("\x1b[2Jvm: booted after 7.5 s\r\n"),
                         "vm: booted after 7.5 s")
        self.assertEqual(console.BOOTED.match("vm: booted after 7.5 s").group(1), "7.5")
        self.assertEqual(console.ENDED.match("vm: job ended with 3").group(1), "3")

    def test_what_is_wrong_is_noticed(self):
        for line in ["ext4: WRONG check: Corruption", "vm: WRONG xfs can't be mounted",
                     "[ 3.1] Kernel panic - not syncing", "vm: cannot mount the root image"]:
            self.assertTrue(console.WRONG.search(line), line)
        for line in ["ext4: verified 1<=1<=2", "ext4: writing", "wrong usage"]:
            self.assertFalse(console.WRONG.search(line), line)


class SectionsTest(unittest.TestCase):
    def test_sections_have_lines_and_codes(self):
        found = sections.parse(["noise", "@ ext4 info", "a", "b", "@ end 0", "noise",
                                "@ xfs check", "c", "@ end 3", "@ xfs stats", "d"])
        self.assertEqual([(s.medium, s.step, s.text, s.code) for s in found],
                         [("ext4", "info", "a\nb", 0), ("xfs", "check", "c", 3),
                          ("xfs", "stats", "d", None)])


class VerdictsTest(unittest.TestCase):
    """Tests verdicts with the words of the programs; anything different is a finding."""
    FSDAX = "persistent memory: clwb"
    MSYNC = "synced like a file (msync)"

    def judged(self, medium, info, log, bench, map_sync, msync, repaired="x -",
               remounted="persistent memory, written back by clwb"):
        texts = {"info": info, "log": log, "bench": bench + "\n-----\nfigures", "contents": "x -",
                 "contents_of_backup": "x -", "contents_of_repaired": repaired,
                 "calls": f"MAP_SYNC {map_sync}\nmsync {msync}",
                 "remount": f"before: {self.MSYNC}\nafter: {self.FSDAX}\nlog: {remounted}"}
        return verdicts.judge([sections.Section(medium, step, text.split("\n"), 0)
                               for step, text in texts.items()], [medium])

    def test_agreement_is_no_finding(self):
        self.assertEqual(self.judged("ext4", self.FSDAX, self.FSDAX, self.FSDAX, 3, 2), [])
        self.assertEqual(self.judged("msync", self.MSYNC, self.MSYNC, self.MSYNC, 0, 220), [])

    def test_a_place_that_says_something_else_is_a_finding(self):
        for place in range(3):
            words = [self.FSDAX] * 3
            words[place] = self.MSYNC
            self.assertTrue(self.judged("xfs", *words, 3, 2))
            words = [self.MSYNC] * 3
            words[place] = self.FSDAX
            self.assertTrue(self.judged("msync", *words, 0, 220))

    def judged_eadr(self, **changed):
        said = "persistent memory, caches survive a power failure (eADR)"
        texts = {"info": f"  persistence_domain: cpu_cache\n  medium: eadr\n  medium_text: {said}",
                 "log": f"pool /p: ext4, DAX; {said} (no flush, avx copies); 16 MiB",
                 "bench": f"Device:     {said}\nPersistent: every write before it is acknowledged"
                          "\n-----\nfigures",
                 "stats": f"  medium: {said}\n  fences: 4\n  flushed-lines: 0"}
        return verdicts.judge_eadr([sections.Section("devdax2m", step, text.split("\n"), 0)
                                    for step, text in {**texts, **self.COMMON, **changed}.items()],
                                   ["devdax2m"])

    COMMON = {"contents": "x -", "contents_of_backup": "x -", "contents_of_repaired": "x -",
              "calls": "MAP_SYNC 0\nmsync 0"}

    def test_eadr_is_said_everywhere_and_writes_nothing_back(self):
        self.assertEqual(self.judged_eadr(), [])
        back = "persistent memory, written back by clwb"
        for step, text in {"info": f"  medium: clwb\n  medium_text: {back}", "log": back,
                           "bench": back + "\n-----", "stats": "  fences: 4\n  flushed-lines: 9"
                           }.items():
            self.assertTrue(self.judged_eadr(**{step: text}), step)

    def test_a_pool_that_stays_what_it_was_without_dax_is_a_finding(self):
        self.assertTrue(self.judged("ext4", self.FSDAX, self.FSDAX, self.FSDAX, 3, 2,
                                    remounted=self.MSYNC))

    def test_system_calls(self):
        self.assertTrue(self.judged("ext4", self.FSDAX, self.FSDAX, self.FSDAX, 0, 2))
        self.assertTrue(self.judged("ext4", self.FSDAX, self.FSDAX, self.FSDAX, 3, 200))
        self.assertTrue(self.judged("msync", self.MSYNC, self.MSYNC, self.MSYNC, 0, 10))

    def test_tests_and_stress_are_run_everywhere(self):
        ran = [sections.Section(medium, step, [], 0) for medium, step in
               [("ext4", "tests"), ("ext4", "stress"), ("devdax2m", "tests"),
                ("devdax2m", "stress")]]
        self.assertEqual(verdicts.judge_tests(ran, ["ext4", "devdax2m"]), [])
        self.assertEqual(verdicts.judge_tests(ran[1:], ["ext4", "devdax2m"]),
                         ["ext4 tests: was not run"])
        self.assertEqual(verdicts.judge_tests(ran[:2], ["ext4", "devdax2m"]),
                         ["devdax2m stress: was not run", "devdax2m tests: was not run"])

    def test_contents_that_differ_and_steps_that_fail(self):
        self.assertTrue(self.judged("ext4", self.FSDAX, self.FSDAX, self.FSDAX, 3, 2, "y -"))
        failed = sections.Section("ext4", "check", ["reason"], 3)
        self.assertEqual(verdicts.exit_code(failed), ["ext4 check: failed with 3\nreason"])
        self.assertTrue(verdicts.exit_code(sections.Section("ext4", "check", [], None)))


class RefusalsTest(unittest.TestCase):
    PROTECTED = ("bushstore: IO error: /media/disk/{0} has its newest data in the pool {1}, which "
                 "can't be used: IO error: pool {1} is on namespace2.0, whose region is read-only: "
                 "its modules do not keep what is written; `bushstore repair` of the database "
                 "saves what is there")

    def judged(self, medium, opening, code=1, info_code=3, repaired="x -"):
        steps = [("open", opening, code), ("info", "  problem: IO error", info_code),
                 ("contents", "x -", 0), ("repair", "repaired", 0), ("check", "sound: yes", 0),
                 ("contents_of_repaired", repaired, 0)]
        return verdicts.judge_refusals([sections.Section(medium, step, [text], code)
                                        for step, text, code in steps], [medium])

    def test_a_sentence_with_object_and_remedy_is_right(self):
        self.assertEqual(self.judged("devdax2m", self.PROTECTED.format("devdax2m", "/dev/dax2.0")),
                         [])
        pool = "/media/xfs/xfs-16de7b1a1bb9.set"
        self.assertEqual(self.judged("xfs", self.PROTECTED.format("xfs", pool)), [])

    def test_what_differs_is_a_finding(self):
        right = self.PROTECTED.format("devdax2m", "/dev/dax2.0")
        for wrong in [right.split(";", maxsplit=1)[0], right.replace("/dev/dax2.0", "/dev/pmem", 1),
                      right + "; mount the file system of the pool for writing",
                      right.replace("disk/devdax2m", "disk/xfs")]:
            self.assertTrue(self.judged("devdax2m", wrong), wrong)
        self.assertTrue(self.judged("devdax2m", right, code=134))
        self.assertTrue(self.judged("devdax2m", right, info_code=0))
        self.assertTrue(self.judged("devdax2m", right, repaired="y -"))


class PoisonTest(unittest.TestCase):
    def judged(self, medium, writer, log):
        texts = {"make": "", "check_before": "", "bad_blocks": "", "repair": "", "check_after": "",
                 "info": "  bad_blocks: 8\n  contents: free space", "writer": writer, "log": log}
        return verdicts.judge_poison([sections.Section(medium, step, text.split("\n"), 0)
                                      for step, text in texts.items()], [medium])

    def test_the_writer_and_log_name_the_same_page(self):
        pool = "/media/ext4/ext4-c3d6777c4bce.set"
        failed = (f"ext4: WRONG write: Corruption: persistent memory pool {pool} has lost a page, "
                  "at 5038144: close the database and run `bushstore repair` on it, which saves "
                  "everything else\nended with 1")
        line = f"2026/11/29-21:21:34.879027 244 pool {pool}: the page at %d cannot be read any more"
        self.assertEqual(self.judged("ext4", failed, line % 5038144), [])
        for wrong in [(failed, line % 4096), (failed, ""), ("ext4: done", line % 5038144),
                      ("ext4: done\nended with 0", ""), (failed, f"{line % 7}\n{line % 5038144}")]:
            self.assertTrue(self.judged("ext4", *wrong), wrong)

    def test_on_a_device_the_writer_goes_on(self):
        self.assertEqual(self.judged("devdax2m", "devdax2m: done\nended with 0", ""), [])
        self.assertTrue(self.judged("devdax2m", "devdax2m: WRONG write: IO error", ""))


class KernelTest(unittest.TestCase):
    def test_the_elf_file_is_found_in_the_image(self):
        elf = b"\x7fELF and the rest"
        self.assertEqual(kernel.unpacked_kernel(b"stub" + lzma.compress(elf) + b"tail"), elf)

    def test_an_image_of_another_kind_is_refused(self):
        for image in [b"stub", b"stub" + lzma.compress(b"no ELF file")]:
            with self.assertRaises(Failure):
                kernel.unpacked_kernel(image)


class RootImageTest(unittest.TestCase):
    def test_a_changed_program_makes_another_image(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text("one")
            contents = {"/opt/program": str(program)}
            before = root_image.digest_of(contents)
            self.assertEqual(root_image.digest_of(contents), before)
            program.write_text("other")
            self.assertNotEqual(root_image.digest_of(contents), before)

    def test_a_build_without_the_programs_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(Failure, "build it first"):
                root_image.programs_of(pathlib.Path(folder))


class PowerWriterTest(unittest.TestCase):
    """A kill of the process simulates the power failure: what is in files survives it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        with open(self.folder / "page", "wb") as page:
            page.truncate(acknowledgements.PAGE_BYTES)
        self.page = acknowledgements.Page(self.folder / "page")
        self.addCleanup(self.page.close)

    def words(self, *more):
        return [POWER_WRITER, "files", f"page={self.folder}/page", "slot=2", "seed=5",
                f"db={self.folder}/db", "promise=every", *more]

    def write_and_kill(self):
        self.page.forget_state(2)
        with subprocess.Popen(self.words(), stdout=subprocess.DEVNULL) as writer:
            while self.page.slot(2).state != State.WRITING or self.page.slot(2).total < 100:
                self.assertIsNone(writer.poll())
                time.sleep(0.01)
            writer.send_signal(signal.SIGKILL)

    def verify(self):
        return subprocess.run(self.words("seconds=1"), capture_output=True, text=True, check=False)

    def test_what_was_acknowledged_is_found_after_each_kill(self):
        for _ in range(3):
            self.write_and_kill()
        done = self.verify()
        self.assertEqual(done.returncode, 0, done.stdout)
        slot = self.page.slot(2)
        self.assertEqual((slot.state, slot.openings), (State.DONE, 4))
        self.assertGreater(slot.total, 300)

    def test_an_acknowledgement_without_its_write_is_lost(self):
        self.write_and_kill()
        with open(self.folder / "page", "r+b") as page:
            writes = self.page.slot(2).threads[1]
            page.seek(2 * acknowledgements.SLOT_BYTES + 8 * (8 + 8 * 1))
            page.write(struct.pack("<3Q", *[writes.begun + 30] * 3))
        done = self.verify()
        self.assertEqual(done.returncode, 1)
        self.assertIn("files: WRONG contents:", done.stdout)
        self.assertEqual(self.page.slot(2).state, State.WRONG)

    def test_a_database_that_is_gone_is_not_made_anew(self):
        self.write_and_kill()
        os.rename(self.folder / "db", self.folder / "elsewhere")
        self.assertEqual(self.verify().returncode, 1)
        self.assertEqual(self.page.slot(2).state, State.WRONG)


if __name__ == "__main__":
    POWER_WRITER = sys.argv.pop()
    unittest.main()
