// `chela usage`: what was spent by whom, and what is left of the budgets.
import { type CommandCall, timeoutOf } from "@chela/sdk/command-line";
import { askOver } from "../connect/ask-gateway.ts";
import { connectGateway } from "../connect/gateway-client.ts";
import { usageLines } from "../views/usage-view.ts";

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const timeoutMs = timeoutOf(call);
  const { connection } = await connectGateway(call, timeoutMs);
  const ask = askOver(connection, { timeoutMs });
  try {
    const dimension = flags.text("by") ?? "agent";
    const days = flags.number("days") ?? 30;
    const usage = await ask("usage.by", { dimension, days, mode: "gateway" });
    const budgets = await ask("usage.budgets");
    if (flags.has("json")) terminal.printJson({ ...usage, budgets: budgets.budgets });
    else for (const line of usageLines(usage, budgets, terminal.style)) terminal.print(line);
  } finally {
    connection.close();
  }
  return 0;
}
