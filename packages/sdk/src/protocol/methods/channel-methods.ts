// Channels: how their accounts do, how they are linked, what they can do, and whom they know.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, flag, text, type MethodSpec } from "./method-spec.ts";

const MOST_PATIENCE_MS = 600_000;
const patience = () => z.int().min(1).max(MOST_PATIENCE_MS).optional();
/** An account of a channel; the channel may be left out where only one is meant. */
const account = () => ({ channel: NonEmpty().optional(), accountId: NonEmpty().optional() });

const LinkStep = () =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("qr"), text: z.string() }),
    z.object({ kind: z.literal("code"), code: z.string(), hint: z.string() }),
  ]);

/** What somebody has to do next to link an account, as a picture, in words, and as it came. */
const linkFields = () => ({
  state: z.enum(["linked", "waiting", "ended"]),
  qrDataUrl: text(),
  message: z.string(),
  step: LinkStep().optional(),
});

const time = () => z.int().optional();

/** How an account does, as far as it is known without asking anybody. */
const accountState = () => ({
  accountId: z.string(),
  enabled: z.boolean(),
  configured: z.boolean(),
  linked: z.boolean(),
  running: z.boolean(),
  connected: z.boolean(),
  reconnectAttempts: z.int(),
  lastError: text(),
  lastStartAt: time(),
  lastStopAt: time(),
  lastConnectedAt: time(),
  lastDisconnect: z.object({ at: z.int(), error: z.string() }).optional(),
  lastInboundAt: time(),
  lastOutboundAt: time(),
  /** Who it is at its platform: name, username and ids. */
  self: z.record(z.string(), z.string()).readonly().optional(),
  /** How messages come in, and where the credential lies, of channels that tell. */
  mode: text(),
  tokenSource: text(),
  botTokenSource: text(),
  appTokenSource: text(),
  /** What the platform said when it was last asked; besides `ok` and `error` in its own words. */
  probe: z.looseObject({ ok: z.boolean(), error: text() }).and(z.record(z.string(), z.unknown())).optional(),
  lastProbeAt: time(),
});

/** A channel at a glance: the state of its default account stands for it. */
export const ChannelSummary = once(() =>
  z.object({
    ...accountState(),
    accounts: z.record(z.string(), z.object(accountState())).readonly(),
  }),
);

const AccountRow = once(() =>
  z.object({
    ...accountState(),
    /** What people call it. */
    name: text(),
    dmPolicy: text(),
    groupPolicy: text(),
    allowFrom: z.array(z.string()).optional(),
    unresolved: z.array(z.string()),
    deliveries: z.object({ pending: z.int(), undeliverable: z.int() }),
  }),
);

const Entry = once(() => z.object({ kind: z.enum(["user", "group"]), id: z.string(), name: text(), username: text() }));
const entryList = once(() => z.object({ channel: z.string(), accountId: z.string(), entries: z.array(Entry()) }));
const Limit = () => z.int().min(1).max(1000).optional();

export const CHANNEL_METHODS = {
  "channels.status": {
    role: "operator",
    scope: "operator.read",
    says: "Every account of every configured channel, with what is wrong with it; `probe` asks the platforms",
    params: once(() => z.strictObject({ probe: flag(), timeoutMs: patience() })),
    result: once(() =>
      z.looseObject({
        ts: z.int(),
        channelOrder: z.array(z.string()),
        channelLabels: z.record(z.string(), z.string()),
        channelDetailLabels: z.record(z.string(), z.string()),
        /** Always empty: pictures of Apple's systems that other clients look for. */
        channelSystemImages: z.record(z.string(), z.string()),
        channelMeta: z.array(z.object({ id: z.string(), label: z.string(), detailLabel: z.string() })),
        channels: z.record(z.string(), ChannelSummary()),
        channelAccounts: z.record(z.string(), z.array(AccountRow())),
        channelDefaultAccountId: z.record(z.string(), z.string()),
      }),
    ),
  },
  "channels.logout": {
    role: "operator",
    scope: "operator.admin",
    says: "Ends the link of an account with its platform and forgets its credentials",
    params: once(() => z.strictObject({ channel: NonEmpty(), accountId: NonEmpty().optional() })),
    result: once(() =>
      z.looseObject({
        channel: z.string(),
        accountId: z.string(),
        cleared: z.boolean(),
        loggedOut: z.boolean(),
        message: z.string(),
      }),
    ),
  },
  "channels.capabilities": {
    role: "operator",
    scope: "operator.read",
    says: "Which channels there are, and what those that are configured can do",
    params: once(() => z.strictObject(account())),
    result: once(() =>
      z.object({
        channels: z.array(
          z.looseObject({
            id: z.string(),
            label: z.string(),
            configured: z.boolean(),
            package: text(),
            /** Why nothing is known of it. */
            problem: text(),
            /** In which kinds of chats it can be spoken to. */
            chats: z.array(z.string()).optional(),
            /** Longest text of one message. */
            textLimit: z.number().optional(),
            /** By what its platform recognises a message that is sent twice. */
            dedupe: z.enum(["key", "receipt", "none"]).optional(),
            isLinkedByPerson: flag(),
            accounts: z
              .array(z.object({ accountId: z.string(), connected: z.boolean(), abilities: z.array(z.string()) }))
              .optional(),
          }),
        ),
      }),
    ),
  },
  "channels.resolve": {
    role: "operator",
    scope: "operator.read",
    says: "What entries of an allow-list mean: the id each name stands for now",
    params: once(() =>
      z.strictObject({
        channel: NonEmpty(),
        accountId: NonEmpty().optional(),
        entries: z.array(NonEmpty().max(500)).min(1).max(100),
        kind: z.enum(["auto", "user", "group"]).optional(),
      }),
    ),
    result: once(() =>
      z.object({
        channel: z.string(),
        accountId: z.string(),
        results: z.array(
          z.object({ input: z.string(), resolved: z.boolean(), id: text(), kind: text(), note: text() }),
        ),
      }),
    ),
  },
  "channels.setup": {
    role: "operator",
    scope: "operator.read",
    says: "What a form has to ask for to set up each channel, and the steps at its platform",
    params: empty,
    result: once(() =>
      z.object({
        channels: z.array(
          z.object({
            id: z.string(),
            label: z.string(),
            package: text(),
            /** Whether that package is there. */
            installed: z.boolean(),
            /** Markdown. */
            steps: z.array(z.string()),
            fields: z.array(
              z.object({
                /** The setting; a dot leads into a block. */
                name: z.string(),
                label: z.string(),
                list: z.boolean(),
                secret: z.boolean(),
                required: z.boolean(),
                hint: text(),
                example: text(),
              }),
            ),
          }),
        ),
      }),
    ),
  },
  "channels.check": {
    role: "operator",
    scope: "operator.admin",
    says: "Whether a channel could begin with these settings beside what is configured; nothing is written",
    params: once(() =>
      z.strictObject({
        channel: NonEmpty(),
        accountId: NonEmpty().optional(),
        settings: z.record(z.string(), z.unknown()),
      }),
    ),
    result: once(() => z.object({ ready: z.boolean(), why: text(), isLinkedByPerson: z.boolean() })),
  },
  "web.login.start": {
    role: "operator",
    scope: "operator.admin",
    says: "Begins to link an account (WhatsApp unless `channel` says otherwise) and gives the picture to scan",
    params: once(() => z.strictObject({ force: flag(), timeoutMs: patience(), verbose: flag(), ...account() })),
    result: once(() => z.looseObject(linkFields())),
  },
  "web.login.wait": {
    role: "operator",
    scope: "operator.admin",
    says: "Waits until the account is linked; with `seen`, also until there is another step than that one",
    params: once(() => z.strictObject({ timeoutMs: patience(), seen: text(), ...account() })),
    result: once(() => z.looseObject({ connected: z.boolean(), ...linkFields() })),
  },
} as const satisfies Record<string, MethodSpec>;

export const DIRECTORY_METHODS = {
  "directory.self": {
    role: "operator",
    scope: "operator.read",
    says: "Who an account is at its platform",
    params: once(() => z.strictObject(account())),
    result: once(() => z.object({ channel: z.string(), accountId: z.string(), self: Entry() })),
  },
  "directory.users": {
    role: "operator",
    scope: "operator.read",
    says: "People an account can write to",
    params: once(() => z.strictObject({ query: text(), limit: Limit(), ...account() })),
    result: entryList,
  },
  "directory.groups": {
    role: "operator",
    scope: "operator.read",
    says: "Groups an account is in",
    params: once(() => z.strictObject({ query: text(), limit: Limit(), ...account() })),
    result: entryList,
  },
  "directory.members": {
    role: "operator",
    scope: "operator.read",
    says: "Who is in a group",
    params: once(() => z.strictObject({ groupId: NonEmpty(), limit: Limit(), ...account() })),
    result: entryList,
  },
  "routing.explain": {
    role: "operator",
    scope: "operator.read",
    says: "Which agent and session a message from there would get, and why",
    params: once(() =>
      z.strictObject({
        channel: NonEmpty(),
        accountId: NonEmpty().optional(),
        peer: z.strictObject({ kind: z.enum(["direct", "group", "channel"]), id: NonEmpty() }),
        threadId: text(),
        parentId: text(),
        guildId: text(),
        teamId: text(),
        roles: z.array(z.string()).optional(),
        senderId: text(),
      }),
    ),
    result: once(() =>
      z.object({
        route: z.looseObject({
          agentId: z.string(),
          channel: z.string(),
          accountId: z.string(),
          sessionKey: z.string(),
          /** The conversation a thread belongs to. */
          parentSessionKey: text(),
          mainSessionKey: z.string(),
          matchedBy: z.string(),
          /** Place in `bindings` of the one that decided. */
          binding: z.int().optional(),
          /** A binding could not be followed. */
          warning: text(),
          /** What became of each binding, in the order of the configuration. */
          considered: z
            .array(
              z.looseObject({
                binding: z.int(),
                agentId: z.string(),
                kind: z.string(),
                /** Where it matches; missing when it does not. */
                tier: text(),
                why: z.string(),
              }),
            )
            .optional(),
        }),
        text: z.string(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;

export const DELIVERY_METHODS = {
  "deliveries.list": {
    role: "operator",
    scope: "operator.read",
    says: "Messages on their way to channels, newest first: those that wait, arrived, or could not be delivered",
    params: once(() =>
      z.strictObject({
        state: z.enum(["pending", "delivered", "undeliverable"]).optional(),
        channel: text(),
        limit: Limit(),
      }),
    ),
    result: once(() =>
      z.object({
        deliveries: z.array(
          z.looseObject({
            id: z.string(),
            /** The run or call it comes from. */
            runId: z.string(),
            channel: z.string(),
            accountId: z.string(),
            to: z.string(),
            state: z.enum(["pending", "delivered", "undeliverable"]),
            attempts: z.int(),
            createdAt: z.int(),
            error: text(),
            messageId: text(),
            preview: z.string(),
          }),
        ),
      }),
    ),
  },
  "deliveries.resend": {
    role: "operator",
    scope: "operator.write",
    says: "Tries a message again that could not be delivered",
    params: once(() => z.strictObject({ id: NonEmpty() })),
    result: once(() => z.object({ id: z.string(), channel: z.string(), accountId: z.string(), to: z.string() })),
  },
} as const satisfies Record<string, MethodSpec>;
