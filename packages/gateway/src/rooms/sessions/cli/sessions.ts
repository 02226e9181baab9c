// `chela sessions`: the conversations, newest first.
import { defined } from "@chela/sdk/base";
import type { CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { formatAge, formatTable, formatTokens } from "../../../base/terminal/layout.ts";

type SessionList = MethodAnswer<"sessions.list">;

export async function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  if (flags.has("deleted")) return (await import("./session-history.ts")).listDeleted(call);
  const active = flags.number("active");
  const limit = flags.number("limit");
  const agentId = flags.text("agent");
  const listed = await call.gateway.call("sessions.list", {
    ...(active ? { activeMinutes: active } : {}),
    ...(limit ? { limit } : {}),
    ...defined({ agentId }),
  });
  if (flags.has("json")) {
    terminal.printJson(listed);
    return 0;
  }
  if (listed.sessions.length === 0) terminal.print("No sessions.");
  else for (const line of formatTable(toRows(listed, terminal))) terminal.print(line);
  return 0;
}

function toRows({ ts, sessions }: SessionList, { style }: CommandCall["terminal"]): string[][] {
  const head = ["KEY", "KIND", "USED", "MODEL", "TOKENS"].map((name) => style.dim(name));
  const rows = sessions.map(({ key, kind, updatedAt, model, totalTokens, contextTokens, label }) => [
    label ? `${key} (${label})` : key,
    kind,
    formatAge(updatedAt === null ? null : ts - updatedAt),
    model ?? "-",
    describeTokens(totalTokens, contextTokens),
  ]);
  return [head, ...rows];
}

function describeTokens(total: number | undefined, context: number | undefined): string {
  if (total === undefined) return "-";
  return context ? `${formatTokens(total)} of ${formatTokens(context)}` : formatTokens(total);
}
