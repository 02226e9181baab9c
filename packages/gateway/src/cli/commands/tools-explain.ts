// `chela tools explain`: why a tool may be used in a session or not.
import { renderExplanation } from "../../rooms/tools/policy/explain.ts";
import type { CommandCall } from "../command-spec.ts";
import { callGateway } from "../gateway-client.ts";
import { cleanForTerminal } from "../layout.ts";

export async function run(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const [sessionKey, agentId] = [flags.text("session"), flags.text("agent")];
  const explained = await callGateway(call, "tools.explain", {
    tool: args[0] ?? "",
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(agentId === undefined ? {} : { agentId }),
  });
  if (flags.has("json")) {
    terminal.printJson(explained);
    return 0;
  }
  for (const line of renderExplanation(explained).split("\n")) terminal.print(cleanForTerminal(line));
  terminal.print(`Asked for you, in ${explained.sessionKey} with ${explained.model}.`);
  return 0;
}
