// Connects a linked account and ties its parts together.
import { join } from "node:path";
import type { WASocket } from "baileys";
import { GatewayError, type ChannelConnection, type ChannelHost, type Disconnect } from "@chela/sdk";
import { personId, plainJid } from "./address.ts";
import { AuthFiles } from "./link/auth-files.ts";
import { createCapabilities } from "./capabilities.ts";
import type { WhatsAppAccount } from "./config.ts";
import { reasonOf, toFailure } from "./link/disconnects.ts";
import { Groups } from "./groups.ts";
import { InboxJournal } from "./receive/inbox-journal.ts";
import { Inbound } from "./receive/inbound.ts";
import { loadLibrary, type Library } from "./link/library.ts";
import { watchSocket } from "./link/wait-for-open.ts";
import type { Ourselves } from "./receive/parse.ts";
import { RecentMessages } from "./receive/recent-messages.ts";
import { createSender } from "./send.ts";
import { openSocket } from "./link/socket.ts";

/** When the account was linked, in milliseconds; written by `linkAccount`. */
export const LINKED_AT = "linked-at";
/** For accounts that were linked by another program. */
const LOOK_BACK_MS = 24 * 60 * 60 * 1000;

export async function connect(account: WhatsAppAccount, host: ChannelHost): Promise<ChannelConnection> {
  const library = await loadLibrary();
  const directory = account.authDirectory ?? host.directory;
  const auth = await AuthFiles.open(directory, library, host.log);
  if (!auth.isLinked) {
    host.report({ linked: false, connected: false });
    throw new GatewayError(
      "CHANNEL_AUTH",
      "the account is not linked yet; run `chela channels login --channel whatsapp`",
    );
  }
  const since = Number((await host.recall(LINKED_AT)) ?? host.clock.now() - LOOK_BACK_MS);
  const journal = openJournal(join(directory, "inbox.jsonl"));
  try {
    return await openConnection({ account, host, library, auth, journal, since });
  } catch (error) {
    journal.close();
    throw error;
  }
}

function openJournal(path: string): InboxJournal {
  try {
    return new InboxJournal(path);
  } catch (error) {
    throw new GatewayError("CHANNEL_OFFLINE", `${path} cannot be opened, so no message could be kept`, {
      cause: error,
    });
  }
}

interface ConnectionParts {
  readonly account: WhatsAppAccount;
  readonly host: ChannelHost;
  readonly library: Library;
  readonly auth: AuthFiles;
  readonly journal: InboxJournal;
  readonly since: number;
}

async function openConnection(parts: ConnectionParts): Promise<ChannelConnection> {
  const { account, host, library, auth, journal, since } = parts;
  const recent = new RecentMessages();
  const groups = new Groups();
  const socket = openSocket({ library, account, auth, log: host.log, recent, groups: groups.known });
  groups.follow(socket);
  socket.ws.on("frame", () => host.alive());
  const { opened, closed } = watchSocket(socket);
  const inbound = new Inbound({
    library,
    socket,
    host,
    journal,
    recent,
    since,
    sendsReadReceipts: account.sendsReadReceipts,
    us: () => ourselves(socket, account),
    fail: () => void socket.end(new GatewayError("CHANNEL_OFFLINE", "a message could not be written to the disk")),
  });
  // Messages that waited for us come as soon as we are logged in.
  inbound.begin();
  const ended = Promise.withResolvers<Disconnect>();
  let isClosing = false;
  void closed.then(async (error) => {
    if (!isClosing) ended.resolve(await whenClosed(parts, error));
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    inbound.stop();
    await socket.end(undefined);
    await auth.flush().catch(() => host.log.warn("the credentials could not be saved"));
    journal.close();
  };
  try {
    await opened;
  } catch {
    const end = await ended.promise;
    await close();
    throw toFailure(end);
  }
  reportSelf(socket, host);
  const shared = { socket, host, account, recent, groups };
  return { ended: ended.promise, close, ...createSender(shared), ...createCapabilities({ ...shared, auth }) };
}

async function whenClosed({ host, auth }: ConnectionParts, error: unknown): Promise<Disconnect> {
  const { isLoggedOut, ...disconnect } = reasonOf(error);
  host.report({ connected: false, lastError: disconnect.why, ...(isLoggedOut ? { linked: false } : {}) });
  // Nobody takes them any more, and the next link needs fresh ones.
  if (isLoggedOut) await auth.forget().catch(() => host.log.warn("the old credentials could not be removed"));
  return disconnect;
}

function ourselves(socket: WASocket, { takesSelfChat }: WhatsAppAccount): Ourselves {
  const { id, lid } = socket.user ?? {};
  return { jids: [plainJid(id), plainJid(lid)].filter((jid) => jid !== ""), takesSelfChat };
}

function reportSelf({ user }: WASocket, host: ChannelHost): void {
  const self = { id: personId(user?.id), ...(user?.name ? { name: user.name } : {}) };
  host.report({ linked: true, connected: true, self });
}
