// Slash commands and buttons: received first, acknowledged then, and their "thinking…" taken away when the answer is there.
import { defined } from "@chela/sdk/base";
import type { ChannelHost } from "@chela/sdk";
import type { DiscordApi } from "../api.ts";
import { readButton } from "../buttons.ts";
import { failureOf } from "../failure.ts";
import { acknowledgementOf, isCommand, isPress, parseInteraction, senderIdOf, timeOfId } from "./parse-interaction.ts";
import type { Interaction } from "./payload.ts";
import { chatOf, placeOf, type Place } from "../place.ts";
import type { Places } from "../places.ts";

export interface Acknowledgement {
  readonly body: ReturnType<typeof acknowledgementOf>;
  /** To be called when Discord has the acknowledgement: takes "thinking…" away where no answer will come. */
  sent(): Promise<void>;
}

interface OpenCommand {
  readonly applicationId: string;
  readonly token: string;
  readonly until: number;
}

/** Discord forgets the token of an interaction after a quarter of an hour. */
const TOKEN_MS = 15 * 60 * 1000;

export class Interactions {
  readonly #host: ChannelHost;
  readonly #api: DiscordApi;
  readonly #places: Places;
  readonly #isEphemeral: boolean;
  /** Commands that show "thinking…", by the channel they were given in. */
  readonly #open = new Map<string, OpenCommand[]>();

  constructor(parts: { host: ChannelHost; api: DiscordApi; places: Places; isEphemeral: boolean }) {
    this.#host = parts.host;
    this.#api = parts.api;
    this.#places = parts.places;
    this.#isEphemeral = parts.isEphemeral;
  }

  /** One that came over the gateway connection. Rejects only when it could not be received. */
  async take(interaction: Interaction): Promise<void> {
    const acknowledgement = await this.receive(interaction);
    if (!acknowledgement) return;
    const route = `/interactions/${interaction.id}/${encodeURIComponent(interaction.token)}/callback` as const;
    try {
      await this.#api.call("POST", route, { body: acknowledgement.body, auth: false });
    } catch (error) {
      this.#host.log.warn("an interaction could not be acknowledged", { why: failureOf(error).why });
      return;
    }
    await acknowledgement.sent();
  }

  /** What to answer Discord; undefined for kinds that want no answer of ours. */
  async receive(interaction: Interaction): Promise<Acknowledgement | undefined> {
    const senderId = senderIdOf(interaction);
    if (!senderId || (!isCommand(interaction) && !isPress(interaction))) return undefined;
    const place = await this.#placeOf(interaction);
    const customId = interaction.data?.custom_id;
    const data = customId === undefined ? undefined : await readButton(customId, this.#host);
    const parsed = parseInteraction(interaction, {
      chat: chatOf(place, senderId, this.#places.guildName(place.guildId)),
      at: timeOfId(interaction.id),
      ...defined({ data }),
    });
    const isAnswered = parsed.kind === "event" && (await this.#host.receive(parsed.event)).kind === "accepted";
    if (isCommand(interaction)) this.#keepOpen(interaction);
    return {
      body: acknowledgementOf(interaction, this.#isEphemeral),
      sent: async () => {
        if (!isAnswered) await this.settle(place.id);
      },
    };
  }

  /** Something was said in this channel: whoever gave a command there has their answer. */
  async settle(channelId: string): Promise<void> {
    const open = this.#open.get(channelId);
    if (!open) return;
    this.#open.delete(channelId);
    const now = this.#host.clock.steady();
    for (const { applicationId, token, until } of open) {
      if (until <= now) continue;
      const route = `/webhooks/${applicationId}/${encodeURIComponent(token)}/messages/@original` as const;
      await this.#api.call("DELETE", route, { auth: false }).catch((error: unknown) => {
        this.#host.log.debug("a command's waiting sign could not be taken away", { why: failureOf(error).why });
      });
    }
  }

  #keepOpen({ application_id, token, channel_id }: Interaction): void {
    if (channel_id === undefined) return;
    const until = this.#host.clock.steady() + TOKEN_MS;
    this.#open.set(channel_id, [
      ...(this.#open.get(channel_id) ?? []),
      { applicationId: application_id, token, until },
    ]);
  }

  async #placeOf({ channel, channel_id, guild_id, id }: Interaction): Promise<Place> {
    if (channel?.type !== undefined) return placeOf(channel, guild_id);
    return channel_id === undefined ? { id, type: undefined } : this.#places.find(channel_id, guild_id);
  }
}
