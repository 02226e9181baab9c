// Invitations: which are followed is the operator's choice, by who invites and to which room, never by what it is called.
import * as z from "zod";
import { once, type ChannelHost } from "@chela/sdk";
import { isRoomAlias } from "../address.ts";
import { route, type Api } from "../api.ts";
import type { MatrixAccount } from "../config.ts";
import type { Rooms } from "../rooms.ts";
import { StateEvent, type SyncAnswer } from "../wire.ts";

export interface Invites {
  /** Those that are wanted are remembered when this resolves. */
  take(sync: SyncAnswer): Promise<void>;
  /** Follows what is remembered; what fails is tried again the next time. */
  follow(): Promise<void>;
}

const Pending = once(() =>
  z.array(z.object({ roomId: z.string(), inviter: z.string(), isDirect: z.boolean(), tries: z.number() })),
);
type Invitation = z.output<ReturnType<typeof Pending>>[number];

const NAME = "invites";
const MAX_TRIES = 10;
const MAX_PENDING = 200;
const JOIN_TIMEOUT_MS = 60_000;

export async function openInvites(
  account: MatrixAccount,
  host: ChannelHost,
  api: Api,
  rooms: Rooms,
  us: string,
): Promise<Invites> {
  const kept = Pending().safeParse(parse(await host.recall(NAME)));
  let pending: Invitation[] = kept.success ? kept.data : [];
  let following: Promise<void> | undefined;

  const remember = (): Promise<void> => host.remember(NAME, JSON.stringify(pending));

  const follow = async (): Promise<void> => {
    const tried = new Set<string>();
    // Some may come while others are followed.
    for (;;) {
      const invitation = pending.find(({ roomId }) => !tried.has(roomId));
      if (!invitation) return;
      tried.add(invitation.roomId);
      const isOver = await followOne(account, host, api, rooms, invitation);
      pending = pending.flatMap((one) => {
        if (one.roomId !== invitation.roomId) return [one];
        return isOver || one.tries >= MAX_TRIES ? [] : [{ ...one, tries: one.tries + 1 }];
      });
      await remember();
    }
  };
  return {
    async take({ rooms: synced }) {
      if (account.autoJoin === "off") return;
      const fresh = Object.entries(synced?.invite ?? {}).flatMap(([roomId, { invite_state }]) => {
        const invitation = readInvitation(roomId, invite_state?.events ?? [], us);
        return invitation && !pending.some((one) => one.roomId === roomId) ? [invitation] : [];
      });
      if (fresh.length === 0) return;
      pending = [...pending, ...fresh].slice(-MAX_PENDING);
      await remember();
    },
    follow: () =>
      (following ??= follow()
        .catch((error: unknown) => host.log.warn("an invitation could not be followed", { error: String(error) }))
        .finally(() => (following = undefined))),
  };
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
}

function readInvitation(roomId: string, events: readonly unknown[], us: string): Invitation | undefined {
  for (const raw of events) {
    const read = StateEvent().safeParse(raw);
    if (!read.success || read.data.type !== "m.room.member" || read.data.state_key !== us) continue;
    const { membership, is_direct } = read.data.content;
    if (membership !== "invite") continue;
    return { roomId, inviter: read.data.sender, isDirect: is_direct === true, tries: 0 };
  }
  return undefined;
}

/** True when there is nothing left to do about it. */
async function followOne(
  account: MatrixAccount,
  host: ChannelHost,
  api: Api,
  rooms: Rooms,
  { roomId, inviter, isDirect }: Invitation,
): Promise<boolean> {
  if (!(await isWanted(account, api, roomId, inviter))) {
    host.log.info("an invitation was left alone: it is not on autoJoinAllowlist", { roomId, inviter });
    return true;
  }
  // First, so that the first message there is known to be a direct one.
  if (isDirect) await rooms.addDirect(inviter, roomId);
  rooms.forget(roomId);
  const path = route`/client/v3/join/${roomId}`;
  const result = await api.call({ method: "POST", path, body: {}, timeoutMs: JOIN_TIMEOUT_MS });
  if (result.kind === "done") return true;
  host.log.warn("a room could not be joined", { roomId, why: result.why });
  return result.kind === "refused" && result.status < 500 && result.status !== 429;
}

async function isWanted({ autoJoin, autoJoinAllowlist }: MatrixAccount, api: Api, roomId: string, inviter: string) {
  if (autoJoin === "always") return true;
  if (autoJoinAllowlist.some((entry) => entry === "*" || entry === roomId || entry === inviter)) return true;
  for (const alias of autoJoinAllowlist.filter(isRoomAlias)) {
    if ((await resolveAlias(api, alias)) === roomId) return true;
  }
  return false;
}

const Resolved = once(() => z.object({ room_id: z.string() }));

/** By the alias's own server; what a room says it is called proves nothing. */
export async function resolveAlias(api: Api, alias: string): Promise<string | undefined> {
  const result = await api.call({ method: "GET", path: route`/client/v3/directory/room/${alias}` });
  const read = result.kind === "done" ? Resolved().safeParse(result.body) : undefined;
  return read?.success ? read.data.room_id : undefined;
}
