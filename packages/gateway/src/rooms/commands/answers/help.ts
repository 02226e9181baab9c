// /help, /commands and /whoami: what can be asked here, and who is asking. Made from the table alone.
import { may } from "../authorise.ts";
import { CATEGORIES, done, type Command, type CommandAnswer } from "../command.ts";
import type { CommandWorld } from "../world.ts";
import { foldWords, pageOf } from "./layout.ts";

const PAGE_SIZE = 8;

export async function showHelp(args: string, world: CommandWorld, table: readonly Command[]): Promise<CommandAnswer> {
  const wanted = args.replace(/^\//, "").toLowerCase();
  const one = offered(world, table).find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
  return one ? describe(one) : done("🦀 Help", ...overview(world, table), "More: /commands, /help <command>");
}

export async function showCommands(
  args: string,
  world: CommandWorld,
  table: readonly Command[],
): Promise<CommandAnswer> {
  const sorted = CATEGORIES.flatMap((category) => offered(world, table).filter((row) => row.category === category));
  const page = pageOf(sorted, Number(args || 1), PAGE_SIZE);
  const lines = page.items.flatMap((command, index) => {
    const isFirst = command.category !== page.items[index - 1]?.category;
    const row = `/${command.name} – ${command.help}`;
    return isFirst ? [`${command.category}:`, row] : [row];
  });
  const next = page.number < page.count ? [`More: /commands ${page.number + 1}`] : [];
  return done(`🦀 Commands ${page.number}/${page.count}`, ...lines, ...next);
}

export async function showWhoami({ requester, settings }: CommandWorld): Promise<CommandAnswer> {
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

function overview(world: CommandWorld, table: readonly Command[]): string[] {
  return CATEGORIES.flatMap((category) => {
    const names = offered(world, table).filter((command) => command.category === category);
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

function offered({ requester, settings }: CommandWorld, table: readonly Command[]): Command[] {
  return table.filter((command) => may(requester, command, settings).kind === "allowed");
}
