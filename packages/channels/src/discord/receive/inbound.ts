// Takes in what Discord dispatches: each chat in order, no chat waiting for another, nothing marked as read too early.
import { type ChannelEvent, type ChannelHost, type Received, OneAtATime } from "@chela/sdk";
import type { Self } from "./inbound-text.ts";
import type { Interactions } from "./interactions.ts";
import { parseEdit, parseMessage, parseReaction, type ParsedEvent, type MessageContext } from "./parse.ts";
import { Interaction, Message, Reaction, type Message as MessagePayload } from "./payload.ts";
import { chatOf } from "../place.ts";
import type { Places } from "../places.ts";
import type { Progress } from "./progress.ts";
import { Recent, untilAccepted } from "@chela/sdk/channel-kit";

export interface Dispatch {
  readonly type: string;
  readonly sequence: number;
  readonly data: unknown;
}

export interface InboundParts {
  readonly host: ChannelHost;
  readonly self: Self;
  readonly places: Places;
  readonly progress: Progress;
  readonly interactions: Interactions;
  /** Messages we sent, by id: reactions to them are reactions to us. */
  readonly ours: Recent<true>;
  /** Aborted when the connection is over. */
  readonly over: AbortSignal;
}

export class Inbound {
  readonly #parts: InboundParts;
  readonly #lanes = new OneAtATime();
  /** What messages said, to know whether an update changed it. */
  readonly #texts = new Recent<string>(500);

  constructor(parts: InboundParts) {
    this.#parts = parts;
  }

  /** Never rejects. What cannot be taken in stays open, and comes again with the next session. */
  async take(dispatch: Dispatch): Promise<void> {
    const { places, progress, over } = this.#parts;
    places.note(dispatch.type, dispatch.data);
    const work = this.#workFor(dispatch);
    if (!work || over.aborted) return;
    progress.begin(dispatch.sequence);
    const isDone = await this.inLane(work.channelId, work.run);
    if (isDone) progress.done(dispatch.sequence);
  }

  /** A message that was not dispatched but read later; in the lane of its channel. */
  async takeMissed(message: MessagePayload, guildId: string | undefined): Promise<void> {
    const member = guildId ? await this.#parts.places.member(guildId, message.author.id) : undefined;
    await this.#message({ ...message, ...(guildId ? { guild_id: guildId } : {}), ...(member ? { member } : {}) });
  }

  /** Whether the work was done; it is tried until it is, or until the connection is over. */
  async inLane(channelId: string, work: () => Promise<void>): Promise<boolean> {
    const { host, over } = this.#parts;
    return this.#lanes.run(channelId, async () => (await untilAccepted(host, over, work)).kind === "done");
  }

  #workFor({ type, sequence, data }: Dispatch): { channelId: string; run: () => Promise<void> } | undefined {
    switch (type) {
      case "MESSAGE_CREATE":
      case "MESSAGE_UPDATE": {
        const message = Message().safeParse(data).data;
        if (!message) return undefined;
        const run = type === "MESSAGE_CREATE" ? () => this.#message(message) : () => this.#edit(message);
        return { channelId: message.channel_id, run };
      }
      case "MESSAGE_REACTION_ADD":
      case "MESSAGE_REACTION_REMOVE": {
        const reaction = Reaction().safeParse(data).data;
        const session = this.#parts.progress.session?.sessionId ?? "";
        return (
          reaction && {
            channelId: reaction.channel_id,
            run: () => this.#reaction(reaction, `reaction:${session}:${sequence}`, type === "MESSAGE_REACTION_REMOVE"),
          }
        );
      }
      case "INTERACTION_CREATE": {
        const interaction = Interaction().safeParse(data).data;
        return (
          interaction && {
            channelId: interaction.channel_id ?? interaction.id,
            run: () => this.#parts.interactions.take(interaction),
          }
        );
      }
      default:
        return undefined;
    }
  }

  async #message(message: MessagePayload): Promise<void> {
    const { progress, ours, self } = this.#parts;
    this.#texts.set(message.id, message.content);
    if (message.author.id === self.id) ours.set(message.id, true);
    else await this.#handOver(parseMessage(message, await this.#around(message)));
    progress.noteRead(message.channel_id, message.id);
  }

  async #edit(message: MessagePayload): Promise<void> {
    const before = this.#texts.get(message.id);
    if (message.author.id === this.#parts.self.id) return;
    await this.#handOver(parseEdit(message, await this.#around(message), before));
    this.#texts.set(message.id, message.content);
  }

  async #reaction(reaction: Reaction, id: string, isRemoved: boolean): Promise<void> {
    const { host, self, places, ours } = this.#parts;
    if (reaction.user_id === self.id) return;
    const place = await places.find(reaction.channel_id, reaction.guild_id);
    const chat = chatOf(place, reaction.user_id, places.guildName(place.guildId));
    const author = ours.get(reaction.message_id)
      ? self.id
      : (reaction.message_author_id ?? (await places.authorOf(reaction.channel_id, reaction.message_id)));
    const facts = { id, at: host.clock.now(), isRemoved, onOurs: author === self.id };
    await this.#handOver(parseReaction(reaction, { self, chat }, facts));
  }

  async #around(message: MessagePayload): Promise<MessageContext> {
    const { self, places } = this.#parts;
    const place = await places.find(message.channel_id, message.guild_id);
    const asksForRole = place.guildId !== undefined && message.mention_roles.length > 0;
    const ownRole = asksForRole ? await places.ownRole(place.guildId) : undefined;
    return {
      self,
      chat: chatOf(place, message.author.id, places.guildName(place.guildId)),
      ...(ownRole ? { ownRole } : {}),
    };
  }

  async #handOver(parsed: ParsedEvent): Promise<Received | undefined> {
    const { host } = this.#parts;
    if (parsed.kind === "event") return host.receive(parsed.event satisfies ChannelEvent);
    host.log.debug("passed over", { why: parsed.why });
    return undefined;
  }
}
