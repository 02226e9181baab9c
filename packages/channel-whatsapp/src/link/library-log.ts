// Passes the library's log to ours without its values: those hold keys and what people write.
import type { ILogger } from "baileys/lib/Utils/logger.js";
import type { Logger } from "@chela/sdk";

export function createLibraryLog(log: Logger): ILogger {
  const say = (values: unknown, text?: string): void => {
    const words = text ?? (typeof values === "string" ? values : "");
    if (words) log.debug(`baileys: ${words}`);
  };
  const logger: ILogger = {
    level: "warn",
    child: () => logger,
    trace() {},
    debug() {},
    info() {},
    warn: say,
    error: say,
  };
  return logger;
}

/**
 * The library for the encryption prints whole sessions, keys included, when it opens or closes one. With this they print
 * as one word.
 */
export function hideSessionKeys(libsignal: unknown): void {
  const { SessionRecord } = libsignal as { SessionRecord?: { createEntry?(): object } };
  const entry = SessionRecord?.createEntry?.();
  if (!entry) return;
  const shape = Object.getPrototypeOf(entry) as Record<symbol, unknown>;
  shape[Symbol.for("nodejs.util.inspect.custom")] = () => "(keys not shown)";
}
