// Bindings: read from the configuration, told in words, and changed.
import type { InOtherWords, Sections } from "../../words/index.ts";
import { isObject } from "../../settings/json-place.ts";

type AgentsWords = InOtherWords<Sections["agents"]>;

/** As it is written; it may hold keys that this page does not know. */
export type Binding = Readonly<Record<string, unknown>>;

export interface Match {
  readonly channel: string;
  readonly accountId?: string;
  readonly peer?: { readonly kind: string; readonly id: string };
  readonly guildId?: string;
  readonly teamId?: string;
  readonly roles?: readonly string[];
}

/** What is to become of the list, whatever the list is by then. */
export interface BindingEdits {
  readonly added: readonly Binding[];
  readonly removed: readonly Binding[];
}

export const NO_EDITS: BindingEdits = { added: [], removed: [] };

/** Undefined when they stand somewhere else, such as in an included file. */
export function writtenBindings(parsed: unknown): readonly Binding[] | undefined {
  const bindings = isObject(parsed) ? parsed["bindings"] : undefined;
  if (bindings === undefined) return [];
  return Array.isArray(bindings) ? bindings.filter(isObject) : undefined;
}

export function isOfAgent(binding: Binding, agentId: string): boolean {
  const { agentId: written } = binding;
  return typeof written === "string" && written.trim().toLowerCase() === agentId;
}

export function applyEdits(bindings: readonly Binding[], { added, removed }: BindingEdits): readonly Binding[] {
  const left = [...bindings];
  for (const gone of removed) {
    const at = left.findIndex((one) => isSame(one, gone));
    if (at >= 0) left.splice(at, 1);
  }
  return [...left, ...added.filter((one) => !left.some((known) => isSame(known, one)))];
}

export function isSame(one: Binding, other: Binding): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function matchOf({ match }: Binding): Match {
  const { channel, accountId, peer, guildId, teamId, roles } = isObject(match) ? match : {};
  const { kind, id } = isObject(peer) ? peer : {};
  return {
    channel: textOf(channel) ?? "?",
    ...given("accountId", textOf(accountId)),
    ...(peer === undefined ? {} : { peer: { kind: textOf(kind) ?? "?", id: textOf(id) ?? "?" } }),
    ...given("guildId", textOf(guildId)),
    ...given("teamId", textOf(teamId)),
    ...(Array.isArray(roles) && roles.length > 0 ? { roles: roles.map(String) } : {}),
  };
}

/** "telegram · default account · group -100". */
export function bindingText(binding: Binding, words: AgentsWords): string {
  const { channel, accountId, peer, guildId, teamId, roles } = matchOf(binding);
  const account = accountId === "*" ? words.allAccounts : accountId ? words.accountIs(accountId) : words.defaultAccount;
  return [
    channel,
    account,
    peer && peerText(peer, words),
    guildId && words.guildIs(guildId),
    teamId && words.teamIs(teamId),
    roles && words.rolesAre(roles.join(", ")),
  ]
    .filter(Boolean)
    .join(" · ");
}

function peerText({ kind, id }: NonNullable<Match["peer"]>, words: AgentsWords): string {
  if (kind === "direct" || kind === "dm") return words.personIs(id);
  return kind === "channel" ? words.channelIs(id) : words.groupIs(id);
}

/** "a, b" → ["a", "b"]. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function given<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}
