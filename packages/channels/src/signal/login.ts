// Links signal-cli as a further device of a telephone: shows the code to scan, and waits for the scan.
import { GatewayError, type ChannelHost } from "@chela/sdk";
import type { SignalAccount } from "./config.ts";
import { endedEarly } from "./daemon.ts";
import { runProgram } from "./program.ts";
import { expectDone, openRpc } from "./rpc.ts";
import { Linked, LinkUri } from "./wire.ts";

const DEVICE_NAME = "Chela";
const SCAN_MS = 180_000;

export async function link(account: SignalAccount, host: ChannelHost, signal: AbortSignal): Promise<void> {
  const number = account.daemon
    ? await linkByProgram(account.daemon.program, host, signal)
    : await linkByDaemon(account.daemonUrl, host, signal);
  if (account.number !== undefined && number !== undefined && number !== account.number) {
    const detail = `${number} was linked, but channels.signal.account says ${account.number}; correct it`;
    throw new GatewayError("CHANNEL_SETTINGS", detail);
  }
  host.link({ kind: "linked" });
}

async function linkByDaemon(url: string, host: ChannelHost, signal: AbortSignal): Promise<string | undefined> {
  const rpc = openRpc(url, host.clock);
  try {
    const begun = await rpc.call("startLink", {}, { signal });
    if (begun.kind === "refused" && begun.code === -32_601) {
      throw new GatewayError(
        "CHANNEL_UNSUPPORTED",
        "this signal-cli was started for one account and cannot link others",
      );
    }
    const read = LinkUri().safeParse(expectDone(begun, "linking cannot begin"));
    if (!read.success) throw new GatewayError("CHANNEL_REFUSED", "signal-cli gave no code to scan");
    const { deviceLinkUri } = read.data;
    host.link({ kind: "qr", text: deviceLinkUri });
    const params = { deviceLinkUri, deviceName: DEVICE_NAME };
    const done = await rpc.call("finishLink", params, { signal, timeoutMs: SCAN_MS });
    const linked = Linked().safeParse(expectDone(done, "the code was not scanned"));
    return linked.success ? (linked.data.number ?? undefined) : undefined;
  } finally {
    rpc.close();
  }
}

async function linkByProgram(path: string, host: ChannelHost, signal: AbortSignal): Promise<string | undefined> {
  const { clock, log } = host;
  let number: string | undefined;
  const onLine = (line: string): void => {
    if (/^(?:sgnl|tsdevice):/.test(line)) host.link({ kind: "qr", text: line.trim() });
    else number = /\+\d{5,15}/.exec(line)?.[0] ?? number;
  };
  signal.throwIfAborted();
  const program = await runProgram(path, ["link", "-n", DEVICE_NAME], { clock, log, onLine });
  const stop = (): void => void program.stop();
  const cancel = clock.after(SCAN_MS, stop);
  signal.addEventListener("abort", stop, { once: true });
  const end = await program.ended;
  cancel();
  signal.removeEventListener("abort", stop);
  if (end.code !== 0) throw new GatewayError("CHANNEL_REFUSED", `nothing was linked; ${endedEarly(end).detail}`);
  return number;
}
