// Reads the settings of one Mattermost account, and whom these settings let in.
import * as z from "zod";
import { Secret, commonPolicy, once, type ChannelPolicy, type Configured, type GroupPolicy } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { readSettings } from "@chela/sdk/config";
import { mattermostSection } from "./section.ts";

export interface MattermostAccount {
  readonly botToken: Secret;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** What a message begins with that is meant for us; none unless `chatmode` is "onchar". */
  readonly prefixes: readonly string[];
  readonly tables: TableMode | undefined;
  readonly maxMediaBytes: number;
}

export function configureMattermost(
  settings: unknown,
  env: (name: string) => string | undefined,
): Configured<MattermostAccount> {
  const read = readSettings(mattermostSection, settings);
  if (read.kind === "unusable") {
    return incomplete(`channels.mattermost: ${read.where || "the block"} cannot be read`);
  }
  const { botToken, baseUrl, chatmode, oncharPrefixes, markdown, mediaMaxMb } = read.settings;
  const token = botToken?.trim() || env("MATTERMOST_BOT_TOKEN");
  if (!token) return incomplete("the bot's token is missing: set channels.mattermost.botToken or MATTERMOST_BOT_TOKEN");
  const address = baseUrl?.trim() || env("MATTERMOST_URL");
  if (!address) {
    return incomplete(
      "the server is missing: set channels.mattermost.baseUrl or MATTERMOST_URL, such as https://chat.example.org",
    );
  }
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    return incomplete(`channels.mattermost.baseUrl is no web address: ${address}`);
  const prefixes = oncharPrefixes.map((prefix) => prefix.trim()).filter((prefix) => prefix !== "");
  return {
    kind: "configured",
    about: { botTokenSource: botToken?.trim() ? "config" : "env" },
    account: {
      botToken: new Secret(token),
      baseUrl: (url.origin + url.pathname).replace(/\/+$/, "").replace(/\/api\/v4$/, ""),
      prefixes: chatmode === "onchar" ? prefixes : [],
      tables: markdown.tables,
      maxMediaBytes: mediaMaxMb * 1024 * 1024,
    },
  };
}

const incomplete = (why: string): Configured<MattermostAccount> => ({ kind: "incomplete", why });

const Mode = once(() =>
  z.object({
    chatmode: z.enum(["oncall", "onmessage", "onchar"]).optional(),
    requireMention: z.boolean().optional(),
  }),
);

export function readMattermostPolicy(settings: unknown): ChannelPolicy {
  const policy = commonPolicy(settings);
  const read = Mode().safeParse(settings ?? {});
  // What cannot be read lets nobody in.
  if (!read.success) return { ...policy, dm: "disabled", group: "disabled" };
  const requireMention = read.data.requireMention ?? (read.data.chatmode === "onmessage" ? false : undefined);
  if (requireMention === undefined) return policy;
  const groups: Record<string, GroupPolicy> = {};
  for (const [id, group] of Object.entries(policy.groups)) groups[id] = { requireMention, ...group };
  // Only where every channel is open anyway: in an allow-list the star would be an entry.
  if (policy.group === "open") groups["*"] ??= { requireMention };
  return { ...policy, groups };
}
