// Chat commands of a plugin.
import * as z from "zod";
import { done, once, refused, type ChatCall, type ChatCommand, type CommandAnswer } from "@chela/sdk";
import type { House } from "../../../house/house.ts";
import type { BroughtPlugin } from "./brought-plugin.ts";

const MOST_MS = 60_000;
const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;

export function bringCommands(plugin: BroughtPlugin): ChatCommand<House>[] {
  return plugin.catalogue.commands.flatMap(({ name, description, acceptsArgs, requireAuth }): ChatCommand<House>[] => {
    if (!NAME.test(name)) {
      plugin.warn(`Its command /${name} has a name that cannot be used.`);
      return [];
    }
    return [
      {
        name,
        aliases: [],
        usage: acceptsArgs ? "…" : "",
        category: "Tools",
        who: requireAuth ? "authorised" : "everyone",
        help: description.replaceAll(/\s+/g, " ").slice(0, 100),
        run: (args, call) => runCommand(name, args, call, plugin),
      },
    ];
  });
}

const Reply = once(() => z.looseObject({ text: z.string().optional(), isError: z.boolean().optional() }).nullable());

async function runCommand(name: string, args: string, call: ChatCall, plugin: BroughtPlugin): Promise<CommandAnswer> {
  const { requester, message, sessionKey, agentId } = call;
  const context = {
    senderId: requester.id,
    channel: requester.channel,
    channelId: requester.channel,
    accountId: requester.account,
    from: requester.id,
    to: message.sessionKey,
    isAuthorizedSender: requester.isAuthorised,
    args,
    commandBody: `/${name}${args === "" ? "" : ` ${args}`}`,
    sessionKey,
    agentId,
  };
  const gave = Reply().safeParse(await plugin.call("command", { name, context }, { mostMs: MOST_MS }));
  if (!gave.success) return refused(`/${name} of the plugin ${plugin.id} answered something that cannot be read.`);
  const { text = "", isError } = gave.data ?? {};
  return isError ? refused(text) : done(text);
}
