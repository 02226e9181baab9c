// `chela deliveries …`: what is on its way to channels, and what could not be delivered.
import type { CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import { cleanForTerminal, formatAge, formatTable } from "../../../base/terminal/layout.ts";

type Delivery = MethodAnswer<"deliveries.list">["deliveries"][number];

export function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const [state, channel, limit] = [flags.text("state"), flags.text("channel"), flags.number("limit")];
    const params = { ...(state ? { state } : {}), ...(channel ? { channel } : {}), ...(limit ? { limit } : {}) };
    const found = await ask("deliveries.list", params);
    if (flags.has("json")) return terminal.printJson(found);
    for (const line of describe(found.deliveries, call)) terminal.print(line);
  });
}

function describe(deliveries: readonly Delivery[], { terminal: { style } }: CommandCall): string[] {
  if (deliveries.length === 0) return ["There are no such deliveries."];
  const paint: Readonly<Record<string, (text: string) => string>> = { undeliverable: style.red, pending: style.yellow };
  const rows = deliveries.map(({ id, channel, to, state, createdAt, preview }) => [
    id,
    (paint[state] ?? style.green)(state),
    channel,
    cleanForTerminal(to),
    formatAge(Date.now() - createdAt),
    cleanForTerminal(preview),
  ]);
  const head = ["ID", "STATE", "CHANNEL", "TO", "WRITTEN", "TEXT"].map((word) => style.dim(word));
  const [first = "", ...lines] = formatTable([head, ...rows]);
  return [
    first,
    ...lines.flatMap((line, index) => {
      const error = deliveries[index]?.error;
      return error && deliveries[index]?.state !== "delivered" ? [line, `  ${cleanForTerminal(error)}`] : [line];
    }),
  ];
}

export function resend(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const result = await ask("deliveries.resend", { id: call.args[0] ?? "" });
    tellResult(call, result, `It is tried again: ${result.channel} to ${cleanForTerminal(result.to)}.`);
  });
}
