// Table of chat commands: those that rooms contribute, in the order in which lists show them.
import type { ChatCommand } from "@chela/sdk";
import { ROOMS } from "./contributions.ts";
import type { House } from "./house.ts";

/** The same with those of plugins, whose names are theirs only where nobody has them. */
export async function withBroughtCommands(
  own: ReadonlyArray<ChatCommand<House>>,
  { plugins, log }: Pick<House, "plugins" | "log">,
): Promise<ReadonlyArray<ChatCommand<House>>> {
  const brought = plugins.brought();
  const known = joined.get(brought);
  if (known) return known;
  const taken = new Set(own.flatMap(({ name, aliases }) => [name, ...aliases]));
  const tables = await Promise.all(
    brought.map(async (part) => ({ id: part.id, table: (await part.commands?.()) ?? [] })),
  );
  const added = tables.flatMap(({ id, table }) =>
    table.filter(({ name }) => {
      const isFree = !taken.has(name);
      if (!isFree) log.warn(`the command /${name} of the plugin ${id} is not there: the name is taken`);
      taken.add(name);
      return isFree;
    }),
  );
  const all = [...own, ...added.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
  joined.set(brought, all);
  return all;
}

/** By what plugins bring, which is another list when it changes. */
const joined = new WeakMap<object, ReadonlyArray<ChatCommand<House>>>();

export async function openChatCommands(): Promise<ReadonlyArray<ChatCommand<House>>> {
  const tables = await Promise.all(ROOMS.map(async (room) => (await room.commands?.()) ?? []));
  const place = ({ listed = Infinity }: ChatCommand<House>): number => listed;
  const sorted = tables
    .flat()
    .toSorted((a, b) => (place(a) === place(b) ? (a.name < b.name ? -1 : 1) : place(a) - place(b)));
  const names = sorted.flatMap(({ name, aliases }) => [name, ...aliases]);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice) throw new Error(`two chat commands are called /${twice}`);
  return sorted;
}
