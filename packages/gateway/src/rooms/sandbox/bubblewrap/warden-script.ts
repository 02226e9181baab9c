// Texts for the shells inside: the warden that starts commands, and the few lines before each command.
import { GatewayError } from "@chela/sdk";

/** Where the inside sees the channel: read-only, made by the host alone. */
export const CHANNEL_INSIDE = "/run/chela";
export const WARDEN_FILE = "warden";
/** The part of the channel where what is inside may write. */
export const PIPES_FOLDER = "pipes";
export const PIPES_INSIDE = `${CHANNEL_INSIDE}/${PIPES_FOLDER}`;
/** By this pipe the inside tells the warden that it has taken a command. */
export const NEXT_PIPE = "next";
/** In the environment of every command and of what it starts, wherever that may hide. */
export const MARKER = "CHELA_COMMAND";

/** Linux takes no single argument of more than 128 KB. */
const LONGEST_ARGUMENT = 100_000;

export interface InnerShell {
  /** Without files of the user: bash takes a socket for a visitor from the network, and reads them. */
  readonly commandLine: string;
  /** Gives each command a process group by itself; other shells need a program for it. */
  readonly hasJobControl: boolean;
  /** Absolute path of the program for shells without job control. */
  readonly setsid?: string;
}

/**
 * One line comes for each command: its id, the name of its pipes and whether it takes input. The warden never looks at
 * what a command says or does. Everything inside belongs to one conversation's sandbox, so whoever tampers with the
 * warden only harms himself: the host takes nothing from it but pids, exit codes and ids it gave out itself.
 *
 * Two processes for each command: one that waits and reports, and the command as the head of a group of its own. To
 * start them takes as long as the rest, so both are there before the line comes: the second one reads it, and tells the
 * warden that there must be another two.
 */
export function wardenScript(options: { readonly mostProcesses?: number; readonly forwarder?: string }): string {
  const { mostProcesses, forwarder } = options;
  const limit = mostProcesses === undefined ? "" : `ulimit -u ${mostProcesses} || ulimit -p ${mostProcesses}\n`;
  const forward = forwarder === undefined ? "" : `while :; do ${forwarder}; done </dev/null &\n`;
  return `exec 3>&1 4<>${PIPES_INSIDE}/${NEXT_PIPE} 5<&0 </dev/null >/dev/null 2>&1
cd /
set -m
become_command() {
  read -r id pipes input <&5 || { echo over >&4; exit; }
  echo >&4
  read -r pid rest </proc/self/stat
  echo "start $id $pid" >&3
  pipes=${PIPES_INSIDE}/$pipes
  [ "$input" = input ] && input=$pipes.in || input=/dev/null
  exec <"$input" >"$pipes.out" 2>"$pipes.err" || exit
  echo "open $id" >&3
  exec 3>&- 4>&- 5>&-
  set +m
  . "${CHANNEL_INSIDE}/$id"
}
await_command() {
  set -m
  ( become_command ) &
  set +m
  wait $!
  echo "end $! $?" >&3
}
${limit}${forward}echo ready >&3
while await_command & read -r next <&4 && [ "$next" != over ]; do :; done
`;
}

export interface ScriptWish {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What is run for one command; `longFile` is written too when the command is too long for an argument. */
export function commandScript(
  wish: ScriptWish,
  shell: Pick<InnerShell, "hasJobControl" | "setsid">,
): { readonly text: string; readonly long?: string } {
  const { id, command, cwd, env } = wish;
  const exports = Object.entries({ ...env, [MARKER]: id }).map(([name, value]) => exportLine(name, value));
  const prefix = !shell.hasJobControl && shell.setsid ? `${quote(shell.setsid)} ` : "";
  const isLong = Buffer.byteLength(command) > LONGEST_ARGUMENT;
  const what = isLong ? quote(`${CHANNEL_INSIDE}/${id}.long`) : `-c ${quote(command)}`;
  const lines = [`cd -- ${quote(cwd)} || exit 1`, ...exports, `exec ${prefix}/bin/sh ${what}`];
  return { text: `${lines.join("\n")}\n`, ...(isLong ? { long: command } : {}) };
}

function exportLine(name: string, value: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new GatewayError("SANDBOX_FAILED", `"${name}" cannot be the name of an environment variable.`);
  }
  return `export ${name}=${quote(value)}`;
}

/** One word for any shell, whatever is in it. */
export function quote(text: string): string {
  if (text.includes("\0")) throw new GatewayError("SANDBOX_FAILED", "A command cannot contain the character NUL.");
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
