// Actions of the account besides sending: signs, reactions, taking back, files, groups, and being unlinked.
import type { GroupMetadata, WAMessageKey } from "baileys";
import { GatewayError, type ChannelConnection, type DirectoryEntry, type Target } from "@chela/sdk";
import { isGroupId, jidOf, personId } from "./address.ts";
import type { AuthFiles } from "./link/auth-files.ts";
import { statusOf } from "./link/disconnects.ts";
import { downloadMedia } from "./download.ts";
import type { Groups } from "./groups.ts";
import { failureOfError } from "./send-failure.ts";
import type { SenderParts } from "./send.ts";

export interface CapabilityParts extends SenderParts {
  readonly groups: Groups;
  readonly auth: AuthFiles;
}

type Capabilities = Pick<
  ChannelConnection,
  "typing" | "markRead" | "react" | "unsend" | "directory" | "download" | "probe" | "logout"
>;

export function createCapabilities(parts: CapabilityParts): Capabilities {
  const { socket, host, account, auth } = parts;
  return {
    typing: (target) => attempt(() => socket.sendPresenceUpdate("composing", addressOf(target))),
    markRead: (target, messageId) => attempt(() => socket.readMessages([keyOf(parts, target, messageId)])),
    react: (target, messageId, emoji, isRemoved) =>
      attempt(async () => {
        const key = keyOf(parts, target, messageId);
        await socket.sendMessage(addressOf(target), { react: { text: isRemoved ? "" : emoji, key } });
      }),
    unsend: (target, messageId) =>
      attempt(async () => {
        const jid = addressOf(target);
        await socket.sendMessage(jid, { delete: { remoteJid: jid, fromMe: true, id: messageId } });
      }),
    directory: createDirectory(parts),
    download: (ref, signal) => downloadMedia(ref, account, host, signal),
    async probe() {
      const { id, name } = socket.user ?? {};
      return { isOpen: socket.ws.isOpen, id: personId(id), ...(name ? { name } : {}) };
    },
    async logout() {
      // When WhatsApp cannot be told, the person can still remove the device on the telephone.
      await socket.logout().catch(() => host.log.warn("WhatsApp was not told that the account is unlinked"));
      await auth.forget();
      host.report({ linked: false, connected: false });
    },
  };
}

function addressOf({ to }: Target): string {
  const jid = jidOf(to);
  if (jid) return jid;
  throw new GatewayError("CHANNEL_TARGET", `"${to}" is neither a number such as +4915112345678 nor a group`);
}

/** In a group WhatsApp also wants to know who wrote the message, which only recent ones tell. */
function keyOf({ recent }: CapabilityParts, target: Target, messageId: string): WAMessageKey {
  const known = recent.find(messageId);
  if (known) return known.key;
  const remoteJid = addressOf(target);
  if (isGroupId(remoteJid)) {
    throw new GatewayError(
      "CHANNEL_REFUSED",
      "that message is from before the last connection, and its author unknown",
    );
  }
  return { remoteJid, id: messageId, fromMe: false };
}

async function attempt(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw asGatewayError(error);
  }
}

function asGatewayError(error: unknown): GatewayError {
  if (GatewayError.is(error)) return error;
  const { reason, why } = failureOfError(error);
  const code = reason === "unavailable" || statusOf(error) === undefined ? "CHANNEL_OFFLINE" : "CHANNEL_REFUSED";
  return new GatewayError(code, why, { cause: error });
}

function createDirectory({ socket, groups }: CapabilityParts): NonNullable<ChannelConnection["directory"]> {
  return {
    async self() {
      const { id, name } = socket.user ?? {};
      return { kind: "user", id: personId(id), ...(name ? { name } : {}) };
    },
    async groups(query, limit) {
      const wanted = query.trim().toLowerCase();
      const found = await groups.all(socket).catch((error: unknown) => {
        throw asGatewayError(error);
      });
      return found
        .filter(({ subject }) => subject.toLowerCase().includes(wanted))
        .slice(0, limit)
        .map(({ id, subject }) => ({ kind: "group", id, name: subject }));
    },
    async members(groupId, limit) {
      if (!isGroupId(groupId)) throw new GatewayError("CHANNEL_TARGET", `"${groupId}" is no group on WhatsApp`);
      const group = await groups.find(socket, groupId).catch((error: unknown) => {
        throw asGatewayError(error);
      });
      return group.participants.slice(0, limit).map(asEntry);
    },
  };
}

function asEntry({ id, phoneNumber, name, notify }: GroupMetadata["participants"][number]): DirectoryEntry {
  const shown = name ?? notify;
  return { kind: "user", id: personId(phoneNumber) || personId(id), ...(shown ? { name: shown } : {}) };
}
