// Rules of a group about tools: for everybody in it, and for single senders.
import type { Requester } from "@chela/sdk";
import { below, partOf, type ConfigPart } from "./config-part.ts";
import type { GroupToolsView } from "./config-view.ts";
import { closedBy, ruleOf, type Rule } from "./rule.ts";

/**
 * A sender known by an id has a rule of their own instead of the group's. A name can be chosen by anybody,
 * so a rule for a name only narrows what the group allows.
 */
export function groupRules(group: GroupToolsView | undefined, requester: Requester): readonly Rule[] {
  const part = partOf(group, "the group");
  const senders = below(part, "toolsBySender");
  if (senders.kind === "unreadable") return [closedBy(senders)];
  const byId = findSender(senders, (key) => isIdOf(key, requester));
  if (byId) return rulesOf([byId]);
  const byName = findSender(senders, (key) => isNameOf(key, requester));
  const everybody = findSender(senders, (key) => key.trim() === "*") ?? below(part, "tools");
  return rulesOf(byName ? [everybody, byName] : [everybody]);
}

function rulesOf(parts: readonly ConfigPart[]): readonly Rule[] {
  return parts.flatMap((part) => ruleOf(part) ?? []);
}

function findSender(senders: ConfigPart, fits: (key: string) => boolean): ConfigPart | undefined {
  if (senders.kind !== "object") return undefined;
  const key = Object.keys(senders.value).find(fits);
  return key === undefined ? undefined : partOf(senders.value[key], `${senders.where}["${key}"]`);
}

/** `id:…`, `e164:…`, and a bare id as older configurations have it. */
function isIdOf(key: string, { id }: Requester): boolean {
  if (id === "") return false;
  const { kind, value } = splitKey(key);
  if (kind === "e164") return id.startsWith("+") && digitsOf(value) !== "" && digitsOf(value) === digitsOf(id);
  return (kind === "id" || kind === "") && value !== "*" && value.toLowerCase() === id.toLowerCase();
}

function isNameOf(key: string, { name }: Requester): boolean {
  const { kind, value } = splitKey(key);
  if (!name || (kind !== "username" && kind !== "name")) return false;
  return plainName(value) === plainName(name);
}

function splitKey(key: string): { readonly kind: string; readonly value: string } {
  const [, kind = "", value = ""] = /^\s*(?:(id|e164|username|name):)?(.*)$/is.exec(key) ?? [];
  return { kind: kind.toLowerCase(), value: value.trim() };
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");
const plainName = (name: string): string => name.trim().replace(/^@/, "").toLowerCase();
