// Starts signal-cli's daemon for an account, and waits until it listens.
import { GatewayError, type ChannelHost } from "@chela/sdk";
import type { DaemonSettings } from "./config.ts";
import { runProgram, type Program } from "./program.ts";
import { shorten, type SignalRpc } from "./rpc.ts";

const LOOK_EVERY_MS = 250;

/** Undefined when one listens there already, such as one that a killed gateway left behind. */
export async function startDaemon(
  settings: DaemonSettings,
  rpc: SignalRpc,
  { clock, log }: ChannelHost,
): Promise<Program | undefined> {
  if (await rpc.isThere()) {
    log.info("signal-cli runs already", { listen: settings.listen });
    return undefined;
  }
  const program = await runProgram(settings.program, argumentsFor(settings), { clock, log });
  const startedAt = clock.steady();
  for (;;) {
    const end = await Promise.race([program.ended, lookLater()]);
    if (end) throw endedEarly(end);
    if (await rpc.isThere()) return program;
    if (clock.steady() - startedAt < settings.patienceMs) continue;
    await program.stop();
    throw new GatewayError("CHANNEL_OFFLINE", `signal-cli did not listen within ${settings.patienceMs / 1000} seconds`);
  }

  function lookLater(): Promise<undefined> {
    return new Promise((resolve) => void clock.after(LOOK_EVERY_MS, () => resolve(undefined)));
  }
}

function argumentsFor(settings: DaemonSettings): string[] {
  const { number, listen, receiveMode, ignoresAttachments, ignoresStories } = settings;
  const always = ["-a", number, "daemon", "--http", listen, "--no-receive-stdout", "--receive-mode", receiveMode];
  return [
    ...always,
    ...(ignoresAttachments ? ["--ignore-attachments"] : []),
    ...(ignoresStories ? ["--ignore-stories"] : []),
  ];
}

export function endedEarly({ code, lastWords }: Awaited<Program["ended"]>): GatewayError {
  const words = lastWords ? `: ${shorten(lastWords)}` : "";
  if (/not registered|authorization failed/i.test(lastWords)) {
    return new GatewayError("CHANNEL_AUTH", `signal-cli has no such account${words}`);
  }
  return new GatewayError("CHANNEL_OFFLINE", `signal-cli ended with code ${code ?? "unknown"}${words}`);
}
