// `chela sessions branches|checkpoint|rewind|switch`: a conversation as a tree, and the ways along it.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer, WrittenParams } from "@chela/sdk/protocol";
import { cleanForTerminal, count, formatAge, formatTable } from "../../../base/terminal/layout.ts";

type Tree = MethodAnswer<"sessions.branches">;
type Move = MethodAnswer<"sessions.switch">;

export async function branches(call: CommandCall): Promise<number> {
  const [key = ""] = call.args;
  const tree = await call.gateway.call("sessions.branches", { key });
  if (call.flags.has("json")) call.terminal.printJson(tree);
  else for (const line of describeTree(tree, call)) call.terminal.print(line);
  return 0;
}

export async function checkpoint(call: CommandCall): Promise<number> {
  const [key = "", name = ""] = call.args;
  const to = call.flags.text("rename");
  const isRemoved = call.flags.has("remove");
  if (to !== undefined && isRemoved) throw usageFailure("Say either --rename or --remove, not both.");
  if (to !== undefined || isRemoved) return changeCheckpoint(call, { key, name, to: to ?? null });
  const result = await call.gateway.call("sessions.checkpoint", { key, name });
  if (call.flags.has("json")) call.terminal.printJson(result);
  else call.terminal.print(`This point is named "${name}". Come back with: chela sessions rewind ${key} "${name}"`);
  return 0;
}

async function changeCheckpoint(
  call: CommandCall,
  params: { readonly key: string; readonly name: string; readonly to: string | null },
): Promise<number> {
  const result = await call.gateway.call("sessions.checkpoint.patch", params);
  const { name, to } = params;
  if (call.flags.has("json")) call.terminal.printJson(result);
  else call.terminal.print(to === null ? `"${name}" is no checkpoint any more.` : `"${name}" is called "${to}" now.`);
  return 0;
}

export async function rewind(call: CommandCall): Promise<number> {
  const [key = "", to] = call.args;
  const turns = call.flags.number("turns");
  if (to !== undefined && turns !== undefined) {
    throw usageFailure("Say either where to go back, or how many messages (--turns), not both.");
  }
  return move(call, "sessions.rewind", { key, ...(to === undefined ? { turns: turns ?? 1 } : { to }) });
}

export async function switchTo(call: CommandCall): Promise<number> {
  const [key = "", to = ""] = call.args;
  return move(call, "sessions.switch", { key, to });
}

async function move<M extends "sessions.rewind" | "sessions.switch">(
  call: CommandCall,
  method: M,
  params: WrittenParams<M>,
): Promise<number> {
  const moved = await call.gateway.call(method, params);
  if (call.flags.has("json")) call.terminal.printJson(moved);
  else call.terminal.print(describeMove(moved));
  return 0;
}

function describeMove({ dropped, preview }: Move): string {
  const place = preview === "" ? "from its beginning" : `after "${cleanForTerminal(preview)}"`;
  const left = dropped > 0 ? ` ${count(dropped, "message")} left behind; nothing is lost, a switch leads back.` : "";
  return `The conversation goes on ${place}.${left}`;
}

function describeTree({ branches: all, checkpoints }: Tree, { terminal: { style } }: CommandCall): string[] {
  if (all.length === 0) return ["The conversation is empty."];
  const age = (timestamp: string): string => formatAge(Date.now() - Date.parse(timestamp));
  const rows = all.map(({ entryId, timestamp, preview, isActive }) => [
    isActive ? "*" : " ",
    entryId,
    age(timestamp),
    cleanForTerminal(preview),
  ]);
  const named = checkpoints.map(({ entryId, label, timestamp }) => [cleanForTerminal(label), entryId, age(timestamp)]);
  return [
    style.dim("Branches, newest first; * is the one being talked in"),
    ...formatTable(rows),
    ...(named.length > 0 ? [style.dim("Checkpoints"), ...formatTable(named, "  ")] : []),
  ];
}
