// Access policy of an account: Discord's guilds and their channels, as the gateway's common rules.
import * as z from "zod";
import {
  DirectSettings,
  commonPolicy,
  groupPolicyOf,
  idList,
  once,
  type ChannelPolicy,
  type GroupPolicy,
} from "@chela/sdk";

const Ids = () => z.array(z.union([z.string(), z.number()])).optional();

const Room = once(() =>
  z.looseObject({
    allow: z.boolean().optional(),
    enabled: z.boolean().optional(),
    users: Ids(),
    roles: Ids(),
  }),
);
const Guild = once(() =>
  z.looseObject({
    users: Ids(),
    roles: Ids(),
    channels: z.record(z.string(), z.unknown()).optional(),
  }),
);
const Settings = once(() =>
  z.looseObject({
    dmPolicy: z.unknown().optional(),
    allowFrom: z.unknown().optional(),
    dm: DirectSettings().optional(),
    guilds: z.record(z.string(), z.unknown()).optional(),
  }),
);

const SHUT: GroupPolicy = { isEnabled: false };

export function policy(settings: unknown): ChannelPolicy {
  const read = Settings().safeParse(settings ?? {});
  // Left to the common reader, which lets nobody in when it cannot read either.
  if (!read.success) return { ...commonPolicy(settings), dm: "disabled", group: "disabled", groups: {} };
  const { dm, guilds, groups: _, ...rest } = read.data;
  const common = commonPolicy({
    ...rest,
    dmPolicy: rest.dmPolicy ?? dm?.policy,
    allowFrom: rest.allowFrom ?? dm?.allowFrom,
  });
  return {
    ...common,
    ...(dm?.enabled === false ? { dm: "disabled" as const } : {}),
    groups: { ...groupChats(dm), ...inGuilds(guilds ?? {}, common.group) },
  };
}

/** Chats of several people outside guilds: only those that are listed, and only when they are wanted. */
function groupChats(
  dm: { groupEnabled?: boolean | undefined; groupChannels?: Array<string | number> | undefined } | undefined,
) {
  if (dm?.groupEnabled !== true) return {};
  return Object.fromEntries(idList(dm.groupChannels).map((id) => [id, { group: "open" as const }]));
}

function inGuilds(guilds: Record<string, unknown>, group: ChannelPolicy["group"]): Record<string, GroupPolicy> {
  return Object.fromEntries(
    Object.entries(guilds).flatMap(([guildId, guild]) => inGuild(guildId.trim(), guild, group)),
  );
}

/** The guild "*" stands for every guild that is not listed; channels cannot be named for it. */
function inGuild(guildId: string, settings: unknown, group: ChannelPolicy["group"]): Array<[string, GroupPolicy]> {
  const everywhere = guildId === "*" ? "*" : `${guildId}/*`;
  const read = Guild().safeParse(settings ?? {});
  if (!read.success) return [[everywhere, SHUT]];
  const { channels, ...guild } = read.data;
  const named = Object.entries(channels ?? {});
  const rooms = named.map(([id, room]): [string, GroupPolicy] => [
    id === "*" || guildId === "*" ? everywhere : `${guildId}/${id.trim().replace(/^#/, "")}`,
    roomPolicy(room, guild, group),
  ]);
  // Once channels are listed, the others of the guild are shut, unless everything is open anyway.
  const others = named.length > 0 && group !== "open" ? SHUT : roomPolicy({}, guild, group);
  return [[everywhere, others], ...rooms];
}

/** A channel's own settings come first, those of its guild fill in. */
function roomPolicy(
  settings: unknown,
  guild: z.output<ReturnType<typeof Guild>>,
  group: ChannelPolicy["group"],
): GroupPolicy {
  const read = Room().safeParse(settings ?? {});
  if (!read.success) return SHUT;
  const room = read.data;
  const users = room.users ?? guild.users;
  const roles = room.roles ?? guild.roles;
  const merged = groupPolicyOf({ ...guild, ...room, groupPolicy: undefined, allowFrom: undefined });
  if (merged.isEnabled === false || room.allow === false) return SHUT;
  return { ...merged, ...speakers(users, roles, group) };
}

/** Everybody in a listed guild may speak, unless people or roles are listed there: then only they. */
function speakers(
  users: Array<string | number> | undefined,
  roles: Array<string | number> | undefined,
  group: ChannelPolicy["group"],
): Pick<GroupPolicy, "group" | "allowFrom" | "roles"> {
  if (group === "disabled") return { group };
  if (users === undefined && roles === undefined) return { group: "open" };
  return { group: "allowlist", allowFrom: idList(users), ...(roles?.length ? { roles: idList(roles) } : {}) };
}
