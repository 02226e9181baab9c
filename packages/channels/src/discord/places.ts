// Facts about guilds and channels: told by the gateway connection, asked for where that said nothing.
import * as z from "zod";
import type { DiscordApi } from "./api.ts";
import { failureOf } from "./failure.ts";
import { Channel, Guild, Member, Message, Roles, type Channel as ChannelPayload } from "./receive/payload.ts";
import { isThread, placeOf, type Place } from "./place.ts";

const MOST_GUILDS_ASKED = 50;

export class Places {
  readonly #api: DiscordApi;
  readonly #selfId: string;
  readonly #places = new Map<string, Place>();
  readonly #guildNames = new Map<string, string>();
  /** By guild; "" where the guild has no role of ours. */
  readonly #ownRoles = new Map<string, string>();
  /** Whether all guilds are known. */
  #isTold = false;

  constructor(api: DiscordApi, selfId: string) {
    this.#api = api;
    this.#selfId = selfId;
  }

  /** Takes in what a dispatch says about places; others are passed over. */
  note(type: string, data: unknown): void {
    switch (type) {
      case "READY":
        this.#isTold = true;
        return;
      case "GUILD_CREATE":
      case "GUILD_UPDATE":
        return this.#noteGuild(data);
      case "CHANNEL_CREATE":
      case "CHANNEL_UPDATE":
      case "THREAD_CREATE":
      case "THREAD_UPDATE": {
        const read = Channel().safeParse(data);
        if (read.success) this.#notePlace(read.data);
        return;
      }
      case "CHANNEL_DELETE":
      case "THREAD_DELETE": {
        const read = Channel().safeParse(data);
        if (read.success) this.#places.delete(read.data.id);
        return;
      }
      case "GUILD_DELETE": {
        const read = Guild().safeParse(data);
        if (read.success) this.#forgetGuild(read.data.id);
        return;
      }
    }
  }

  /** Every guild we are in, with its name. */
  async guilds(): Promise<ReadonlyMap<string, string>> {
    await this.#askOnce();
    return this.#guildNames;
  }

  /** Channels of guilds; threads are left out. */
  async rooms(): Promise<Place[]> {
    await this.#askOnce();
    return [...this.#places.values()].filter((place) => place.guildId !== undefined && !isThread(place));
  }

  guildName(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#guildNames.get(id);
  }

  /** Rejects only when Discord cannot be asked: then whatever needs the answer has to wait. */
  async find(id: string, guildId?: string): Promise<Place> {
    const known = this.#places.get(id);
    if (known) return known;
    try {
      return this.#notePlace(Channel().parse(await this.#api.call("GET", `/channels/${id}`)), guildId);
    } catch (error) {
      const { reason } = failureOf(error);
      // A place we may not look at is of no known kind, and treated with the stricter rules.
      if (reason !== "unreachable" && reason !== "rejected") throw error;
      return { id, type: undefined, ...(guildId ? { guildId } : {}) };
    }
  }

  /** The role Discord made for us in a guild. */
  async ownRole(guildId: string): Promise<string | undefined> {
    if (!this.#ownRoles.has(guildId)) {
      const roles = Roles().safeParse(await this.#api.call("GET", `/guilds/${guildId}/roles`).catch(() => []));
      this.#noteRoles(guildId, roles.success ? roles.data : []);
    }
    return this.#ownRoles.get(guildId) || undefined;
  }

  /** Roles are told with live messages only; for others they are asked for. */
  async member(guildId: string, userId: string): Promise<Member | undefined> {
    const read = Member().safeParse(
      await this.#api.call("GET", `/guilds/${guildId}/members/${userId}`).catch(() => undefined),
    );
    return read.success ? read.data : undefined;
  }

  async authorOf(channelId: string, messageId: string): Promise<string | undefined> {
    const answer = await this.#api.call("GET", `/channels/${channelId}/messages/${messageId}`).catch(() => undefined);
    const read = Message().safeParse(answer);
    return read.success ? read.data.author.id : undefined;
  }

  /** A session that was resumed does not tell again what the one before was told. */
  async #askOnce(): Promise<void> {
    if (this.#isTold) return;
    const guilds = z.array(Guild()).parse(await this.#api.call("GET", "/users/@me/guilds", { query: { limit: 200 } }));
    for (const guild of guilds) this.#noteGuild(guild);
    for (const { id } of guilds.slice(0, MOST_GUILDS_ASKED)) {
      const channels = z.array(Channel()).parse(await this.#api.call("GET", `/guilds/${id}/channels`));
      for (const channel of channels) this.#notePlace(channel, id);
    }
    this.#isTold = true;
  }

  #forgetGuild(id: string): void {
    this.#ownRoles.delete(id);
    this.#guildNames.delete(id);
    for (const [placeId, place] of this.#places) if (place.guildId === id) this.#places.delete(placeId);
  }

  #noteGuild(data: unknown): void {
    const read = Guild().safeParse(data);
    if (!read.success) return;
    const { id, name, channels, threads, roles } = read.data;
    if (name) this.#guildNames.set(id, name);
    for (const channel of [...channels, ...threads]) this.#notePlace(channel, id);
    if (roles.length > 0) this.#noteRoles(id, roles);
  }

  #notePlace(channel: ChannelPayload, guildId?: string): Place {
    const place = placeOf(channel, guildId);
    this.#places.set(channel.id, place);
    return place;
  }

  #noteRoles(
    guildId: string,
    roles: ReadonlyArray<{ id: string; tags?: { bot_id?: string | undefined } | undefined }>,
  ): void {
    this.#ownRoles.set(guildId, roles.find(({ tags }) => tags?.bot_id === this.#selfId)?.id ?? "");
  }
}
