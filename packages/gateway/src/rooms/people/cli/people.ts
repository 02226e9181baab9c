// `chela people …`: who is who, and what they may do. A running gateway is asked; without one, its ledger is.
import { defined } from "@chela/sdk/base";
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { Person, PersonId, PersonQuota } from "@chela/sdk";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import type { Ask } from "@chela/sdk/protocol";
import { cleanForTerminal, formatTable } from "../../../base/terminal/layout.ts";

type UsedMessages = MethodAnswer<"people.list">["used"][string];

function asking(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  return call.gateway.askOrOffline(work);
}

export function list(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const found = await ask("people.list");
    if (call.flags.has("json")) return call.terminal.printJson(found);
    for (const line of describe(found.people, call)) call.terminal.print(line);
  });
}

export function who(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const [id] = idsOf(call, call.args);
    const found = await ask("people.list", { who: id });
    if (call.flags.has("json")) return call.terminal.printJson(found);
    if (found.people.length === 0) return call.terminal.print("Nobody who is known has this id.");
    for (const line of describe(found.people, call)) call.terminal.print(line);
  });
}

export function show(call: CommandCall): Promise<number> {
  const [id = ""] = call.args;
  return asking(call, async (ask) => {
    const person = await find(ask, id);
    const { used } = await ask("people.list");
    const counted = Object.hasOwn(used, id) ? used[id] : undefined;
    if (call.flags.has("json")) return call.terminal.printJson({ person, ...(counted ? { used: counted } : {}) });
    const rows = [
      ["Name", cleanForTerminal(person.name)],
      ["Role", person.role],
      ["Ids", sayIds(person.ids)],
      ...limitsOf(person.quota, counted),
      ...(person.note ? [["Note", cleanForTerminal(person.note)]] : []),
    ];
    const { style } = call.terminal;
    for (const line of formatTable(rows.map(([word = "", ...more]) => [style.dim(word), ...more])))
      call.terminal.print(line);
  });
}

/** Each limit with what is used of it. */
function limitsOf(
  { messagesPerHour, messagesPerDay, costPerDay }: PersonQuota = {},
  used: UsedMessages = { thisHour: 0, today: 0 },
): string[][] {
  const limits = [
    ...(messagesPerHour === undefined ? [] : [["This hour", `${used.thisHour} of ${messagesPerHour} messages`]]),
    ...(messagesPerDay === undefined ? [] : [["Today", `${used.today} of ${messagesPerDay} messages`]]),
    ...(costPerDay === undefined ? [] : [["Cost", `at most $${costPerDay} a day`]]),
  ];
  return limits.length > 0 ? limits : [["Limits", "none"]];
}

export function add(call: CommandCall): Promise<number> {
  const [id = "", ...written] = call.args;
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id))
    throw usageFailure(`"${id}" cannot be the id of a person: use small letters, digits, - and _, such as ann.`);
  return asking(call, async (ask) => {
    const { flags } = call;
    const quota = quotaOf(call, undefined);
    const note = flags.text("note");
    const person = {
      id,
      name: flags.text("name") ?? id,
      role: flags.text("role") ?? "guest",
      ids: idsOf(call, written),
      ...(quota ? { quota } : {}),
      ...(note ? { note } : {}),
    };
    const result = await ask("people.put", { person, ifUpdatedAt: null });
    tellResult(call, result, `${sayPerson(result.person)} is known now.`);
  });
}

export function edit(call: CommandCall): Promise<number> {
  const [id = ""] = call.args;
  return asking(call, async (ask) => {
    const { flags } = call;
    const { createdAt: _createdAt, updatedAt, ...before } = await find(ask, id);
    const { quota: _quota, note: _note, ...kept } = before;
    const quota = quotaOf(call, before.quota);
    const note = flags.text("note") ?? before.note;
    const person = {
      ...kept,
      name: flags.text("name") ?? kept.name,
      role: flags.text("role") ?? kept.role,
      ...(quota ? { quota } : {}),
      ...(note ? { note } : {}),
    };
    const result = await ask("people.put", { person, ifUpdatedAt: updatedAt });
    tellResult(call, result, `${sayPerson(result.person)} is changed, from the next message on.`);
  });
}

export function link(call: CommandCall): Promise<number> {
  return change(call, "add");
}

export function unlink(call: CommandCall): Promise<number> {
  return change(call, "remove");
}

function change(call: CommandCall, what: "add" | "remove"): Promise<number> {
  const [id = "", ...written] = call.args;
  return asking(call, async (ask) => {
    const result = await ask("people.link", { id, [what]: idsOf(call, written) });
    tellResult(call, result, `${sayPerson(result.person)}: ${sayIds(result.person.ids)}`);
  });
}

export function remove(call: CommandCall): Promise<number> {
  const [id = ""] = call.args;
  return asking(call, async (ask) => {
    const result = await ask("people.delete", { id });
    const { person } = result;
    const isFreer = person.role === "guest" || person.quota !== undefined;
    const note = isFreer
      ? " What the configuration says about their ids holds again, without limits of their own."
      : "";
    tellResult(call, result, `${sayPerson(person)} is forgotten.${note}`);
  });
}

export function suggest(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const found = await ask("people.suggest");
    if (call.flags.has("json")) return call.terminal.printJson(found);
    if (found.suggestions.length === 0)
      return call.terminal.print("session.identityLinks names nobody who is not known.");
    for (const one of found.suggestions) {
      const words = one.ids.map(writeId).join(" ");
      const command = one.isNew ? `chela people add ${one.id} ${words}` : `chela people link ${one.id} ${words}`;
      call.terminal.print(one.ids.length > 0 ? cleanForTerminal(command) : cleanForTerminal(one.name));
      for (const note of one.notes) call.terminal.print(`  ${cleanForTerminal(note)}`);
    }
  });
}

async function find(ask: Ask, id: string): Promise<Person> {
  const { people } = await ask("people.list");
  const found = people.find((person) => person.id === id);
  if (found) return found;
  throw new CommandFailure("other", `Nobody has the id "${id}".`, { fix: "`chela people list` shows who is known." });
}

/** `telegram:123`, with what `--account` says for all of them. */
function idsOf({ flags }: CommandCall, written: readonly string[]): PersonId[] {
  const account = flags.text("account");
  return written.map((word) => {
    const [, channel, id] = /^([^:]+):(.+)$/s.exec(word) ?? [];
    if (!channel || !id) throw usageFailure(`"${word}" is no id: write channel:id, such as telegram:123.`);
    return { channel, ...(account ? { account } : {}), id };
  });
}

/** A number replaces a limit, --no-quota takes all of them away. */
function quotaOf({ flags }: CommandCall, before: PersonQuota | undefined): PersonQuota | undefined {
  const told = {
    messagesPerHour: flags.number("messages-per-hour"),
    messagesPerDay: flags.number("messages-per-day"),
    costPerDay: flags.number("cost-per-day"),
  };
  const kept = flags.has("no-quota") ? {} : before;
  const all = { ...kept, ...defined(told) };
  return Object.keys(all).length > 0 ? all : undefined;
}

function describe(people: readonly Person[], { terminal: { style } }: CommandCall): string[] {
  if (people.length === 0) return ["Nobody is written down as a person. chela people add <id> <channel:id>"];
  const head = ["ID", "NAME", "ROLE", "IDS", "LIMITS"].map((word) => style.dim(word));
  const rows = people.map(({ id, name, role, ids, quota }) => [
    id,
    cleanForTerminal(name),
    role,
    sayIds(ids),
    sayQuota(quota),
  ]);
  return formatTable([head, ...rows]);
}

function sayPerson({ name, role }: Person): string {
  return `${cleanForTerminal(name)} (${role})`;
}

function sayIds(ids: readonly PersonId[]): string {
  return cleanForTerminal(ids.map(writeId).join(" ")) || "no ids";
}

function writeId({ channel, account, id }: PersonId): string {
  return account === undefined ? `${channel}:${id}` : `${channel}:${id} (account ${account})`;
}

function sayQuota({ messagesPerHour, messagesPerDay, costPerDay }: PersonQuota = {}): string {
  const parts = [
    ...(messagesPerHour === undefined ? [] : [`${messagesPerHour}/hour`]),
    ...(messagesPerDay === undefined ? [] : [`${messagesPerDay}/day`]),
    ...(costPerDay === undefined ? [] : [`$${costPerDay}/day`]),
  ];
  return parts.join(" ") || "-";
}
