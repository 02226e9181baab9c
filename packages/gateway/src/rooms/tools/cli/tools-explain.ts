// `chela tools explain`: why a tool may be used in a session or not.
import { defined } from "@chela/sdk/base";
import type { CommandCall } from "@chela/sdk/command-line";
import { renderExplanation } from "../policy/explain.ts";
import { cleanForTerminal } from "../../../base/terminal/layout.ts";

export async function run(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const [sessionKey, agentId] = [flags.text("session"), flags.text("agent")];
  const explained = await call.gateway.call("tools.explain", {
    tool: args[0] ?? "",
    ...defined({ sessionKey, agentId }),
  });
  if (flags.has("json")) {
    terminal.printJson(explained);
    return 0;
  }
  for (const line of renderExplanation(explained).split("\n")) terminal.print(cleanForTerminal(line));
  terminal.print(`Asked for you, in ${explained.sessionKey} with ${explained.model}.`);
  return 0;
}
