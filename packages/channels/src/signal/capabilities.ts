// Actions on Signal besides sending: reactions, receipts, deleting, people and groups, files.
import { GatewayError, type ChannelConnection, type DirectoryEntry, type Target } from "@chela/sdk";
import { idsOf, recipientOf, type Recipient } from "./address.ts";
import { readMessageId, type MessageName } from "./message-id.ts";
import { expectDone } from "./rpc.ts";
import { ownAccount, type SendParts } from "./send.ts";
import { AttachmentData, Contacts, Groups, type Contact } from "./wire.ts";

type Capabilities = Pick<
  ChannelConnection,
  "unsend" | "react" | "typing" | "markRead" | "directory" | "resolveName" | "download" | "probe"
>;

const DOWNLOAD_MS = 120_000;
const PIECE_BYTES = 256 * 1024;

export function capabilitiesOf(parts: SendParts, self: () => Readonly<Record<string, string>>): Capabilities {
  const { rpc, account } = parts;
  const call = async (method: string, params: object, what: string): Promise<unknown> =>
    expectDone(await rpc.call(method, { ...ownAccount(parts), ...params }), what);

  const groups = async () => {
    const read = Groups().safeParse(await call("listGroups", {}, "the groups cannot be listed"));
    return read.success ? read.data.filter(({ isMember }) => isMember) : [];
  };
  const users = async (): Promise<DirectoryEntry[]> => {
    const read = Contacts().safeParse(await call("listContacts", {}, "the contacts cannot be listed"));
    return (read.success ? read.data : []).flatMap((contact) => toEntry(contact) ?? []);
  };
  const groupEntries = async (): Promise<DirectoryEntry[]> =>
    (await groups()).map(({ id, name }) => ({ kind: "group", id: `group:${id}`, ...(name ? { name } : {}) }));

  return {
    async unsend(target, messageId) {
      const { timestamp } = requireMessage(messageId);
      const params = { ...requireRecipient(target), targetTimestamp: timestamp };
      await call("remoteDelete", params, "the message cannot be deleted");
    },
    async react(target, messageId, emoji, isRemoved) {
      const { timestamp, author } = requireMessage(messageId);
      const targetAuthor = author ?? parts.number();
      if (targetAuthor === undefined) throw new GatewayError("CHANNEL_TARGET", "it is not known whose message this is");
      const params = { emoji, targetAuthor, targetTimestamp: timestamp, ...(isRemoved ? { remove: true } : {}) };
      await call("sendReaction", { ...requireRecipient(target), ...params }, "the reaction was not taken");
    },
    async typing(target) {
      await call("sendTyping", requireRecipient(target), "the typing sign was not taken");
    },
    // Whoever did not ask for receipts sends none.
    ...(account.sendsReadReceipts
      ? {
          async markRead(_target: Target, messageId: string): Promise<void> {
            const { timestamp, author } = requireMessage(messageId);
            if (author === undefined) return;
            const params = { recipient: author, targetTimestamp: timestamp, type: "read" };
            await call("sendReceipt", params, "the receipt was not taken");
          },
        }
      : {}),
    directory: {
      self: async () => ({ kind: "user", id: self()["id"] ?? self()["number"] ?? "" }),
      users: async (query, limit) => search(await users(), query, limit),
      groups: async (query, limit) => search(await groupEntries(), query, limit),
      async members(groupId, limit) {
        const id = groupId.replace(/^group:/, "");
        const group = (await groups()).find((one) => one.id === id);
        if (!group) throw new GatewayError("CHANNEL_TARGET", `there is no group ${groupId}`);
        const members = group.members.flatMap((member) => {
          const [first] = idsOf(typeof member === "string" ? { number: member, uuid: member } : member);
          return first === undefined ? [] : [{ kind: "user" as const, id: first }];
        });
        return members.slice(0, limit);
      },
    },
    async resolveName(name, kind) {
      const entries = kind === "group" ? await groupEntries() : await users();
      const named = entries.filter((entry) => entry.name === name || entry.username === name);
      return named.length === 1 ? named[0]?.id : undefined;
    },
    download: (ref, signal) => download(parts, ref, signal),
    async probe() {
      const result = await call("version", {}, "signal-cli does not answer");
      return typeof result === "object" && result !== null ? { ...result } : {};
    },
  };
}

function requireRecipient(target: Target): Recipient {
  const recipient = recipientOf(target);
  if (recipient) return recipient;
  throw new GatewayError("CHANNEL_TARGET", `"${target.to}" is no Signal address`);
}

function requireMessage(messageId: string): MessageName {
  const name = readMessageId(messageId);
  if (name) return name;
  throw new GatewayError("CHANNEL_TARGET", `"${messageId}" is no message on Signal`);
}

function toEntry(contact: Contact): DirectoryEntry | undefined {
  const [id] = idsOf(contact);
  if (id === undefined) return undefined;
  const profile = [contact.profile?.givenName, contact.profile?.familyName].filter(Boolean).join(" ");
  const name = contact.name || profile;
  return { kind: "user", id, ...(name ? { name } : {}), ...(contact.username ? { username: contact.username } : {}) };
}

function search(entries: readonly DirectoryEntry[], query: string, limit: number): DirectoryEntry[] {
  const wanted = query.trim().toLowerCase();
  const fits = ({ id, name, username }: DirectoryEntry) =>
    [id, name, username].some((text) => text?.toLowerCase().includes(wanted));
  return entries.filter((entry) => wanted === "" || fits(entry)).slice(0, limit);
}

/** Signal-cli hands a file out as one text, so how long that may be is limited before it comes. */
async function download(parts: SendParts, ref: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const call = callFor(ref);
  if (!call) throw new GatewayError("MEDIA_FETCH", "this file is not one of Signal");
  const maxBytes = Math.ceil((parts.account.maxMediaBytes * 4) / 3) + 4096;
  const options = { timeoutMs: DOWNLOAD_MS, signal, maxBytes };
  const outcome = await parts.rpc.call(call.method, { ...ownAccount(parts), ...call.params }, options);
  const read = AttachmentData().safeParse(expectDone(outcome, "the file cannot be fetched"));
  if (!read.success) throw new GatewayError("MEDIA_FETCH", "signal-cli did not hand out the file");
  return inPieces(Buffer.from(read.data.data, "base64"));
}

function callFor(ref: string): { readonly method: string; readonly params: object } | undefined {
  const [word, id, rest = ""] = ref.split(" ");
  if (!id) return undefined;
  if (word === "sticker") return { method: "getSticker", params: { packId: id, stickerId: Number(rest) } };
  if (word !== "attachment") return undefined;
  const recipient = recipientOf({ to: rest });
  // Here it wants one person, and not a list.
  const from = recipient && "recipient" in recipient ? { recipient: recipient.recipient[0] } : recipient;
  return { method: "getAttachment", params: { id, ...from } };
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}
