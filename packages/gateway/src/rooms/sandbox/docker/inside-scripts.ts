// The few lines of shell we run inside a container: around each command, and to reach all that a command started.

/** What a command and its descendants carry in their environment, so that they can be found. */
const MARK = "CHELA_COMMAND";

/**
 * Arguments: mark, directory, command.
 *
 * The command's output goes through two `cat`s. They end when nobody holds the output any more, so a program left in
 * the background is read for as long as it writes; an engine by itself stops reading two seconds after the command's
 * end, and the program would stand still at its next line. The end of the command is therefore told in the streams,
 * behind everything it wrote. Signals are for the command: this shell waits for it, and the mark is not in its own
 * environment.
 */
const RUN = `
trap : TERM INT
cd -- "$2" 2>/dev/null || { printf 'The directory %s is not there in the sandbox.\\n' "$2" >&2; exit 126; }
shell=sh
if command -v bash >/dev/null 2>&1; then shell=bash; fi
own=
if command -v setsid >/dev/null 2>&1; then own=setsid; fi
{
  {
    ${MARK}=$1 $own "$shell" -c "$3" 3>&- 4>&-
    code=$?
    printf '\\000%s %s\\000' "$1" "$code"
    printf '\\000%s %s\\000' "$1" "$code" >&2
  } 2>&1 >&3 | (trap '' TERM INT; exec cat) >&4
} 3>&1 4>&2 | (trap '' TERM INT; exec cat)
`;

export function commandLine(mark: string, cwd: string, command: string): readonly string[] {
  return ["sh", "-c", RUN, "sh", mark, cwd, command];
}

/**
 * Arguments: mark, signal, how many times to look. Prints how many were signalled. Ends with 3 when some are still
 * there after a SIGKILL.
 *
 * Members are those with the mark, their children and their sessions. A tree that is being killed may still grow,
 * so a killer looks again until nobody is left. Nobody is signalled twice with a signal that can be handled.
 */
const SIGNAL = `
find_members() {
  members=' '
  for place in /proc/[0-9]*; do
    pid=\${place#/proc/}
    [ -r "$place/environ" ] || continue
    if tr '\\000' '\\n' 2>/dev/null < "$place/environ" | grep -qxF "${MARK}=$mark"; then members="$members$pid "; fi
  done
  before=
  while [ "$before" != "$members" ]; do
    before=$members
    for place in /proc/[0-9]*; do
      pid=\${place#/proc/}
      case $members in *" $pid "*) continue ;; esac
      { read -r line < "$place/stat"; } 2>/dev/null || continue
      set -- \${line##*) }
      case $members in *" $2 "* | *" $4 "*) members="$members$pid " ;; esac
    done
  done
}
is_alive() {
  { read -r line < "/proc/$1/stat"; } 2>/dev/null || return 1
  case \${line##*) } in Z*) return 1 ;; esac
}
mark=$1 signal=$2 looks=$3 seen=' ' look=0 count=0
while [ "$look" -lt "$looks" ]; do
  look=$((look + 1)) fresh=0
  find_members
  for pid in $members; do
    is_alive "$pid" || continue
    case $seen in *" $pid "*) [ "$signal" = KILL ] || continue ;; esac
    kill -s "$signal" "$pid" 2>/dev/null || kill -"$signal" "$pid" 2>/dev/null
    seen="$seen$pid " fresh=$((fresh + 1)) count=$((count + 1))
  done
  [ "$fresh" = 0 ] && { echo "$count"; exit 0; }
done
echo "$count"
[ "$signal" = KILL ] && exit 3
exit 0
`;

/** How often a killer looks before it gives up; the others are content with whoever is there. */
const LOOKS = { SIGKILL: 20, SIGTERM: 2, SIGINT: 2 };

export function signalLine(mark: string, signal: keyof typeof LOOKS): readonly string[] {
  return ["sh", "-c", SIGNAL, "sh", mark, signal.slice(3), String(LOOKS[signal])];
}
