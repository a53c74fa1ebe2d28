# shellcheck shell=bash disable=SC2154
# CURRENT with the line ends of other systems is read. For anything else that a version control
# system may leave in it, the message shows it and names a remedy that works.
our write db a 10 || fail "write"
manifest=$(cd db && ls MANIFEST-*)
for text in "$manifest\\r\\n" "$manifest"; do
  rm -rf copy && cp -r db copy && printf "$text" > copy/CURRENT
  expect_count 10 copy
done
for text in "$manifest\\n$manifest\\n" \
  "<<<<<<< HEAD\\n$manifest\\n=======\\nMANIFEST-000001\\n>>>>>>> 1234abc\\n"; do
  rm -rf copy && cp -r db copy && printf "$text" > copy/CURRENT
  shown=$(our count copy) && fail "an open succeeds with CURRENT: $text"
  expect_text copy/CURRENT "$shown"
  expect_text "${text:0:10}" "$shown"
  expect_text RepairDB "$shown"
  our repair copy || fail "repair"
  expect_count 10 copy
done
