// Gate of channels: who may speak, by the configuration, approvals, names that were looked up once and what the session says.
import type { House } from "../house/house.ts";
import { join } from "node:path";
import {
  GatewayError,
  type ChannelConnection,
  type ChannelEvent,
  type ChannelSender,
  type KnownPerson,
  type Standing,
} from "@chela/sdk";
import {
  decideEvent,
  Introductions,
  judgeSpeaking,
  mayQuote,
  NameBook,
  pairingText,
  PairingStore,
  readIds,
  readMentionPatterns,
  type AccessRules,
} from "../rooms/access/room.ts";
import { pairingEvent } from "../rooms/audit/room.ts";
import { waitForLock } from "../base/locks/lock-file.ts";
import type { Channels } from "../rooms/channels/room.ts";
import { agentIdentity, writtenAgent } from "../rooms/config/room.ts";
import type { AdmittedRoute } from "./arrival.ts";
import type { Judgement } from "./event-body.ts";
import { standingOf } from "./message-body.ts";
import { openPolicyLists } from "./policy-lists.ts";
import { rememberByConfig } from "../house/remember-by-config.ts";

export type GateParts = Pick<
  House,
  "believed" | "clock" | "ids" | "log" | "config" | "paths" | "ledger" | "audit" | "people" | "changes"
>;

interface Introduction {
  readonly code: string;
  readonly text: string;
}

export interface Gate {
  readonly pairing: PairingStore;
  judge(channel: string, account: string, event: ChannelEvent, route: AdmittedRoute): Promise<Judgement>;
  /** What somebody is to this gateway in a chat. Whoever may not speak there is a stranger. */
  standingOf(channel: string, account: string, event: Pick<ChannelEvent, "chat" | "sender">): Promise<Standing>;
  /** Whether somebody with this id is an owner now, when they write directly. */
  isOwner(channel: string, account: string, id: string): Promise<boolean>;
  mayQuote(channel: string, account: string, event: ChannelEvent, quoted: ChannelSender): Promise<boolean>;
  introduce(channel: string, account: string, event: ChannelEvent): Promise<Introduction | undefined>;
  /** Names in lists can be looked up now. */
  connected(channel: string, account: string, connection: ChannelConnection): Promise<void>;
  /** Entries of lists that mean nobody, for operators. */
  unresolved(channel: string, account: string): Promise<readonly string[]>;
  /** Whether an owner is named, in the configuration or as a person; if not, the first who is approved becomes one. */
  hasOwner(channel: string, account: string): Promise<boolean>;
  /** Whether a person may answer questions about commands there, by their role. */
  hasApprover(channel: string, account: string): boolean;
}

const LOCK_PATIENCE_MS = 5000;
/** Where the text is a command, nobody has to be mentioned. */
const COMMAND = /^\s*[/!]\S/;

export function openGate(house: GateParts, channels: Channels): Gate {
  const { clock, ids, log, config, paths, ledger } = house;
  const directory = join(paths.stateDir, "credentials");
  const files = { directory, clock, log, lock: (path: string) => waitForLock(path, clock, LOCK_PATIENCE_MS) };
  const { believed } = house;
  const pairing = new PairingStore({ ...files, ids, believed, changed: () => house.changes.note("pairing") });
  const introductions = new Introductions(clock);
  const lists = openPolicyLists(house, channels, new NameBook(files));

  async function rulesFor(channel: string, account: string, route?: AdmittedRoute): Promise<AccessRules> {
    const code = await channels.channel(channel);
    const { lists: allowed, policy } = await lists.of(channel, account);
    const readId = (written: string) => code.readId(written);
    const self = channels.status(channel).find(({ accountId }) => accountId === account)?.self ?? {};
    // Only groups know it, and reading a session for each direct message would be for nothing.
    const isGroup = route !== undefined && /:(group|channel):/.test(route.sessionKey);
    const activation = isGroup ? (await ledger.session(route.sessionKey))?.groupActivation : undefined;
    const approved = pairing.approved(channel, account);
    return {
      channel,
      account,
      policy,
      allowed,
      paired: readIds(approved.ids, readId),
      pairedOwners: readIds(approved.owners, readId),
      mention: mentionsOf(route?.agentId ?? ""),
      selfIds: new Set(Object.entries(self).flatMap(([key, value]) => (/id$/i.test(key) ? [value] : []))),
      everybodyMayCommand: config.current().commands?.useAccessGroups === false,
      personOf: (senderIds) => knownAs(house.people.directory.of(channel, account, senderIds)),
      ...(activation ? { activation } : {}),
    };
  }

  /** Read once for each configuration: a pattern that cannot be used is reported once, too. */
  const mentionsOf = rememberByConfig(house, (agentId: string): AccessRules["mention"] => {
    const { messages } = config.current();
    const own = writtenAgent(config.current(), agentId)?.groupChat?.mentionPatterns;
    const mentions = readMentionPatterns({
      ...(own ? { agent: own } : {}),
      ...(messages?.groupChat?.mentionPatterns ? { messages: messages.groupChat.mentionPatterns } : {}),
      ...agentIdentity(config.current(), agentId),
    });
    for (const { pattern, why } of mentions.refused)
      log.warn("a mention pattern is not used", { agentId, pattern, why });
    return mentions.rules;
  });

  async function standingInChat(
    channel: string,
    account: string,
    { chat, sender }: Pick<ChannelEvent, "chat" | "sender">,
  ): Promise<Standing> {
    if (!channels.settings({ channel, account }) || !isRecord(sender) || !isRecord(chat)) return "stranger";
    const speaking = judgeSpeaking({ chat, sender }, await rulesFor(channel, account));
    if (speaking.kind !== "may-speak") return "stranger";
    return standingOf({ kind: "sender", ...speaking.standing }, speaking.isKnown);
  }

  return {
    pairing,
    async judge(channel, account, event, route) {
      // Without rules nobody can be judged; whoever has the account next will see the event again.
      if (!channels.settings({ channel, account }))
        throw new GatewayError("CHANNEL_OFFLINE", `${channel} has no account "${account}" any more`);
      const { content } = event;
      const isTyped = content.kind === "message" && content.forwardedFrom === undefined;
      const looksLikeCommand = isTyped && COMMAND.test(content.text);
      const decision = decideEvent(event, await rulesFor(channel, account, route), looksLikeCommand);
      if (decision.kind !== "allowed") return decision;
      const { sender, wasMentioned, group } = decision;
      return { kind: "allowed", ...sender, wasMentioned, ...(group ? { group } : {}) };
    },
    standingOf: standingInChat,
    isOwner: async (channel, account, id) =>
      (await standingInChat(channel, account, { chat: { kind: "direct", id }, sender: { id } })) === "owner",
    async mayQuote(channel, account, event, quoted) {
      return mayQuote(quoted, event, await rulesFor(channel, account));
    },
    async introduce(channel, account, event) {
      const { otherIds, name, username } = event.sender;
      const id = event.sender.id || (otherIds?.[0] ?? "");
      const asked = await pairing.request(channel, account, id, {
        name,
        username,
        ...splitName(name),
      });
      const asker = `${channel}:${account}:${id}`;
      if (asked.kind === "new")
        house.audit.note(pairingEvent({ step: "requested", target: asker, actor: asker, channel }));
      // They wait on the list like everybody, and hear of their code when they write while there is room again.
      if (!introductions.mayTell(channel, account, asked.code)) return undefined;
      return { code: asked.code, text: pairingText(asked.code, id, channel) };
    },
    async connected(channel, account) {
      lists.forget(channel, account);
      await lists.of(channel, account);
    },
    async unresolved(channel, account) {
      return (await lists.of(channel, account)).unresolved;
    },
    async hasOwner(channel, account) {
      if (config.current().commands?.ownerAllowFrom !== undefined) return true;
      if (house.people.directory.hasOn(channel, account, ["owner"])) return true;
      const { allowFrom } = (await channels.channel(channel)).policy(channels.settings({ channel, account }) ?? {});
      return allowFrom.some((entry) => entry !== "*");
    },
    hasApprover: (channel, account) => house.people.directory.hasOn(channel, account, ["owner", "approver"]),
  };
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function knownAs(person: KnownPerson | undefined): KnownPerson | undefined {
  return person && { id: person.id, role: person.role };
}

/** As other OpenClaw programs keep it beside a request. */
function splitName(name: string | undefined): { readonly firstName?: string; readonly lastName?: string } {
  const [firstName, ...rest] = (name ?? "").trim().split(/\s+/);
  return { ...(firstName ? { firstName } : {}), ...(rest.length > 0 ? { lastName: rest.join(" ") } : {}) };
}
