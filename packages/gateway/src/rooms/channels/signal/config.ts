// What this channel reads of an account's settings.
import * as z from "zod";
import { once, type Configured } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { readNumber } from "./address.ts";

export interface SignalAccount {
  /** Our telephone number; absent: the only account of a daemon that runs elsewhere. */
  readonly number: string | undefined;
  /** Where signal-cli listens, without a slash at its end. */
  readonly daemonUrl: string;
  /** Absent: somebody else runs signal-cli. */
  readonly daemon: DaemonSettings | undefined;
  readonly takesAttachments: boolean;
  readonly sendsReadReceipts: boolean;
  readonly maxMediaBytes: number;
  readonly tables: TableMode;
}

export interface DaemonSettings {
  readonly program: string;
  readonly number: string;
  /** `host:port` it shall listen on. */
  readonly listen: string;
  readonly receiveMode: "on-start" | "on-connection" | "manual";
  readonly ignoresAttachments: boolean;
  readonly ignoresStories: boolean;
  readonly patienceMs: number;
}

const DEFAULT_HOST = "127.0.0.1";
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9_.-]*)$/i;
const DEFAULT_PORT = 8080;
const DEFAULT_PATIENCE_MS = 30_000;
const DEFAULT_MEDIA_MEGABYTES = 8;

const Settings = once(() =>
  z.object({
    account: z.string().optional(),
    httpUrl: z.string().optional(),
    httpHost: z.string().optional(),
    httpPort: z.int().min(1).max(65_535).optional(),
    cliPath: z.string().optional(),
    autoStart: z.boolean().optional(),
    startupTimeoutMs: z.int().min(1000).max(120_000).optional(),
    receiveMode: z.enum(["on-start", "on-connection", "manual"]).optional(),
    ignoreAttachments: z.boolean().optional(),
    ignoreStories: z.boolean().optional(),
    sendReadReceipts: z.boolean().optional(),
    mediaMaxMb: z.number().positive().optional(),
    markdown: z.object({ tables: z.enum(["off", "bullets", "code"]).optional() }).optional(),
  }),
);
type Written = z.output<ReturnType<typeof Settings>>;

export function configure(settings: unknown): Configured<SignalAccount> {
  const read = Settings().safeParse(settings);
  if (!read.success) {
    return incomplete(`channels.signal: ${read.error.issues[0]?.path.join(".") || "the block"} cannot be read.`);
  }
  const written = read.data;
  const number = written.account?.trim() ? readNumber(written.account) : undefined;
  if (written.account?.trim() && number === undefined) {
    return incomplete(
      "channels.signal.account must be a telephone number with its country code, such as +15551234567.",
    );
  }
  const address = readAddress(written);
  if (address === undefined) {
    return incomplete("channels.signal.httpUrl must be the address of signal-cli, such as http://127.0.0.1:8080.");
  }
  if (number === undefined && !written.httpUrl?.trim()) {
    return incomplete("Signal needs a telephone number: set channels.signal.account, such as +15551234567.");
  }
  const daemon = number === undefined || written.httpUrl?.trim() ? undefined : daemonOf(written, number, address);
  return {
    kind: "configured",
    account: {
      number,
      daemonUrl: `${address.origin}${address.pathname}`.replace(/\/+$/, ""),
      daemon,
      takesAttachments: written.ignoreAttachments !== true,
      sendsReadReceipts: written.sendReadReceipts === true,
      maxMediaBytes: (written.mediaMaxMb ?? DEFAULT_MEDIA_MEGABYTES) * 1024 * 1024,
      tables: written.markdown?.tables ?? "code",
    },
  };
}

const incomplete = (why: string): Configured<SignalAccount> => ({ kind: "incomplete", why });

function readAddress({ httpUrl, httpHost, httpPort }: Written): URL | undefined {
  const host = httpHost?.trim() || DEFAULT_HOST;
  const inBrackets = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const text = httpUrl?.trim() || `${inBrackets}:${httpPort ?? DEFAULT_PORT}`;
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  // The host becomes an argument of signal-cli, where a dash would begin an option.
  return url && ["http:", "https:"].includes(url.protocol) && HOST.test(url.hostname) ? url : undefined;
}

function daemonOf(written: Written, number: string, address: URL): DaemonSettings | undefined {
  if (written.autoStart === false) return undefined;
  return {
    program: written.cliPath?.trim() || "signal-cli",
    number,
    listen: `${address.hostname}:${written.httpPort ?? DEFAULT_PORT}`,
    // What arrives while nobody listens waits at Signal. With "on-start" the daemon would take it and drop it.
    receiveMode: written.receiveMode ?? "on-connection",
    ignoresAttachments: written.ignoreAttachments === true,
    ignoresStories: written.ignoreStories !== false,
    patienceMs: written.startupTimeoutMs ?? DEFAULT_PATIENCE_MS,
  };
}
