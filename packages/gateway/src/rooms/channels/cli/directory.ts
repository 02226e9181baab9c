// `chela directory …`: whom an account knows, with the ids to write into lists and commands.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { WrittenParams } from "@chela/sdk/protocol";
import { accountParams } from "./channel-account.ts";
import { cleanForTerminal, formatTable } from "../../../base/terminal/layout.ts";

export function self(call: CommandCall): Promise<number> {
  return show(call, "directory.self", {});
}

export function peers(call: CommandCall): Promise<number> {
  return show(call, "directory.users", queryOf(call));
}

export function groups(call: CommandCall): Promise<number> {
  return show(call, "directory.groups", queryOf(call));
}

export async function members(call: CommandCall): Promise<number> {
  const groupId = call.flags.text("group-id");
  if (!groupId) throw usageFailure("Say which group: add --group-id <id>. `chela directory groups list` shows them.");
  return show(call, "directory.members", { groupId, ...limitOf(call) });
}

type DirectoryMethod = "directory.self" | "directory.users" | "directory.groups" | "directory.members";

function show<M extends DirectoryMethod>(call: CommandCall, method: M, params: WrittenParams<M>): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const result = await ask(method, { ...accountParams(call), ...params });
    if (flags.has("json")) return terminal.printJson(result);
    const entries = "entries" in result ? result.entries : [result.self];
    if (entries.length === 0) return terminal.print("Nobody was found.");
    const head = ["ID", "NAME", "USERNAME"].map((word) => terminal.style.dim(word));
    const rows = entries.map(({ id, name = "-", username = "-" }) => [id, name, username].map(cleanForTerminal));
    for (const line of formatTable([head, ...rows])) terminal.print(line);
  });
}

function queryOf(call: CommandCall): object {
  const query = call.flags.text("query");
  return { ...(query ? { query } : {}), ...limitOf(call) };
}

function limitOf({ flags }: CommandCall): object {
  const limit = flags.number("limit");
  return limit ? { limit } : {};
}
