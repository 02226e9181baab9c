// Connects one account: who are we, what did we miss, what happens now.
import type { ChannelConnection, ChannelHost, Disconnect } from "@chela/sdk";
import { RecentIds } from "@chela/sdk/channel-kit";
import { GatewayError } from "@chela/sdk";
import { createApi, type MattermostApi } from "./api.ts";
import { catchUp } from "./catch-up.ts";
import type { MattermostAccount } from "./config.ts";
import { errorOf } from "./failures.ts";
import { createFiles } from "./files.ts";
import { createInbound } from "./inbound.ts";
import { createNotes } from "./notes.ts";
import { createOperations } from "./operations.ts";
import type { Self } from "./parse.ts";
import { createPeople } from "./people.ts";
import { createPlaces } from "./places.ts";
import { createSender } from "./send.ts";
import { openSocket, type Socket } from "./socket.ts";
import { User } from "./wire.ts";

/** Of posts of ours we know whose they are. */
const MOST_SENT = 2000;

export async function connectMattermost(account: MattermostAccount, host: ChannelHost): Promise<ChannelConnection> {
  const api = createApi(account, host);
  const self = await whoAreWe(api);
  const people = createPeople(api, host.clock);
  const notes = await createNotes(host);
  const sent = new RecentIds(MOST_SENT);
  const unwritten = Promise.withResolvers<Disconnect>();
  let isOver = false;
  const giveUp = (why: string): void => {
    unwritten.resolve({ why });
    socket?.end({ why });
  };
  const inbound = createInbound({ account, host, self, api, people, notes, sent, giveUp });
  const readMissed = async (before: ReadonlyMap<string, number>): Promise<void> => {
    const isWhole = await catchUp({ api, host, notes, inbound, before, isOver: () => isOver });
    await notes.letGo();
    if (!isWhole) giveUp("what was missed cannot be read or written down");
  };
  // Before anything new can come: what came last must not be taken for what was read last.
  const before = notes.hold();
  let socket: Socket | undefined;
  const missed = (): void => void readMissed(notes.hold());
  socket = await openSocket({ account, host, hear: inbound.hear, missed });
  host.alive();
  host.report({ linked: true, connected: true, self: { id: self.id, username: self.username } });
  // Not awaited: whoever writes now must not wait for what was written before in other channels.
  const reading = readMissed(before);

  const ended = Promise.withResolvers<Disconnect>();
  void Promise.race([socket.ended, unwritten.promise]).then((end) => {
    host.report({ connected: false, ...(isOver ? {} : { lastError: end.why }) });
    if (!isOver) ended.resolve(end);
  });
  const places = createPlaces(api, self.id);
  const files = createFiles(api, account.maxMediaBytes);
  const { say, close } = socket;
  return {
    ended: ended.promise,
    async close() {
      isOver = true;
      await close();
      await reading;
      await inbound.idle();
      await notes.save();
    },
    ...createSender({ api, self, places, files, sent, tables: account.tables }),
    ...createOperations({ api, self, places, people }),
    async typing(target) {
      const place = await places.find(target);
      if (place.kind === "failed") return;
      say("user_typing", { channel_id: place.answer, parent_id: target.threadId ?? "" });
    },
    download: files.download,
  };
}

async function whoAreWe(api: MattermostApi): Promise<Self> {
  const asked = await api.ask("GET", "/users/me", User());
  if (asked.kind === "answered") return { id: asked.answer.id, username: asked.answer.username };
  const { failure } = asked;
  throw failure.reason === "unauthorised" ? errorOf(failure) : new GatewayError("CHANNEL_OFFLINE", failure.why);
}
