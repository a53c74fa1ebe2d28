# Sourced by jobs. What they print is read by sections.py: a section begins with a line
# "@ MEDIUM STEP" and ends with "@ end EXIT_CODE".

# step MEDIUM STEP COMMAND...: the last lines of what a command says, as a section.
step() {
  local output=/tmp/step.$1.txt
  echo "@ $1 $2"
  shift 2
  "$@" > "$output" 2>&1
  local code=$?
  tail -n 60 "$output" | cut -c1-400
  echo "@ end $code"
}
