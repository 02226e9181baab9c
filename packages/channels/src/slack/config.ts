// Reads an account's settings for the Slack channel, and whom these settings let in.
import * as z from "zod";
import {
  DirectSettings,
  commonPolicy,
  groupPolicyOf,
  once,
  type ChannelPolicy,
  type Configured,
  type GroupPolicy,
  type Parsed,
  type SecretPlace,
} from "@chela/sdk";
import { readSettings, type WrittenOf } from "@chela/sdk/config";
import { slackSection } from "./section.ts";

export interface SlackAccount {
  readonly botToken: string;
  readonly way: SocketWay | HttpWay;
  /** Ends with "/". */
  readonly apiRoot: string;
  readonly command: { readonly isEnabled: boolean; readonly name: string };
  /** Direct messages of several people at once, which Slack calls mpim. */
  readonly takesGroupDirectMessages: boolean;
  readonly sendsMarkdownBlocks: boolean;
  readonly maxMediaBytes: number;
}

interface SocketWay {
  readonly kind: "socket";
  readonly appToken: string;
}

export interface HttpWay {
  readonly kind: "http";
  readonly signingSecret: string;
  /** Absent: one made from the account's name. */
  readonly path?: string;
}

type Written = WrittenOf<typeof slackSection>;

export function configure(settings: unknown, env: (name: string) => string | undefined): Configured<SlackAccount> {
  const read = readSettings(slackSection, settings);
  if (read.kind === "unusable") return incomplete(`these settings cannot be read: ${read.where || "(all)"}`);
  const { settings: account, written: data } = read;
  const botToken = written(data.botToken, env("SLACK_BOT_TOKEN"));
  if (!botToken) {
    return incomplete(
      "the bot token is missing: set channels.slack.botToken or SLACK_BOT_TOKEN (it begins with xoxb-)",
    );
  }
  if (!isWebAddress(account.apiRoot)) return incomplete("these settings cannot be read: apiRoot");
  const way = account.mode === "http" ? httpWay(data, env) : socketWay(data, env);
  if (typeof way === "string") return incomplete(way);
  return {
    kind: "configured",
    about: {
      mode: way.kind,
      botTokenSource: placeOf(data.botToken),
      ...(way.kind === "socket" ? { appTokenSource: placeOf(data.appToken) } : {}),
    },
    account: {
      botToken,
      way,
      apiRoot: account.apiRoot.replace(/\/*$/, "/"),
      command: {
        isEnabled: account.slashCommand.enabled || data.commands?.native === true,
        name: account.slashCommand.name.replace(/^\//, ""),
      },
      takesGroupDirectMessages: account.dm.groupEnabled,
      sendsMarkdownBlocks: account.markdownBlocks,
      maxMediaBytes: account.mediaMaxMb * 1024 * 1024,
    },
  };
}

function socketWay(settings: Written, env: (name: string) => string | undefined): SocketWay | string {
  const appToken = written(settings.appToken, env("SLACK_APP_TOKEN"));
  if (!appToken) {
    return 'the app token is missing: set channels.slack.appToken or SLACK_APP_TOKEN (it begins with xapp-), or use mode "http"';
  }
  if (!appToken.startsWith("xapp-")) return "channels.slack.appToken is not an app-level token: those begin with xapp-";
  return { kind: "socket", appToken };
}

/** Without a secret nothing could be checked, so nothing is listened to. */
function httpWay(settings: Written, env: (name: string) => string | undefined): HttpWay | string {
  const signingSecret = written(settings.signingSecret, env("SLACK_SIGNING_SECRET"));
  if (!signingSecret) {
    return 'mode "http" needs the signing secret of the Slack app: set channels.slack.signingSecret or SLACK_SIGNING_SECRET';
  }
  const path = settings.webhookPath?.trim();
  if (path && !/^\/[\w./-]+$/.test(path)) {
    return "channels.slack.webhookPath must begin with / and consist of letters, digits, and . _ - /";
  }
  return { kind: "http", signingSecret, ...(path ? { path } : {}) };
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

function placeOf(setting: string | undefined): SecretPlace {
  return setting?.trim() ? "config" : "env";
}

function written(...values: ReadonlyArray<string | undefined>): string | undefined {
  return values.map((value) => value?.trim()).find((value) => value);
}

function incomplete(why: string): Configured<SlackAccount> {
  return { kind: "incomplete", why };
}

const Ids = () => z.array(z.union([z.string(), z.number()])).optional();

const Access = once(() =>
  z.object({
    dmPolicy: z.unknown().optional(),
    allowFrom: z.unknown().optional(),
    requireMention: z.boolean().optional(),
    dm: DirectSettings().optional(),
    channels: z.record(z.string(), z.unknown()).optional(),
  }),
);
type AccessRead = Parsed<typeof Access>;

const ChannelSettings = once(() =>
  z.looseObject({ allow: z.boolean().optional(), enabled: z.boolean().optional(), users: Ids() }),
);

export function policy(settings: unknown): ChannelPolicy {
  const read = Access().safeParse(settings ?? {});
  // What cannot be read is handed on, so that the shared reader shuts everything.
  if (!read.success) return { ...commonPolicy(settings), dm: "disabled", group: "disabled" };
  const { dm } = read.data;
  const shared = commonPolicy({
    ...(settings as object),
    dmPolicy: dm?.enabled === false ? "disabled" : (read.data.dmPolicy ?? dm?.policy),
    allowFrom: read.data.allowFrom ?? dm?.allowFrom,
    groups: undefined,
  });
  // In Slack a channel is let in by its id, and then everybody in it; a person's id opens no channel.
  const isOpen = shared.group === "open";
  return { ...shared, ...(isOpen ? {} : { groupAllowFrom: [] }), groups: groupsOf(read.data, shared) };
}

function groupsOf(access: AccessRead, shared: ChannelPolicy): Record<string, GroupPolicy> {
  const { requireMention } = access;
  const mention = requireMention === undefined ? {} : { requireMention };
  const groups: Record<string, GroupPolicy> = {};
  // Only where every group is open anyway: in an allow-list the star would be an entry.
  if (requireMention !== undefined && shared.group === "open") groups["*"] = mention;
  if (access.dm?.groupEnabled) {
    for (const id of access.dm.groupChannels ?? []) groups[String(id)] = { ...mention, allowFrom: shared.allowFrom };
  }
  for (const [id, channel] of Object.entries(access.channels ?? {})) {
    groups[id.replace(/^channel:/, "")] = { ...mention, ...groupOf(channel) };
  }
  return groups;
}

function groupOf(settings: unknown): GroupPolicy {
  const read = ChannelSettings().safeParse(settings ?? {});
  if (!read.success) return { isEnabled: false };
  const { allow, enabled, users, ...rest } = read.data;
  return groupPolicyOf({ ...rest, enabled: enabled !== false && allow !== false, allowFrom: users ?? ["*"] });
}
