// One connection for a command's few questions, and the form in which it tells what came of them.
import type { Ask } from "@chela/sdk/protocol";
import { CommandFailure } from "./command-failure.ts";
import type { CommandCall } from "./command-spec.ts";
import { connectGateway, timeoutOf } from "./gateway-client.ts";
import type { GatewayConnection, RequestOptions } from "./gateway-connection.ts";
import { askOffline } from "./offline/ask-offline.ts";
import { readSettings } from "./known-settings.ts";

export type { Ask };

export async function askGateway(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  const timeoutMs = timeoutOf(call);
  const { connection } = await connectGateway(call, timeoutMs);
  await work(askOver(connection, { timeoutMs }));
  connection.close();
  return 0;
}

export function askOver(connection: GatewayConnection, options: RequestOptions): Ask {
  return (method, ...[params]) => connection.request(method, params, options);
}

/**
 * Asks the gateway over one connection, or the files when no gateway runs on this machine; with `whenRefused` also when
 * it runs and does not let us in.
 */
export async function askGatewayOrFiles(
  call: CommandCall,
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
export async function isElsewhere(call: CommandCall): Promise<boolean> {
  return call.flags.has("url") || (await readSettings(call)).config.gateway?.mode === "remote";
}

/** A sentence for people, the result itself for programs. */
export function tellResult({ flags, terminal }: CommandCall, result: unknown, sentence: string): void {
  if (flags.has("json")) terminal.printJson(result);
  else terminal.print(sentence);
}
