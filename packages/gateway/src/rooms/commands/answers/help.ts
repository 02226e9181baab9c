// Chat commands /help, /commands and /whoami: what can be asked here, and who is asking.
import { COMMAND_CATEGORIES, done, type ChatCall, type CommandAnswer } from "@chela/sdk";
import { foldWords, pageOf } from "../../../base/text/chat-layout.ts";
import type { House } from "../../../house/house.ts";
import { may } from "../authorise.ts";
import type { Command } from "../command.ts";

const PAGE_SIZE = 8;

type TableHouse = Pick<House, "chatCommands">;

export async function showHelp(args: string, call: ChatCall, house: TableHouse): Promise<CommandAnswer> {
  const table = await house.chatCommands();
  const wanted = args.replace(/^\//, "").toLowerCase();
  const one = offered(call, table).find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
  return one ? describe(one) : done("🦀 Help", ...overview(call, table), "More: /commands, /help <command>");
}

export async function showCommands(args: string, call: ChatCall, house: TableHouse): Promise<CommandAnswer> {
  const table = await house.chatCommands();
  const sorted = COMMAND_CATEGORIES.flatMap((category) =>
    offered(call, table).filter((row) => row.category === category),
  );
  const page = pageOf(sorted, Number(args || 1), PAGE_SIZE);
  const lines = page.items.flatMap((command, index) => {
    const isFirst = command.category !== page.items[index - 1]?.category;
    const row = `/${command.name} – ${command.help}`;
    return isFirst ? [`${command.category}:`, row] : [row];
  });
  const next = page.number < page.count ? [`More: /commands ${page.number + 1}`] : [];
  return done(`🦀 Commands ${page.number}/${page.count}`, ...lines, ...next);
}

export async function showWhoami(_args: string, { requester, settings }: ChatCall): Promise<CommandAnswer> {
  const isOwner = may(requester, { who: "owner" }, settings).kind === "allowed";
  const isAuthorised = may(requester, { who: "authorised" }, settings).kind === "allowed";
  const role = isOwner ? "owner" : isAuthorised ? "may give commands" : "may not give commands";
  return done(
    "🧭 You",
    `Channel: ${requester.channel}`,
    `Id: ${requester.id || "not known"}`,
    ...(requester.name ? [`Name: ${requester.name}`] : []),
    `Role: ${role}`,
    ...(requester.id ? [`In allow lists: ${requester.channel}:${requester.id}`] : []),
  );
}

function overview(call: ChatCall, table: readonly Command[]): string[] {
  return COMMAND_CATEGORIES.flatMap((category) => {
    const names = offered(call, table).filter((command) => command.category === category);
    const [first, ...others] = names.map(({ name }) => `/${name}`);
    return first ? foldWords([`${category}: ${first}`, ...others]) : [];
  });
}

function describe(command: Command): CommandAnswer {
  const aliases = command.aliases.map((alias) => `/${alias}`).join(", ");
  return done(
    `/${command.name} – ${command.help}`,
    ...(command.usage ? foldWords(`Usage: /${command.name} ${command.usage}`.split(" ")) : []),
    ...(aliases ? [`Also: ${aliases}`] : []),
    ...(command.inline ? ["Also works inside a message."] : []),
  );
}

function offered({ requester, settings }: ChatCall, table: readonly Command[]): Command[] {
  return table.filter((command) => may(requester, command, settings).kind === "allowed");
}
