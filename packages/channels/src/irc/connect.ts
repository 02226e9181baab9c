// One connection to a server, from the first line to the last: puts the parts together.
import { GatewayError, type ChannelConnection, type ChannelHost, type Disconnect } from "@chela/sdk";
import { createAbilities, describeSelf } from "./abilities.ts";
import type { IrcAccount } from "./config.ts";
import { createHistory } from "./receive/history.ts";
import { createInbound, CURSOR } from "./receive/inbound.ts";
import { writeLine } from "./server/line.ts";
import { createNickGuard } from "./server/nick.ts";
import { createPeople } from "./people.ts";
import { createLineReader } from "./receive/inbound-lines.ts";
import { register } from "./server/register.ts";
import { createRooms } from "./rooms.ts";
import { readCredentials, readTls, type Credentials } from "./secrets.ts";
import { createSender } from "./send.ts";
import { createWire, type Wire } from "./server/wire.ts";

const PING_EVERY_MS = 25_000;
/** How often a server is asked for what was missed before it is taken for one that does not know. */
const MOST_ATTEMPTS = 5;
const ASK_AGAIN_MS = 30_000;
/** What servers say when services, or another client of ours, ended this connection for the sake of another one. */
const TAKEN_OVER = /\b(?:ghost|regain|recover|nick(?:name)? collision)/i;

export async function connectIrc(account: IrcAccount, host: ChannelHost): Promise<ChannelConnection> {
  const credentials = await readCredentials(account);
  const tls = await readTls(account);
  const since = Number(await host.recall(CURSOR)) || undefined;
  const parts = createParts(account, host, credentials, since);
  const { wire, inbound } = parts;
  try {
    await wire.open({ host: account.host, port: account.port, tls });
    await register({ ...wire, account, credentials, clock: host.clock });
    await settleIn(parts, host, since);
    if (wire.over.aborted) throw new GatewayError("CHANNEL_OFFLINE", `${account.host}: ${await wire.ended}`);
  } catch (error) {
    wire.end("the start failed");
    await inbound.close();
    throw error;
  }
  host.report({ linked: true, connected: true, self: describeSelf({ account, wire }) });
  keepAlive(wire, host);
  const ended = Promise.withResolvers<Disconnect>();
  const abilities = createAbilities({ account, ...parts });
  let isClosed = false;
  void wire.ended.then((why) => {
    host.report({ connected: false, ...(isClosed ? {} : { lastError: why }) });
    if (!isClosed) ended.resolve({ why, ...(TAKEN_OVER.test(why) ? { isConflict: true } : {}) });
  });
  return {
    ended: ended.promise,
    async close() {
      isClosed = true;
      wire.quit();
      await wire.ended;
      await inbound.close();
    },
    async send(message, signal) {
      const found = message.mayHaveArrived ? await abilities.findSent?.(message) : undefined;
      return found ?? parts.sender.send(message, signal);
    },
    ...abilities,
  };
}

type Parts = ReturnType<typeof createParts>;

/** Everybody listens before the first line comes: lines that belong together may come in one packet. */
function createParts(account: IrcAccount, host: ChannelHost, credentials: Credentials, since: number | undefined) {
  const { clock, log } = host;
  const wire: Wire = createWire({
    nick: account.nick,
    clock,
    onLife: () => host.alive(),
    onHistory: (batch) => history.takeBatch(batch),
  });
  const { facts, listeners } = wire;
  const write = wire.writePaced;
  const history = createHistory({ facts, clock, log, write });
  const people = createPeople({ listeners, facts, clock, write });
  const rooms = createRooms({ wanted: account.channels, facts, clock, log, write });
  const nick = createNickGuard({
    account,
    credentials,
    facts,
    listeners,
    clock,
    log,
    write,
    roundTrip: wire.roundTrip,
  });
  const onOverflow = (): void => wire.end("messages cannot be written down, and too many are waiting");
  const inbound = createInbound({ host, since: since ?? clock.now(), onOverflow });
  const isOut = (room: string): boolean => rooms.isWanted(room) && !rooms.isIn(room);
  const sender = createSender({ ...wire, tables: account.tables, host, isOut });
  const receive = createLineReader({ account, host, wire, people, inbound, sender });
  for (const hear of [rooms.hear, nick.hear, history.hear]) listeners.listen(hear);
  listeners.listen((line) => receive(line, false));
  void wire.ended.then(() => {
    rooms.stop();
    nick.stop();
  });
  return { wire, history, people, rooms, nick, inbound, sender, receive };
}

/** After the server has let us in: login with services, channels, and what was written while we were away. */
async function settleIn(parts: Parts, host: ChannelHost, since: number | undefined): Promise<void> {
  const { wire, nick, rooms } = parts;
  const { facts } = wire;
  const botMode = facts.supports("BOT");
  if (botMode) wire.write(writeLine("MODE", [facts.nick, `+${botMode}`]));
  await nick.identify();
  await rooms.joinAll();
  void nick.keep();
  if (since === undefined) await host.remember(CURSOR, String(facts.serverTime() ?? host.clock.now()));
  else if (facts.has("draft/chathistory")) void takeUpMissed(parts, host, since);
}

/** Until all of it is here, what is written now must not count as "received until now". */
async function takeUpMissed(parts: Parts, { clock, log }: ChannelHost, since: number): Promise<void> {
  const { wire, history, inbound, receive } = parts;
  const letGo = inbound.hold(since);
  for (let attempt = 1; !wire.over.aborted; attempt += 1) {
    if (await history.catchUp(since, (line) => receive(line, true))) return letGo();
    if (attempt === MOST_ATTEMPTS) break;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(ASK_AGAIN_MS, resolve);
      void wire.ended.then(() => (cancel(), resolve()));
    });
  }
  if (wire.over.aborted) return;
  log.warn("the server does not say what was written while we were away");
  letGo();
}

function keepAlive(wire: Wire, { clock }: ChannelHost): void {
  const ping = (): (() => void) => {
    wire.write(writeLine("PING", ["chela-alive"]));
    return clock.after(PING_EVERY_MS, () => void (cancel = ping()));
  };
  let cancel = ping();
  void wire.ended.then(() => cancel());
}
