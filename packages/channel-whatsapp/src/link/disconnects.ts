// Reasons why WhatsApp ended a connection, and whether it is of any use to try again.
import { GatewayError, type Disconnect } from "@chela/sdk";

interface Reason extends Disconnect {
  /** The link with the telephone is gone. */
  readonly isLoggedOut?: boolean;
}

const REASONS: Readonly<Record<number, Reason>> = {
  401: {
    why: "the device was logged out on the telephone; link it again with `chela channels login`",
    isFinal: true,
    isLoggedOut: true,
  },
  402: { why: "WhatsApp has blocked this account for a time", isFinal: true },
  403: { why: "WhatsApp has banned or refused this account", isFinal: true },
  405: { why: "WhatsApp does not take this version of the library any more; update @chela/channel-whatsapp" },
  408: { why: "the connection was lost: no answer in time" },
  411: { why: "the telephone does not use linked devices; switch them on in WhatsApp's settings", isFinal: true },
  428: { why: "the connection was closed" },
  440: { why: "another program uses this linked device", isConflict: true },
  500: { why: "WhatsApp could not go on with this session" },
  503: { why: "WhatsApp is not available at the moment" },
  515: { why: "WhatsApp asks for a new connection" },
};
export const RESTART_REQUIRED = 515;
export const TIMED_OUT = 408;

export function statusOf(error: unknown): number | undefined {
  const status = (error as { output?: { statusCode?: unknown } } | undefined)?.output?.statusCode;
  return typeof status === "number" ? status : undefined;
}

/** The library's own words are left out: they are for developers, and may quote what was sent. */
export function reasonOf(error: unknown): Reason {
  if (GatewayError.is(error)) return { why: error.detail };
  const status = statusOf(error);
  return REASONS[status ?? 0] ?? { why: `the connection ended${status === undefined ? "" : ` (${status})`}` };
}

export function toFailure(reason: Disconnect): GatewayError {
  return new GatewayError(reason.isFinal ? "CHANNEL_AUTH" : "CHANNEL_OFFLINE", reason.why);
}
