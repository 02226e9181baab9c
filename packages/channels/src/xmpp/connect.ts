// One connection to a server, from the login to the end: puts the parts together.
import { GatewayError, type ChannelConnection, type ChannelHost, type Disconnect } from "@chela/sdk";
import { every } from "@chela/sdk/base";
import { createAbilities } from "./abilities.ts";
import { createArchive } from "./receive/archive.ts";
import { catchUp } from "./receive/catch-up.ts";
import type { XmppAccount } from "./config.ts";
import { createInbound } from "./receive/inbound.ts";
import { createRecentMessages } from "./receive/recent-messages.ts";
import { createRealNames } from "./real-names.ts";
import { createStanzaReader } from "./receive/inbound-stanzas.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import { readCredentials } from "./secrets.ts";
import { createSender } from "./send.ts";
import { findServices, type Services } from "./server/services.ts";
import { NS } from "./server/stanza.ts";
import { openStream, type Stream } from "./server/stream.ts";
import { createUpload } from "./upload.ts";

const PING_EVERY_MS = 25_000;
const PING_MS = 15_000;

export async function connectXmpp(account: XmppAccount, host: ChannelHost): Promise<ChannelConnection> {
  const stream = await openStream(account, await readCredentials(account), host.clock);
  host.alive();
  try {
    const services = await findServices(stream, account.domain);
    const parts = await createParts(account, host, stream, services);
    await settleIn(parts, host);
    if (stream.isOver()) throw new GatewayError("CHANNEL_OFFLINE", `XMPP, ${(await stream.ended).why}`);
    return connectionOf(parts, host);
  } catch (error) {
    await stream.close();
    throw error;
  }
}

type Parts = Awaited<ReturnType<typeof createParts>>;

/** Everybody listens before we say that we are there: messages that waited come at once. */
async function createParts(account: XmppAccount, host: ChannelHost, stream: Stream, services: Services) {
  const self = account.jid;
  const memory = createRecentMessages();
  const archive = createArchive(stream, self, () => host.ids.uuid());
  const inbound = createInbound(host, (why) => stream.end({ why }));
  const realNames = await createRealNames(host);
  const upload = createUpload(stream, host, services.upload);
  const isInRoom = (jid: string): boolean => rooms.isIn(jid);
  const sender = createSender({ host, stream, memory, tables: account.tables, upload, isInRoom });
  const { stampsIds } = services;
  const reader = createStanzaReader({
    host,
    self,
    stampsIds,
    stream,
    archive,
    inbound,
    memory,
    sender,
    rooms: () => rooms,
  });
  const catchUpWith = async (jid: string, hasArchive: boolean): Promise<void> => {
    const room = jid === self ? undefined : jid;
    const take = (item: Parameters<typeof reader.takeArchived>[1]) => reader.takeArchived(jid, item);
    const now = (): number => host.clock.now();
    const isWhole = !hasArchive || (await catchUp({ jid, room, archive, inbound, log: host.log, now, take }));
    if (!isWhole) return stream.end({ why: `the archive of ${jid} does not answer` });
    inbound.caughtUp(jid);
  };
  const guarded = (jid: string, hasArchive: boolean): Promise<void> =>
    catchUpWith(jid, hasArchive).catch((error: unknown) => {
      host.log.warn("what was written while we were away cannot be taken up", { error: String(error) });
      stream.end({ why: "messages cannot be written down" });
    });
  const rooms: Rooms = createRooms({
    wanted: account.rooms,
    stream,
    host,
    realNames,
    historySince: async (jid) => (await inbound.cursorOf(jid))?.at,
    joining: inbound.holdBack,
    async joined(jid) {
      await realNames.save();
      await guarded(jid, rooms.hasArchive(jid));
    },
  });
  return { account, stream, services, memory, archive, inbound, realNames, sender, reader, rooms, catchUp: guarded };
}

async function settleIn(
  { account, stream, services, reader, rooms, catchUp }: Parts,
  host: ChannelHost,
): Promise<void> {
  stream.listen(reader.hear);
  await stream.send(stream.xml("presence"));
  await Promise.all([catchUp(account.jid, services.hasArchive), rooms.joinAll()]);
  host.alive();
}

function connectionOf(parts: Parts, host: ChannelHost): ChannelConnection {
  const { account, stream, rooms, inbound, realNames, sender } = parts;
  host.report({ linked: true, connected: true, self: { id: account.jid, name: account.nick, jid: stream.fullJid } });
  const stop = every(host.clock, PING_EVERY_MS, () => ping(parts));
  const ended = Promise.withResolvers<Disconnect>();
  let isClosed = false;
  void stream.ended.then((end) => {
    stop();
    rooms.stop();
    host.report({ connected: false, ...(isClosed ? {} : { lastError: end.why }) });
    if (!isClosed) ended.resolve(end);
  });
  return {
    ended: ended.promise,
    async close() {
      isClosed = true;
      rooms.stop();
      await stream.close();
      await inbound.close();
      await realNames.save();
    },
    send: sender.send,
    ...createAbilities({ ...parts, host }),
  };
}

/** The answer is the sign of life. */
async function ping({ stream, account, realNames }: Parts): Promise<void> {
  await stream.ask("get", stream.xml("ping", { xmlns: NS.ping }), account.domain, PING_MS).catch(() => {});
  await realNames.save();
}
