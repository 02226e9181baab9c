// How bubblewrap is started: in its control group and under its limits before it is anything, with the filter in hand.

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
  /** `cgroup.procs` of each control group it belongs to. */
  readonly groups: readonly string[];
  readonly cpuSeconds: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  /** Of one process; undefined where a control group watches the memory of all. */
  readonly dataBytes: number | undefined;
}

/**
 * Everything is an argument of its own, so nothing in it is read as shell. No file of the gateway stays open, except the
 * three ends it talks through. Without its control group it does not start.
 * A limit that cannot be set is one above what this user may have anyway: then that lower one holds.
 */
const TEXT = `
bubblewrap=$1 arguments=$2 filter=$3 shell=$4 script=$5 cpu=$6 file=$7 open=$8 data=$9
shift 9
for number in /proc/self/fd/*; do
  number=\${number##*/}
  [ "$number" -le 2 ] || eval "exec $number>&-" || exit 125
done
for group do
  echo $$ >"$group" || exit 125
done
for limit in "-c 0" "-t $cpu" "-f $file" "-n $open" "-d $data"; do
  ulimit $limit 2>/dev/null || :
done
exec "$bubblewrap" --args 8 --seccomp 9 -- $shell "$script" 8<"$arguments" 9<"$filter"
`;

const BLOCK = 512;
const KILOBYTE = 1024;

export function launchOf(parts: LaunchParts): Launch {
  const { dataBytes } = parts;
  const files = [parts.bubblewrap, parts.argumentsFile, parts.filterFile, parts.shell, parts.script];
  const limits = [
    Math.max(1, Math.ceil(parts.cpuSeconds)),
    Math.max(1, Math.floor(parts.fileBytes / BLOCK)),
    Math.max(32, parts.openFiles),
    dataBytes === undefined ? "unlimited" : Math.floor(dataBytes / KILOBYTE),
  ];
  // Both count blocks of files by the standard.
  const [file, ...options] = parts.hasStrayFiles ? ["/bin/bash", "--norc", "--noprofile", "--posix"] : ["/bin/sh"];
  return { file, args: [...options, "-c", TEXT, "sh", ...files, ...limits.map(String), ...parts.groups] };
}
