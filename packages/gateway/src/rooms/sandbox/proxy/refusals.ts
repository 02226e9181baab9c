// Refusals of the proxy, for the program inside and for the log: there not more than once a minute for each host.
import { defined } from "@chela/sdk/base";
import type { Clock, Logger } from "@chela/sdk";

export interface Refusal {
  readonly status: 400 | 403 | 405 | 502 | 503 | 504;
  /** One sentence for whoever reads the program's output. */
  readonly says: string;
  /** What is logged under; absent when it is nobody's concern. */
  readonly host?: string;
}

export const ALLOW_KEY = "agents.defaults.sandbox.allowHosts";

const REASONS: Readonly<Record<Refusal["status"], string>> = {
  400: "Bad Request",
  403: "Forbidden",
  405: "Method Not Allowed",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
const QUIET_MS = 60_000;
/** More hosts than this in one minute are somebody's game. */
const MOST_HOSTS = 200;

/** A whole answer, for a connection on which nothing was said yet. */
export function writeRefusal({ status, says }: Refusal): string {
  const body = `${says}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

export function createRefusalLog(clock: Clock, log: Logger): (refusal: Refusal, why?: string) => void {
  const loggedAt = new Map<string, number>();
  return ({ host, says }, why) => {
    if (host === undefined) return;
    const now = clock.steady();
    const last = loggedAt.get(host);
    if (last !== undefined && now - last < QUIET_MS) return;
    loggedAt.delete(host);
    for (const [old, at] of loggedAt) if (now - at >= QUIET_MS) loggedAt.delete(old);
    if (loggedAt.size >= MOST_HOSTS) return;
    loggedAt.set(host, now);
    log.warn("A sandbox asked for a host it may not reach", { host, says, ...defined({ why }) });
  };
}
