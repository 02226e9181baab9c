// Reads the settings most channels share: who may write directly, who in groups. For a channel's own `policy`.
import * as z from "zod";
import type { ChannelPolicy, GroupPolicy } from "./channel.ts";
import { once, type Parsed } from "./schema.ts";

const Ids = () => z.array(z.union([z.string(), z.number()])).optional();
const Policy = once(() => z.enum(["allowlist", "open", "disabled"]));

const Group = once(() =>
  z.object({
    enabled: z.boolean().optional(),
    groupPolicy: Policy().optional(),
    requireMention: z.boolean().optional(),
    allowFrom: Ids(),
    systemPrompt: z.string().optional(),
    skills: z.array(z.string()).optional(),
    tools: z.record(z.string(), z.unknown()).optional(),
    toolsBySender: z.record(z.string(), z.unknown()).optional(),
    topics: z.record(z.string(), z.unknown()).optional(),
  }),
);

const Settings = once(() =>
  z.object({
    dmPolicy: z.enum(["pairing", "allowlist", "open", "disabled"]).optional(),
    allowFrom: Ids(),
    groupPolicy: Policy().optional(),
    groupAllowFrom: Ids(),
    groups: z.record(z.string(), z.unknown()).optional(),
    reactionNotifications: z.enum(["off", "own", "all", "allowlist"]).optional(),
  }),
);

/** The older `dm` block, where channels still have it. */
export const DirectSettings = once(() =>
  z.object({
    enabled: z.boolean().optional(),
    policy: z.unknown().optional(),
    allowFrom: z.unknown().optional(),
    groupEnabled: z.boolean().optional(),
    groupChannels: Ids(),
  }),
);

/** What cannot be read lets nobody in. */
const CLOSED: ChannelPolicy = { dm: "disabled", allowFrom: [], group: "disabled", groups: {}, reactions: "off" };

export function commonPolicy(settings: unknown): ChannelPolicy {
  const read = Settings().safeParse(settings ?? {});
  if (!read.success) return CLOSED;
  const { dmPolicy, allowFrom, groupPolicy, groupAllowFrom, groups, reactionNotifications } = read.data;
  return {
    dm: dmPolicy ?? "pairing",
    allowFrom: idList(allowFrom),
    group: groupPolicy ?? "allowlist",
    ...(groupAllowFrom ? { groupAllowFrom: idList(groupAllowFrom) } : {}),
    groups: Object.fromEntries(Object.entries(groups ?? {}).map(([id, group]) => [id, groupPolicyOf(group)])),
    reactions: reactionNotifications ?? "own",
  };
}

/** One group's settings; what cannot be read shuts the group. */
export function groupPolicyOf(settings: unknown): GroupPolicy {
  const read = Group().safeParse(settings === undefined ? {} : settings);
  return read.success ? fromGroup(read.data) : { isEnabled: false };
}

function fromGroup(group: Parsed<typeof Group>): GroupPolicy {
  const { enabled, groupPolicy, requireMention, allowFrom, systemPrompt, skills, tools, toolsBySender, topics } = group;
  return {
    ...(enabled === undefined ? {} : { isEnabled: enabled }),
    ...(groupPolicy ? { group: groupPolicy } : {}),
    ...(requireMention === undefined ? {} : { requireMention }),
    ...(allowFrom ? { allowFrom: idList(allowFrom) } : {}),
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(skills ? { skills } : {}),
    ...(tools ? { tools } : {}),
    ...(toolsBySender ? { toolsBySender } : {}),
    ...(topics
      ? { topics: Object.fromEntries(Object.entries(topics).map(([id, topic]) => [id, groupPolicyOf(topic)])) }
      : {}),
  };
}

/** A long number has lost its last digits when it was read and may name somebody else: it is left out. */
export function idList(written: ReadonlyArray<string | number> | undefined): string[] {
  return (written ?? [])
    .filter((entry) => typeof entry === "string" || Number.isSafeInteger(entry))
    .map((entry) => String(entry).trim())
    .filter((entry) => entry !== "");
}
