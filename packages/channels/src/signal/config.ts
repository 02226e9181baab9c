// Reads an account's settings for this channel.
import { type Configured } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { readNumber } from "./address.ts";
import { readSettings, type SettingsOf } from "@chela/sdk/config";
import { signalSection } from "./section.ts";

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

type Settings = SettingsOf<typeof signalSection>;

export function configure(settings: unknown): Configured<SignalAccount> {
  const read = readSettings(signalSection, settings);
  if (read.kind === "unusable") {
    return incomplete(`channels.signal: ${read.where || "the block"} cannot be read.`);
  }
  const { settings: written } = read;
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
      takesAttachments: !written.ignoreAttachments,
      sendsReadReceipts: written.sendReadReceipts,
      maxMediaBytes: written.mediaMaxMb * 1024 * 1024,
      tables: written.markdown.tables,
    },
  };
}

const incomplete = (why: string): Configured<SignalAccount> => ({ kind: "incomplete", why });

function readAddress({ httpUrl, httpHost, httpPort }: Settings): URL | undefined {
  const host = httpHost.trim() || DEFAULT_HOST;
  const inBrackets = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const text = httpUrl?.trim() || `${inBrackets}:${httpPort}`;
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  // The host becomes an argument of signal-cli, where a dash would begin an option.
  return url && ["http:", "https:"].includes(url.protocol) && HOST.test(url.hostname) ? url : undefined;
}

function daemonOf(written: Settings, number: string, address: URL): DaemonSettings | undefined {
  if (!written.autoStart) return undefined;
  return {
    program: written.cliPath.trim() || "signal-cli",
    number,
    listen: `${address.hostname}:${written.httpPort}`,
    // What arrives while nobody listens waits at Signal. With "on-start" the daemon would take it and drop it.
    receiveMode: written.receiveMode,
    ignoresAttachments: written.ignoreAttachments,
    ignoresStories: written.ignoreStories,
    patienceMs: written.startupTimeoutMs,
  };
}
