// One connection for a command's few questions, and the form in which it tells what came of them.
import type { CommandCall } from "./command-spec.ts";
import { connectGateway, timeoutOf } from "./gateway-client.ts";

export type Ask = (method: string, params?: object) => Promise<unknown>;

export async function askGateway(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  const timeoutMs = timeoutOf(call);
  const { connection } = await connectGateway(call, timeoutMs);
  await work((method, params = {}) => connection.request(method, params, { timeoutMs }));
  connection.close();
  return 0;
}

/** A sentence for people, the result itself for programs. */
export function tellResult({ flags, terminal }: CommandCall, result: unknown, sentence: string): void {
  if (flags.has("json")) terminal.printJson(result);
  else terminal.print(sentence);
}
