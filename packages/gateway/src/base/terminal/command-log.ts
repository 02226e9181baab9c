// Loggers for rooms that are used by a command instead of the gateway.
import type { Logger, LogLevel } from "@chela/sdk";

export const silentLog: Logger = createCommandLog(() => {});

/** Hands on what a person should know; fields are left out, since commands print results of their own. */
export function createCommandLog(tell: (text: string) => void): Logger {
  const log = (level: LogLevel, text: string): void => {
    if (level === "warn" || level === "error" || level === "fatal") tell(text);
  };
  const logger: Logger = {
    log,
    trace: () => {},
    debug: () => {},
    info: () => {},
    warn: (text) => log("warn", text),
    error: (text) => log("error", text),
    child: () => logger,
  };
  return logger;
}
