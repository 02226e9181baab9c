// Time, chance and logging are handed in, so that tests own them.

export interface Clock {
  /** Milliseconds since the epoch: what is written down and told. It jumps when somebody sets the clock. */
  now(): number;
  /** Milliseconds that only ever go on, from some moment: how long something lasts, or may last. For this process alone. */
  steady(): number;
  /** Runs `task` once after `ms`; the returned function cancels it. Never keeps the process alive by itself. */
  after(ms: number, task: () => void): () => void;
}

export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string;
  /** Eight hexadecimal digits: the id of one transcript entry. */
  entryId(): string;
  /** `bytes` of randomness as lowercase hexadecimal. */
  secretHex(bytes: number): string;
}

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal";

export interface Logger {
  log(level: LogLevel, text: string, fields?: Record<string, unknown>): void;
  trace(text: string, fields?: Record<string, unknown>): void;
  debug(text: string, fields?: Record<string, unknown>): void;
  info(text: string, fields?: Record<string, unknown>): void;
  warn(text: string, fields?: Record<string, unknown>): void;
  error(text: string, fields?: Record<string, unknown>): void;
  /** A logger that adds these fields to every line. */
  child(fields: Record<string, unknown>): Logger;
}
