// One JSON line per event, to a file and (readable) to the terminal; secrets are taken out on the way.
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock, Logger, LogLevel } from "@chela/sdk";

const ORDER: Record<LogLevel | "silent", number> = {
  trace: 0,
  debug: 1,
  info: 2,
  warn: 3,
  error: 4,
  fatal: 5,
  silent: 6,
};

export interface LogOptions {
  readonly clock: Clock;
  /** Least level that is written to the file. */
  level: LogLevel | "silent";
  /** Least level that is shown on the terminal. */
  consoleLevel: LogLevel | "silent";
  readonly console?: (text: string) => void;
  style?: "pretty" | "compact" | "json";
  maxFileBytes?: number;
  /** Takes out what looks like a secret, or what somebody wants to see in no line. */
  mask?: (text: string) => string;
  /** Name of today's file; undefined writes none. */
  readonly file?: (at: number) => string;
}

type LogSettings = Partial<
  Pick<LogOptions, "level" | "consoleLevel" | "style" | "maxFileBytes"> & { mask: (text: string) => string }
>;

export interface LogSink extends Logger {
  /** A value that must never be written, in any line. */
  addSecret(value: string): void;
  /** The text without any of those values. */
  redact(text: string): string;
  change(settings: LogSettings): void;
  /** Writes out what is still in memory. */
  flush(): void;
  currentFile(): string | undefined;
  /** Calls back with the lines of each write, as they are in the file. The returned function ends that. */
  onLines(listener: (lines: readonly string[]) => void): () => void;
}

const FLUSH_AFTER_MS = 200;
const FLUSH_AT_CHARS = 64_000;
const FILE_REST_MS = 30_000;

export function createLog(options: LogOptions): LogSink {
  const secrets = new Set<string>();
  const listeners = new Set<(lines: readonly string[]) => void>();
  let waiting = "";
  let cancelFlush: (() => void) | undefined;
  /** A file that could not be written is left alone until then. */
  let fileRestsUntil = 0;

  /** Before a line is put together, so that a mask cannot break it. */
  const mask = (value: unknown): unknown => {
    if (typeof value === "string") return options.mask?.(value) ?? value;
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== "object" || value === null || !options.mask) return value;
    if (value instanceof Error) return options.mask(String(value));
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mask(entry)]));
  };

  const redact = (text: string): string => {
    for (const secret of secrets) if (text.includes(secret)) text = text.replaceAll(secret, "[redacted]");
    return text;
  };

  const flush = (): void => {
    cancelFlush?.();
    cancelFlush = undefined;
    if (!waiting) return;
    const text = waiting;
    waiting = "";
    const lines = listeners.size > 0 ? text.split("\n").slice(0, -1) : [];
    for (const listener of listeners) listener(lines);
    const now = options.clock.now();
    const path = options.file?.(now);
    if (!path || now < fileRestsUntil) return;
    try {
      appendPrivately(path, text, options.maxFileBytes ?? 500_000_000);
      fileRestsUntil = 0;
    } catch (error) {
      // A full or read-only disk must not stop the gateway; say it once, where a person can see it.
      if (fileRestsUntil === 0)
        options.console?.(`Log file ${path} cannot be written (${String(error)}); going on without it for now.`);
      fileRestsUntil = now + FILE_REST_MS;
    }
  };

  const write = (level: LogLevel, text: string, fields: Record<string, unknown>): void => {
    const at = options.clock.now();
    if (ORDER[level] >= ORDER[options.level] && options.file) {
      const time = new Date(at).toISOString();
      const line = { time, level, msg: text, ...fields, ...asOthersReadIt(time, level, text, fields) };
      waiting += `${redact(JSON.stringify(line))}\n`;
      if (waiting.length > FLUSH_AT_CHARS) flush();
      else cancelFlush ??= options.clock.after(FLUSH_AFTER_MS, flush);
    }
    if (ORDER[level] >= ORDER[options.consoleLevel]) {
      options.console?.(redact(toConsole(options.style ?? "pretty", at, level, text, fields)));
    }
  };

  const make = (bound: Record<string, unknown>): Logger => {
    const log = (level: LogLevel, text: string, fields?: Record<string, unknown>): void => {
      if (ORDER[level] >= Math.min(ORDER[options.level], ORDER[options.consoleLevel])) {
        write(level, String(mask(text)), mask({ ...bound, ...fields }) as Record<string, unknown>);
      }
    };
    return {
      log,
      trace: (text, fields) => log("trace", text, fields),
      debug: (text, fields) => log("debug", text, fields),
      info: (text, fields) => log("info", text, fields),
      warn: (text, fields) => log("warn", text, fields),
      error: (text, fields) => log("error", text, fields),
      child: (fields) => make({ ...bound, ...fields }),
    };
  };

  return {
    ...make({}),
    addSecret: (value) => {
      if (value.length < 6) return;
      secrets.add(value);
      // Lines are JSON, where quotes and backslashes look different.
      secrets.add(JSON.stringify(value).slice(1, -1));
    },
    redact,
    change: (settings) => Object.assign(options, settings),
    flush,
    currentFile: () => options.file?.(options.clock.now()),
    onLines(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The same once more in the form OpenClaw's own clients take apart: numbered texts, and the level under `_meta`. */
function asOthersReadIt(date: string, level: LogLevel, text: string, fields: Record<string, unknown>): object {
  const { subsystem, ...others } = fields;
  const parts: unknown[] = [...(subsystem === undefined ? [] : [JSON.stringify({ subsystem })]), text];
  if (Object.keys(others).length > 0) parts.push(others);
  const [logLevelName, name] = [level.toUpperCase(), "openclaw"];
  return { ...parts, _meta: { name, date, logLevelId: ORDER[level] + 1, logLevelName } };
}

function appendPrivately(path: string, text: string, maxBytes: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size + text.length > maxBytes) renameSync(path, `${path}.1`);
  appendFileSync(path, text, { mode: 0o600 });
}

function toConsole(
  style: "pretty" | "compact" | "json",
  at: number,
  level: LogLevel,
  text: string,
  fields: Record<string, unknown>,
): string {
  if (style === "json") return JSON.stringify({ time: new Date(at).toISOString(), level, msg: text, ...fields });
  const time = new Date(at).toISOString().slice(11, 19);
  const extra = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  const mark = level === "info" ? "" : `${level.toUpperCase()} `;
  return `${time} ${mark}${text}${extra ? `  ${extra}` : ""}`;
}
