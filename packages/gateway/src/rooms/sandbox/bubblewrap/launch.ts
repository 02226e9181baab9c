// Starts bubblewrap: in its control group and under its limits before it is anything, with the filter in hand.
import type { SandboxLimits } from "@chela/sdk";
import type { Guard } from "./landlock.ts";

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
}

export interface LaunchParts {
  /** Files beyond the ninth are open that have to be closed; not every shell can do that. */
  readonly hasStrayFiles: boolean;
  readonly bubblewrap: string;
  /** Files with the arguments and the filter; only the gateway's user can read them. */
  readonly argumentsFile: string;
  readonly filterFile: string;
  /** Run inside; a path and options, by spaces. */
  readonly shell: string;
  readonly script: string;
  /** What becomes that shell after it took on rules of its own; absent where there is none. */
  readonly guard: Guard | undefined;
  /** `cgroup.procs` of each control group it belongs to. */
  readonly groups: readonly string[];
  /** What only the profile says; absent while it is not known, and then it comes as lines of its input. */
  readonly orders: LaunchOrders | undefined;
}

export interface LaunchOrders {
  /** As the shell takes them. */
  readonly limits: string;
  /** Folders that the guard lets be written. */
  readonly writable: readonly string[];
}

/** Instead of limits. */
const WAIT = "wait";

/**
 * Everything is an argument of its own, so nothing in it is read as shell. No file of the gateway stays open, except the
 * three ends it talks through. Without its control group it does not start.
 * A limit that cannot be set is one above what this user may have anyway: then that lower one holds.
 */
const TEXT = `
bubblewrap=$1 arguments=$2 filter=$3 shell=$4 script=$5 guard=$6 limits=$7 groups=$8
shift 8
for number in /proc/self/fd/*; do
  number=\${number##*/}
  [ "$number" -le 2 ] || eval "exec $number>&-" || exit 125
done
while [ "$groups" -gt 0 ]; do
  echo $$ >"$1" || exit 125
  shift
  groups=$((groups - 1))
done
if [ "$limits" = ${WAIT} ]; then
  read -r limits || exit 0
  while IFS= read -r folder && [ "$folder" ]; do set -- "$@" "$folder"; done
fi
for limit in $limits; do
  ulimit "\${limit%%=*}" "\${limit#*=}" 2>/dev/null || :
done
for folder do
  shift
  set -- "$@" --rw "$folder"
done
[ ! "$guard" ] || set -- $guard "$@" --
exec "$bubblewrap" --args 8 --seccomp 9 -- "$@" $shell "$script" 8<"$arguments" 9<"$filter"
`;

const BLOCK = 512;
const KILOBYTE = 1024;

/** Words like "-f=100", for the shell's own ulimit. `dataBytes` is of one process, where nothing watches all of them. */
export function limitWords(limits: SandboxLimits, dataBytes: number | undefined): string {
  const words = {
    "-c": 0,
    "-t": Math.max(1, Math.ceil(limits.cpuSeconds)),
    "-f": Math.max(1, Math.floor(limits.fileBytes / BLOCK)),
    "-n": Math.max(32, Math.floor(limits.openFiles)),
    "-d": dataBytes === undefined ? "unlimited" : Math.floor(dataBytes / KILOBYTE),
  };
  return Object.entries(words)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** The lines for a launch that waits. */
export function orderLines({ limits, writable }: LaunchOrders): string {
  return [limits, ...writable, "", ""].join("\n");
}

export function launchOf(parts: LaunchParts): Launch {
  const { bubblewrap, argumentsFile, filterFile, shell, script, guard, groups, orders } = parts;
  // Both count blocks of files by the standard.
  const [file, ...options] = parts.hasStrayFiles ? ["/bin/bash", "--norc", "--noprofile", "--posix"] : ["/bin/sh"];
  const words = [bubblewrap, argumentsFile, filterFile, shell, script, guard?.words.join(" ") ?? ""];
  const counted = [orders?.limits ?? WAIT, String(groups.length), ...groups];
  return { file, args: [...options, "-c", TEXT, "sh", ...words, ...counted, ...(orders?.writable ?? [])] };
}
