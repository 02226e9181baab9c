// Finds the settings of one group: the topic over the group, the group over its parent, its guild and "*".
import { defined } from "@chela/sdk/base";
import type { Chat, GroupPolicy } from "@chela/sdk";
import type { AllowLists } from "./rules.ts";

export type FoundGroup =
  | { readonly kind: "listed"; readonly policy: GroupPolicy }
  /** Listed, and switched off. */
  | { readonly kind: "closed" }
  | { readonly kind: "unlisted" };

export function findGroup(chat: Chat, { groups }: AllowLists): FoundGroup {
  const guild = chat.guildId ?? chat.teamId;
  const lookUp = (keys: readonly (string | undefined)[]): GroupPolicy[] =>
    keys.flatMap((key) => (key === undefined ? [] : (groups.get(key) ?? [])));
  const inGuild = (id: string): string | undefined => (guild === undefined ? undefined : `${guild}/${id}`);
  const keysOf = (id: string | undefined) => (id === undefined ? [] : [inGuild(id), id]);

  const wide = lookUp(["*", inGuild("*")]);
  const own = lookUp([...keysOf(chat.parentId), ...keysOf(chat.id)]).flatMap((group) => withTopic(group, chat));
  // A group that is listed itself is open even where all others are shut; a shut group shuts its topics and threads.
  const deciding = own.length > 0 ? own : wide.slice(-1);
  if (deciding.length === 0) return { kind: "unlisted" };
  if (deciding.some(({ isEnabled }) => isEnabled === false)) return { kind: "closed" };
  return { kind: "listed", policy: [...wide, ...own].reduce(inherit, {}) };
}

function withTopic(group: GroupPolicy, { threadId }: Chat): GroupPolicy[] {
  const { topics } = group;
  const topic = threadId !== undefined && topics && Object.hasOwn(topics, threadId) ? topics[threadId] : undefined;
  return topic ? [group, topic] : [group];
}

/** People and roles are one answer to one question, and so is "open": a narrower answer replaces a wider one as a whole. */
function inherit(wider: GroupPolicy, narrower: GroupPolicy): GroupPolicy {
  const { allowFrom, roles, ...others } = wider;
  const speakers = saysWho(narrower) || narrower.group === "open" ? {} : { ...defined({ allowFrom, roles }) };
  const { topics: _topics, isEnabled: _isEnabled, ...own } = narrower;
  return { ...others, ...speakers, ...own };
}

/** Whether a group has its own answer to who may speak in it. */
export function saysWho({ allowFrom, roles }: GroupPolicy): boolean {
  return allowFrom !== undefined || roles !== undefined;
}
