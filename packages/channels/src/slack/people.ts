// Looks up what people and places are called, and keeps it for a while. Names are for showing; nothing is decided by them.
import * as z from "zod";
import { once, type ChatKind, type Clock } from "@chela/sdk";
import { Recent } from "@chela/sdk/channel-kit";
import type { SlackApi } from "./api.ts";

interface Conversation {
  readonly kind?: ChatKind;
  readonly title?: string;
}

export interface People {
  /** Names of those ids that have one. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  conversation(channelId: string): Promise<Conversation>;
}

export const User = once(() =>
  z.object({
    id: z.string(),
    name: z.string().optional(),
    real_name: z.string().optional(),
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
  }),
);
type SlackUser = z.output<ReturnType<typeof User>>;

export const Channel = once(() =>
  z.object({
    id: z.string(),
    name: z.string().optional(),
    is_im: z.boolean().optional(),
    is_mpim: z.boolean().optional(),
    is_channel: z.boolean().optional(),
    is_group: z.boolean().optional(),
    is_archived: z.boolean().optional(),
  }),
);
type SlackChannelInfo = z.output<ReturnType<typeof Channel>>;

const KEPT_MS = 60 * 60_000;
/** Somebody without the needed scope shall not ask for each message again. */
const KEPT_UNKNOWN_MS = 10 * 60_000;
const MOST_KEPT = 2_000;
const MOST_NAMES_A_MESSAGE = 8;
const PATIENCE_MS = 2_000;

export function createPeople(api: SlackApi, clock: Clock): People {
  const names = new Remembered<string | undefined>(clock, async (id) => {
    const asked = await api.ask("users.info", { user: id }, z.object({ user: User() }));
    return asked.kind === "answered" ? displayName(asked.answer.user) : undefined;
  });
  const conversations = new Remembered<Conversation | undefined>(clock, async (id) => {
    const asked = await api.ask("conversations.info", { channel: id }, z.object({ channel: Channel() }));
    return asked.kind === "answered" ? conversationOf(asked.answer.channel) : undefined;
  });
  return {
    async namesOf(userIds) {
      const people = [...new Set(userIds)].filter((id) => /^[UW]/.test(id)).slice(0, MOST_NAMES_A_MESSAGE);
      const found = await Promise.all(people.map(async (id) => [id, await names.get(id)] as const));
      return new Map(found.flatMap(([id, name]) => (name ? [[id, name]] : [])));
    },
    conversation: async (channelId) => (await conversations.get(channelId)) ?? {},
  };
}

export function displayName(user: SlackUser): string | undefined {
  return user.profile?.display_name || user.profile?.real_name || user.real_name || user.name;
}

function conversationOf(channel: SlackChannelInfo): Conversation {
  const title = channel.is_im || channel.is_mpim || !channel.name ? {} : { title: `#${channel.name}` };
  if (channel.is_im) return { kind: "direct" };
  if (channel.is_mpim) return { kind: "group" };
  return channel.is_channel || channel.is_group ? { kind: "channel", ...title } : title;
}

/** A message waits a moment for a name, never longer; what comes late serves the next one. */
class Remembered<T> {
  readonly #clock: Clock;
  readonly #find: (id: string) => Promise<T | undefined>;
  readonly #kept = new Recent<{ readonly value: Promise<T | undefined>; until: number }>(MOST_KEPT);

  constructor(clock: Clock, find: (id: string) => Promise<T | undefined>) {
    this.#clock = clock;
    this.#find = find;
  }

  async get(id: string): Promise<T | undefined> {
    const known = this.#kept.get(id);
    if (known && known.until > this.#clock.steady()) return this.#soon(known.value);
    const value = this.#find(id);
    const entry = { value, until: this.#clock.steady() + KEPT_MS };
    this.#kept.set(id, entry);
    void value.then((found) => {
      if (found === undefined) entry.until = this.#clock.steady() + KEPT_UNKNOWN_MS;
    });
    return this.#soon(value);
  }

  async #soon(value: Promise<T | undefined>): Promise<T | undefined> {
    const late = Promise.withResolvers<undefined>();
    const cancel = this.#clock.after(PATIENCE_MS, () => late.resolve(undefined));
    try {
      return await Promise.race([value, late.promise]);
    } finally {
      cancel();
    }
  }
}
