// One connection for a command's few questions, or one that is kept; or the files where no gateway runs.
import { CommandFailure, type GatewayLink, timeoutOf } from "@chela/sdk/command-line";
import type { Ask } from "@chela/sdk/protocol";
import { callGateway, connectGateway } from "./gateway-client.ts";
import type { Caller } from "./gateway-caller.ts";
import type { GatewayConnection, RequestOptions } from "./gateway-connection.ts";
import { askOffline } from "../offline/ask-offline.ts";
import { readSettings } from "./known-settings.ts";

export { askOffline, callGateway };

export async function askGateway(call: Caller, work: (ask: Ask) => Promise<void>): Promise<number> {
  const timeoutMs = timeoutOf(call);
  const { connection } = await connectGateway(call, timeoutMs);
  try {
    await work(askOver(connection, { timeoutMs }));
  } finally {
    connection.close();
  }
  return 0;
}

export function askOver(connection: GatewayConnection, options: RequestOptions): Ask {
  return (method, ...[params]) => connection.request(method, params, options);
}

export async function openLink(
  call: Caller,
  { timeoutMs }: { readonly timeoutMs?: number | undefined } = {},
): Promise<GatewayLink> {
  const { connection } = await connectGateway(call);
  return {
    ask: askOver(connection, { timeoutMs }),
    onEvent: (listener) => connection.onEvent(listener),
    closed: connection.closed,
    close: () => connection.close(),
  };
}

/**
 * Asks the gateway over one connection, or the files when no gateway runs on this machine; with `whenRefused` also when
 * it runs and does not let us in.
 */
export async function askGatewayOrFiles(
  call: Caller,
  work: (ask: Ask) => Promise<void>,
  { whenRefused = false } = {},
): Promise<number> {
  const timeoutMs = timeoutOf(call);
  try {
    const { connection } = await connectGateway(call, timeoutMs);
    try {
      await work(askOver(connection, { timeoutMs }));
    } finally {
      connection.close();
    }
  } catch (error) {
    const isAway = CommandFailure.is(error) && error.kind === "no-gateway";
    const isShut = whenRefused && CommandFailure.is(error) && error.kind === "refused";
    if (!(isAway || isShut) || (await isElsewhere(call))) throw error;
    await work(askOffline(call, { isBeside: isShut }));
  }
  return 0;
}

/** The files of this machine have nothing to say about a gateway somewhere else. */
export async function isElsewhere(call: Caller): Promise<boolean> {
  return call.flags.has("url") || (await readSettings(call)).config.gateway?.mode === "remote";
}
