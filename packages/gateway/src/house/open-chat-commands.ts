// Table of chat commands: those that rooms contribute, in the order in which lists show them.
import type { ChatCommand } from "@chela/sdk";
import { ROOMS } from "./contributions.ts";
import type { House } from "./house.ts";

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
