// Words the attempts are made of: small pieces for sh that print OPEN when a wall gave way.

/** Printed alone on a line. */
export const ESCAPED = "OPEN";
/** Printed when a tool for the attempt is not there. */
export const UNTESTED = "MISSING";

export interface Escape {
  readonly name: string;
  /** What is tried, as words for people. */
  readonly tries: string;
  /** For sh inside. */
  readonly command: string;
}

/** What stands outside for the attempts, so that it is certain that there was something to reach. */
export interface EscapeStage {
  /** A file outside of all mounts with `canaryText` in it, by its absolute path. */
  readonly canary: string;
  readonly canaryText: string;
  /** The gateway's state directory. */
  readonly stateDir: string;
  /** A writable folder of the sandbox, as it is called inside. */
  readonly workdir: string;
  /** A folder that is shown read-only, as it is called inside. */
  readonly readOnlyFolder?: string;
  /** Something that listens on loopback, and on an address of the machine where that is given. */
  readonly port: number;
  readonly address?: string;
  /** The name of an abstract unix socket on which somebody listens outside. */
  readonly abstractSocket?: string;
  /** A process outside that has to stay alive. */
  readonly pid: number;
  /** A variable in the environment of that process, and what it holds. */
  readonly secretName: string;
  readonly secretText: string;
}

/** One word for sh. */
export const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const perl = (script: string): string =>
  `if command -v perl >/dev/null 2>&1; then perl -e ${word(script)}; else echo ${UNTESTED}; fi`;

export const succeeds = (command: string): string => `(${command}) >/dev/null 2>&1 && echo ${ESCAPED}`;

export const yields = (command: string): string => `(${command}) 2>/dev/null | grep -q . && echo ${ESCAPED}`;

/** A bare system call, past all libraries. */
export const systemCall = (numbers: { readonly x64: number; readonly arm64: number }, args: string): string =>
  perl(
    `my $n = \`uname -m\` =~ /aarch64/ ? ${numbers.arm64} : ${numbers.x64}; print "${ESCAPED}\\n" if syscall($n, ${args}) >= 0;`,
  );

/** Container engines keep users as they are, and have a system of their own inside. */
export const unlessContainer = (command: string): string =>
  `if ! grep -q 4294967295 /proc/self/uid_map; then ${command}; fi`;
