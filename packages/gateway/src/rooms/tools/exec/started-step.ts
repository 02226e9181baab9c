// Type of one step of a command, whether its programs are joined by pipes or sit in a terminal.

/** How a program ended: with a code, or by a signal. */
export interface CommandExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface StepSetting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the first program can be written to. */
  readonly takesInput: boolean;
  onText(text: string): void;
}

export interface StartedStep {
  /** Of the programs that could be started. */
  readonly pids: readonly number[];
  /** The last program's end, once all programs have ended; never rejects. */
  readonly exited: Promise<CommandExit>;
  /** Nobody holds the output open any more. */
  readonly closed: Promise<void>;
  /** False when there is nobody to read it. */
  write(data: string | Buffer): boolean;
  closeInput(): boolean;
  pause(): void;
  resume(): void;
  /** Lets go of the output, whoever still holds the other end. */
  abandon(): void;
  /** Where the programs are not ours to signal by their ids. */
  signal?(signal: NodeJS.Signals): void;
}

/** What a shell answers for a program that cannot be started: 127 when it is not there, else 126. */
export function failedStart(file: string, errno: string | undefined): { text: string; exit: CommandExit } {
  const isMissing = errno === "ENOENT" || errno === "ENOTDIR";
  const why = isMissing ? "it, or the directory to run it in, does not exist" : (errno ?? "refused by the system");
  return { text: `${file} cannot be started: ${why}\n`, exit: { exitCode: isMissing ? 127 : 126, signal: null } };
}
