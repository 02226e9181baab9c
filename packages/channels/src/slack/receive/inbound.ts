// Takes in whatever Slack hands over, by socket or by HTTP: read, look up, parse, receive.
import { type ChannelHost, OneAtATime } from "@chela/sdk";
import { UnderWay } from "@chela/sdk/channel-kit";
import type { SlackAccount } from "../config.ts";
import { parseAction, parseCommand, parseEvent } from "./parse.ts";
import type { People } from "../people.ts";
import { mentionedIds } from "./readable.ts";
import { drop, type Parsed, type Self, type MessageContext } from "./message-context.ts";
import {
  Action,
  Callback,
  Command,
  Event,
  type SlackCallback,
  type SlackEvent,
  type SlackRevokedEvent,
} from "../wire.ts";

export type Envelope =
  | { readonly kind: "event"; readonly body: unknown }
  | { readonly kind: "command"; readonly body: unknown }
  | { readonly kind: "interaction"; readonly body: unknown };

export interface Inbound {
  /**
   * Resolves when the envelope may be acknowledged, with what the person who gave a command should read at once.
   * Rejects when an event could not be stored: Slack will hand it over again.
   */
  take(envelope: Envelope): Promise<string | undefined>;
  /** Resolves when nothing that was taken is under way any more. */
  idle(): Promise<void>;
}

interface InboundNeeds {
  readonly account: SlackAccount;
  readonly host: ChannelHost;
  readonly self: Self;
  readonly people: People;
  /** The platform told us that the app is no longer installed. */
  revoked(): void;
  /** A message was settled; messages of this channel up to it need not be fetched again. */
  settled(channel: string, ts: string): void;
  /** A message could not be stored; it must be fetched again. */
  missed(channel: string): void;
}

/** Where something happened and who is in it: what has to be looked up before it can be parsed. */
interface Subject {
  readonly channel: string;
  readonly needsKind: boolean;
  readonly userIds: readonly string[];
}

const TRY_AGAIN = "This could not be stored at the moment, so nothing was done. Please try again in a minute.";

export function createInbound(needs: InboundNeeds): Inbound {
  const { account, host, self } = needs;
  const order = new OneAtATime();

  const lookAround = async ({ channel, needsKind, userIds }: Subject): Promise<MessageContext> => {
    const [names, conversation] = await Promise.all([
      needs.people.namesOf(userIds),
      needsKind ? needs.people.conversation(channel) : {},
    ]);
    return { self, names, now: host.clock.now(), ...conversation };
  };
  const receive = async (parsed: Parsed): Promise<void> => {
    if (parsed.kind === "event") await host.receive(parsed.event);
    else host.log.debug("slack: passed over", { why: parsed.why });
  };

  const takeEvent = async (body: unknown): Promise<void> => {
    const callback = Callback().safeParse(body);
    if (!callback.success || !isForUs(callback.data, self)) return receive(drop("it is for another workspace"));
    const read = Event().safeParse(callback.data.event);
    if (!read.success) return receive(drop("an event of a kind we do not read"));
    const event = read.data;
    if (isRevoked(event)) return takesOurRight(event, self) ? needs.revoked() : undefined;
    const subject = subjectOf(event, self);
    await order.run(subject.channel, async () => {
      try {
        const around = await lookAround(subject);
        await receive(isUnwanted(event, around, account) ? drop("dm.groupEnabled is off") : parseEvent(event, around));
        if (event.type === "message" && event.ts) needs.settled(subject.channel, event.ts);
      } catch (error) {
        needs.missed(subject.channel);
        throw error;
      }
    });
  };

  const takeCommand = async (body: unknown): Promise<string | undefined> => {
    const read = Command().safeParse(body);
    if (!read.success) return undefined;
    const command = read.data;
    if (!account.command.isEnabled) {
      return "Commands are switched off here. The operator can set channels.slack.slashCommand.enabled to true.";
    }
    const subject = {
      channel: command.channel_id,
      needsKind: needsKind(command.channel_id),
      userIds: [command.user_id],
    };
    return order.run(command.channel_id, async () => {
      await receive(parseCommand(command, account.command, await lookAround(subject)));
      return undefined;
    });
  };

  const takeInteraction = async (body: unknown): Promise<void> => {
    const read = Action().safeParse(body);
    if (!read.success) return receive(drop("an interaction of a kind we do not read"));
    const { channel, user } = read.data;
    const subject = { channel: channel.id, needsKind: needsKind(channel.id), userIds: [user.id] };
    await order.run(channel.id, async () => receive(parseAction(read.data, await lookAround(subject))));
  };

  const take = async ({ kind, body }: Envelope): Promise<string | undefined> => {
    if (kind === "event") {
      await takeEvent(body);
      return undefined;
    }
    // Slack hands these over only once, so the person is told.
    try {
      return kind === "command" ? await takeCommand(body) : void (await takeInteraction(body));
    } catch (error) {
      host.log.warn("slack: a command or button could not be stored", { error: String(error) });
      return TRY_AGAIN;
    }
  };

  const underWay = new UnderWay();
  return {
    take: (envelope) => underWay.add(take(envelope)),
    idle: () => underWay.idle(),
  };
}

/** One app may be installed in several workspaces and send all of it to one address. */
function isForUs(callback: SlackCallback, self: Self): boolean {
  if (callback.authorizations.length === 0) return callback.team_id === undefined || callback.team_id === self.teamId;
  return callback.authorizations.some(
    (to) => to.team_id === self.teamId || to.user_id === self.userId || to.is_enterprise_install === true,
  );
}

function isUnwanted(event: SlackEvent, around: MessageContext, account: SlackAccount): boolean {
  if (account.takesGroupDirectMessages || !("channel" in event)) return false;
  const told = event.type === "message" ? event.channel_type : undefined;
  return told === undefined ? around.kind === "group" : told === "mpim";
}

function isRevoked(event: SlackEvent): event is SlackRevokedEvent {
  return event.type === "app_uninstalled" || event.type === "tokens_revoked";
}

/** Tokens of other people are revoked, too. */
function takesOurRight(event: SlackRevokedEvent, self: Self): boolean {
  return event.type === "app_uninstalled" || event.tokens?.bot.includes(self.userId) === true;
}

function subjectOf(event: Exclude<SlackEvent, SlackRevokedEvent>, self: Self): Subject {
  if ("item" in event) {
    const { channel } = event.item;
    return { channel, needsKind: needsKind(channel), userIds: [event.user] };
  }
  if (event.type === "member_joined_channel") {
    return { channel: event.channel, needsKind: needsKind(event.channel), userIds: [event.user] };
  }
  const message = event.message ?? event.previous_message ?? event;
  const userIds = [message.user ?? "", ...mentionedIds(message.text ?? "")].filter((id) => id !== self.userId);
  return { channel: event.channel, needsKind: needsKind(event.channel), userIds };
}

/** A direct chat shows itself by its id and has no title. */
function needsKind(channel: string): boolean {
  return !channel.startsWith("D");
}
