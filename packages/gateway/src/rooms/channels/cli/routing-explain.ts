// `chela routing explain`: which agent and session a message from a channel would get, and why.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { WrittenParams } from "@chela/sdk/protocol";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import { requireChannel } from "./channel-account.ts";

/** Fields of the question, and the flags that fill them. */
const PLACES = {
  threadId: "thread-id",
  guildId: "guild-id",
  teamId: "team-id",
  parentId: "parent-id",
  senderId: "sender",
} as const;
const PEER = /^(?:(direct|group|channel):)?(.+)$/;

export function run(call: CommandCall): Promise<number> {
  const params = questionOf(call);
  return call.gateway.ask(async (ask) => {
    const result = await ask("routing.explain", params);
    tellResult(call, result, result.text);
  });
}

function questionOf(call: CommandCall): WrittenParams<"routing.explain"> {
  const { flags } = call;
  const account = requireChannel(call);
  const [, kind = "direct", id] = PEER.exec(flags.text("peer")?.trim() ?? "") ?? [];
  if (!id) throw usageFailure("Say who writes: --peer direct:<id>, --peer group:<id> or --peer channel:<id>.");
  const places = Object.entries(PLACES).flatMap(([key, flag]) => {
    const value = flags.text(flag);
    return value === undefined ? [] : [[key, value] as const];
  });
  const roles = flags.list("role");
  return { ...account, peer: { kind, id }, ...Object.fromEntries(places), ...(roles.length > 0 ? { roles } : {}) };
}
