// A log that nobody reads.
import type { Logger } from "@chela/sdk";

export const silentLog: Logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
