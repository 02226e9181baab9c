// `chela explain`: how one turn came about.
import type { CommandCall } from "@chela/sdk/command-line";
import { explainLines } from "../views/explain-view.ts";

export async function run(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const explained = await call.gateway.call("runs.explain", { id: args[0] ?? "" });
  if (flags.has("json")) terminal.printJson(explained);
  else for (const line of explainLines(explained, terminal)) terminal.print(line);
  return 0;
}
