// Opens the way from and to messaging platforms. Loaded when a channel is configured.
import type { House } from "./house.ts";
import { type Address, agentOfSessionKey, modelOverrideOf, type ChannelEvent, type LinkStep } from "@chela/sdk";
import { randomFraction } from "../base/ids.ts";
import { createGuardedFetch, originsIn } from "../base/http/guarded-fetch.ts";
import { Channels } from "../rooms/channels/room.ts";
import type { Greeted } from "../rooms/channels/greet-person.ts";
import { usualChoices } from "../rooms/config/room.ts";
import { runIdOf } from "../flow/event-body.ts";
import type { FinishedReply } from "../flow/reply/delivery.ts";
import { openQuestions, type ApprovalPosts } from "../flow/approvals/ask-in-chats.ts";
import { openGate, type Gate } from "../flow/gate.ts";
import { offerMenu } from "../flow/commands/offer-menu.ts";
import { openReplies, type Replies } from "../flow/reply/replies.ts";
import { openDeliveryRoutes, type Routes } from "../flow/reply/routes.ts";
import { rememberByConfig } from "./remember-by-config.ts";
import { routeOfEvent } from "../flow/route.ts";
import type { AdmittedRoute } from "../flow/arrival.ts";

export type ChannelRoomParts = Pick<
  House,
  | "believed"
  | "clock"
  | "ids"
  | "log"
  | "config"
  | "paths"
  | "ledger"
  | "models"
  | "bus"
  | "audit"
  | "mounts"
  | "people"
  | "extraChannels"
  | "inbound"
  | "outbox"
  | "media"
  | "keys"
  | "changes"
  | "channels"
  | "chatCommands"
  | "skills"
>;

export interface ChannelServices {
  readonly channels: Channels;
  readonly gate: Gate;
  readonly replies: Replies;
  readonly routes: Routes;
  readonly approvals: ApprovalPosts;
  /** Sends what nobody there asked for to the chat the session was last led in; once for each run. */
  announce(sessionKey: string, text: string, runId: string): Promise<void>;
  /** The newest step somebody has to take to link an account. */
  linkStep(address: Address): LinkStep | undefined;
  onLinkStep(listener: (address: Address, step: LinkStep) => void): () => void;
  readonly defaultAccount: (channel: string) => string;
  /** Where somebody who writes there would be led. */
  routeOf(address: Address, event: Pick<ChannelEvent, "chat" | "sender">): Promise<AdmittedRoute>;
  /** Tells somebody that they were let in. */
  greet(address: Address, id: string): Promise<Greeted>;
  /** Starts what is configured now, and stops what is not any more. */
  apply(): Promise<void>;
  close(): Promise<void>;
}

/** Which model would answer in a conversation, and how long it would think. */
async function findAnswerer(
  { config, ledger, models }: Pick<ChannelRoomParts, "config" | "ledger" | "models">,
  agentId: string,
  sessionKey: string,
): Promise<Pick<FinishedReply, "model" | "thinking">> {
  const entry = await ledger.session(sessionKey);
  const override = entry && modelOverrideOf(entry);
  // A model that does not exist is told to whoever wants an answer of it.
  const [model] = await models.candidates({ agentId, override }).catch(() => []);
  if (!model) return {};
  const usual = usualChoices(config.current()).thinking;
  return { model, thinking: model.reasoning ? (entry?.thinkingLevel ?? usual) : "off" };
}

export function openChannels(house: ChannelRoomParts): ChannelServices {
  const { clock, ids, log, config, ledger } = house;
  const steps = new Map<string, LinkStep>();
  const linkListeners = new Set<(address: Address, step: LinkStep) => void>();
  const answererOf = (agentId: string, sessionKey: string) => findAnswerer(house, agentId, sessionKey);
  const random = (): number => randomFraction(ids);

  const channels: Channels = new Channels(house, {
    random,
    receive: ({ channel, account }, event) =>
      house.inbound.receiveEvent({
        door: "channel",
        runId: runIdOf(channel, account, event),
        channel,
        account,
        messageId: event.id,
        event,
      }),
    connected(address, connection) {
      const { channel, account } = address;
      house.outbox.queue.connected(address);
      void gate.connected(channel, account, connection);
      const table = async () => [...(await house.chatCommands()), ...(await menuOfSkills(channel, house))];
      void offerMenu(connection, table, config.current(), channels.settings(address) ?? {}, log);
    },
    changed: () => house.changes.note("channels"),
    link(address, step) {
      steps.set(keyOf(address), step);
      for (const listener of linkListeners) listener(address, step);
      house.changes.note("channels");
    },
    fetchFor: (settings) => createGuardedFetch({ clock, trusted: () => originsIn(settings()) }),
  });

  const gate = openGate(house, channels);
  const replies = openReplies(house, { channels, random, answererOf });
  const routes = openDeliveryRoutes({
    ledger,
    channels,
    isOwner: (channel, account, id) => gate.isOwner(channel, account, id),
  });
  const approvals: ApprovalPosts = openQuestions(house, { channels, gate, routes, replies });

  const defaultAccount = rememberByConfig(house, (channel) => channels.defaultAccount(channel));
  return {
    channels,
    gate,
    replies,
    routes,
    approvals,
    defaultAccount,
    async routeOf({ channel, account }, event) {
      await channels.channel(channel);
      return routeOfEvent(channel, account, event, house);
    },
    async announce(sessionKey, text, runId) {
      const route = await routes.last(sessionKey);
      if (!route) return;
      const agentId = agentOfSessionKey(sessionKey) ?? house.keys().defaultAgentId;
      const rows = await replies.compose({ ...route, runId, agentId, at: clock.now() }, { texts: [text] });
      const [first] = rows;
      if (!first || (await ledger.delivery(first.id))) return;
      await ledger.commit(rows.map((item) => ({ kind: "outbox-add", item })));
      for (const item of rows) await house.outbox.send({ ...item, attempts: 0, state: "pending" });
    },
    linkStep: (address) => steps.get(keyOf(address)),
    onLinkStep(listener) {
      linkListeners.add(listener);
      return () => void linkListeners.delete(listener);
    },
    async greet(address, id) {
      const { greetPerson } = await import("../rooms/channels/greet-person.ts");
      return greetPerson(channels, house, address, id);
    },
    apply: () => channels.apply(),
    async close() {
      await replies.stop();
      await channels.stop();
    },
  };
}

function keyOf({ channel, account }: Address): string {
  return `${channel}\n${account}`;
}

/** In the order of their names; a word that is a command of the gateway is not offered twice. */
async function menuOfSkills(
  channel: string,
  { config, chatCommands, skills, keys }: Pick<House, "config" | "chatCommands" | "skills" | "keys">,
) {
  const { nativeSkills = "auto" } = config.current().commands ?? {};
  if (nativeSkills === false || (nativeSkills === "auto" && channel === "slack")) return [];
  const taken = new Set((await chatCommands()).flatMap(({ name, aliases }) => [name, ...aliases]));
  const offered = (await skills()).commands(keys().defaultAgentId).filter(({ name }) => !taken.has(name));
  return offered.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
