// Looks up people and channels by their ids, and remembers them for a while.
import type { Clock } from "@chela/sdk";
import { isMattermostId } from "./address.ts";
import type { MattermostApi } from "./api.ts";
import { MattermostChannel, User, type ChannelInfo, type MattermostUser } from "./wire.ts";

export interface People {
  user(id: string): Promise<MattermostUser | undefined>;
  channel(id: string): Promise<ChannelInfo | undefined>;
}

const KEEP_MS = 10 * 60_000;
const MOST_KNOWN = 2000;

export function createPeople(api: MattermostApi, clock: Clock): People {
  const users = new Map<string, Known<MattermostUser>>();
  const channels = new Map<string, Known<ChannelInfo>>();
  const look = async <T>(
    known: Map<string, Known<T>>,
    id: string,
    ask: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const found = known.get(id);
    if (found && found.until > clock.steady()) return found.value;
    const value = isMattermostId(id) ? await ask() : undefined;
    if (value === undefined) return undefined;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(id, { value, until: clock.steady() + KEEP_MS });
    return value;
  };
  return {
    user: (id) =>
      look(users, id, async () => {
        const asked = await api.ask("GET", `/users/${id}`, User());
        return asked.kind === "answered" ? asked.answer : undefined;
      }),
    channel: (id) =>
      look(channels, id, async () => {
        const asked = await api.ask("GET", `/channels/${id}`, MattermostChannel());
        return asked.kind === "answered" ? asked.answer : undefined;
      }),
  };
}

interface Known<T> {
  readonly value: T;
  readonly until: number;
}

export function displayNameOf(user: MattermostUser): string {
  const full = [user.first_name, user.last_name].filter(Boolean).join(" ");
  return user.nickname || full || user.username;
}
