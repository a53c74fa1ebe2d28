# Sourced by jobs. What they print is read by sections.py: a section begins with a line
# "@ MEDIUM STEP" and ends with "@ end EXIT_CODE".

# step MEDIUM STEP COMMAND...: prints the last lines of a command's output, as a section.
step() {
  local output=/tmp/step.$1.txt
  echo "@ $1 $2"
  shift 2
  "$@" > "$output" 2>&1
  local code=$?
  tail -n 60 "$output" | cut -c1-400
  echo "@ end $code"
}

# on_all_media COMMAND: runs it for each of `media` with two workers, for two processors. Its output
# is printed one medium at a time.
on_all_media() {
  on_every_second "$1" 0 &
  on_every_second "$1" 1 &
  wait
}

# Runs the command for the media with an even or an odd index in the list.
on_every_second() {
  local place=0 name
  for name in $media; do
    if [ $((place % 2)) = "$2" ]; then
      "$1" "$name" > "/tmp/$name.txt" 2>&1
      until mkdir /tmp/printing 2> /dev/null; do sleep 0.1; done
      cat "/tmp/$name.txt"
      rmdir /tmp/printing
    fi
    place=$((place + 1))
  done
}
