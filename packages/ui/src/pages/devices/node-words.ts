// Says in plain words what a device offers to agents. Commands nobody has words for are shown by their names.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { DeviceWords } from "./device-words.ts";

export type NodeRow = MethodAnswer<"node.list">["nodes"][number];
export type WaitingNode = MethodAnswer<"node.pair.list">["pending"][number];
export type ApprovedNode = MethodAnswer<"node.pair.list">["paired"][number];

interface NamedParts {
  readonly caps?: readonly string[] | undefined;
  readonly permissions?: Readonly<Record<string, boolean>> | undefined;
}

/** Something a device can be asked for, with the commands that mean it. */
export interface Ability {
  readonly name: string;
  readonly commands: readonly string[];
  /** It runs programs, looks, listens, or acts in somebody's name. */
  readonly isStrong: boolean;
}

/** The beginning of a command, and what it is about. The first that fits counts. */
const ABOUT = [
  ["canvas.", "screen"],
  ["camera.list", "cameras"],
  ["camera.", "camera"],
  ["screen.record", "record"],
  ["location.", "location"],
  ["device.", "state"],
  ["contacts.add", "contactsAdd"],
  ["contacts.", "contacts"],
  ["calendar.add", "calendarAdd"],
  ["calendar.", "calendar"],
  ["reminders.add", "remindersAdd"],
  ["reminders.", "reminders"],
  ["photos.", "photos"],
  ["motion.", "motion"],
  ["notifications.", "notifications"],
  ["sms.send", "sms"],
  ["system.notify", "notify"],
  ["system.run", "run"],
  ["system.which", "run"],
  ["browser.", "browser"],
] as const;
type Subject = (typeof ABOUT)[number][1];

const STRONG: ReadonlySet<Subject> = new Set([
  "camera",
  "record",
  "contactsAdd",
  "calendarAdd",
  "remindersAdd",
  "sms",
  "run",
  "browser",
]);

/** One for each thing, however many commands it has; those that can do harm first. */
export function abilitiesOf(commands: readonly string[], words: DeviceWords): Ability[] {
  const found = new Map<string, Ability>();
  for (const command of commands) {
    const subject = ABOUT.find(([start]) => command.startsWith(start))?.[1];
    const name = subject === undefined ? command : words[`can_${subject}`];
    const known = found.get(name)?.commands ?? [];
    // What nobody knows may be anything.
    const isStrong = subject === undefined || STRONG.has(subject);
    found.set(name, { name, commands: [...known, command], isStrong });
  }
  const all = [...found.values()];
  return [...all.filter(({ isStrong }) => isStrong), ...all.filter(({ isStrong }) => !isStrong)];
}

/** What its system lets it use, and parts it has: names of its own. */
export function partsOf({ caps = [], permissions = {} }: NamedParts): string[] {
  const given = Object.entries(permissions).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  return [...new Set([...caps, ...given])];
}

/** What was asked for before and stays as it is. */
export function keptOf({ commands = [], adds }: WaitingNode): string[] {
  return commands.filter((command) => !adds.commands.includes(command));
}

/** Approved, but not to be had now: the device does not offer it any more, or the configuration forbids it. */
export function idleOf(
  node: Pick<NodeRow, "commands">,
  approved: Pick<ApprovedNode, "commands"> | undefined,
): string[] {
  return (approved?.commands ?? []).filter((command) => !node.commands.includes(command));
}
