// The gateway connection: the library beats its heart and resumes; when it cannot, the connection is over.
import type { REST } from "@discordjs/rest";
import type * as DiscordGateway from "@discordjs/ws";
import { GatewayError, type ChannelHost, type Disconnect, type ErrorCode } from "@chela/sdk";
import type { DiscordAccount, Presence } from "../config.ts";
import type { Dispatch } from "./inbound.ts";
import type { Progress } from "./progress.ts";

export type GatewayLibrary = typeof DiscordGateway;

export interface LinkParts {
  readonly library: GatewayLibrary;
  readonly rest: REST;
  readonly account: DiscordAccount;
  readonly host: ChannelHost;
  readonly progress: Progress;
  onDispatch(dispatch: Dispatch): void;
  /** A new session began: what was said in between was not told. */
  onFresh(): void;
}

export interface GatewayLink {
  readonly ended: Promise<Disconnect>;
  /** Resolves when Discord is ready for us. */
  connect(): Promise<void>;
  end(disconnect: Disconnect): void;
  close(): Promise<void>;
}

const START_MS = 40_000;
const RECONNECT_MS = 20_000;
const HANDSHAKE_MS = 10_000;
const CLOSE_MS = 2_000;
/** Any code but 1000 and 1001 leaves the session alive, so that the next start can resume it. */
const KEEP_SESSION = 4200;

const INTENTS = { guilds: 1 << 0, members: 1 << 1, presence: 1 << 8, guildMessages: 1 << 9, guildReactions: 1 << 10 };
const PRIVATE_INTENTS = { messages: 1 << 12, reactions: 1 << 13, content: 1 << 15 };

const TOKEN_REFUSED = 4004;
/** Close codes after which trying again is of no use. */
const FINAL = new Map([
  [TOKEN_REFUSED, "Discord does not accept the bot token. Copy a new one from the page Bot of the Developer Portal."],
  [4010, "Discord refuses this way to connect (invalid shard)."],
  [4011, "The bot is in too many servers for one connection."],
  [4012, "Discord does not support this version of its gateway any more. Update chela."],
  [4013, "Discord does not know an intent that was asked for. Check channels.discord.intents."],
  [
    4014,
    "An intent is not switched on: open the Developer Portal, page Bot, and switch on Message Content Intent " +
      "(and Server Members or Presence Intent, if channels.discord.intents asks for them).",
  ],
]);

export function intentsOf(account: Pick<DiscordAccount, "wantsMembers" | "wantsPresence">): number {
  const always = INTENTS.guilds | INTENTS.guildMessages | INTENTS.guildReactions;
  const direct = PRIVATE_INTENTS.messages | PRIVATE_INTENTS.reactions | PRIVATE_INTENTS.content;
  return (
    always | direct | (account.wantsMembers ? INTENTS.members : 0) | (account.wantsPresence ? INTENTS.presence : 0)
  );
}

export function createLink(parts: LinkParts): GatewayLink {
  const { host, progress, account, library } = parts;
  const ended = Promise.withResolvers<Disconnect>();
  const connected = Promise.withResolvers<void>();
  connected.promise.catch(() => undefined);
  let isOver = false;
  let isOpen = false;
  let closeCode: number | undefined;
  let cancelDeadline = (): void => {};

  const manager = new library.WebSocketManager({
    token: account.token,
    rest: parts.rest,
    intents: intentsOf(account),
    shardCount: 1,
    handshakeTimeout: HANDSHAKE_MS,
    helloTimeout: HANDSHAKE_MS,
    initialPresence: account.presence ? presenceOf(account.presence) : null,
    // The library has no other way to be told that it shall not connect again: it waits here for ever.
    retrieveSessionInfo: () => (isOver ? new Promise(() => {}) : (progress.session ?? null)),
    updateSessionInfo: (_shard, session) => {
      if (!isOver) progress.session = session ?? undefined;
    },
  });

  const letGo = async (): Promise<void> => {
    const late = new Promise<void>((resolve) => host.clock.after(CLOSE_MS, resolve));
    await Promise.race([Promise.resolve(manager.destroy({ code: KEEP_SESSION })).catch(() => undefined), late]);
  };
  const end = (disconnect: Disconnect): void => {
    if (isOver) return;
    isOver = true;
    cancelDeadline();
    host.report({ connected: false, lastError: disconnect.why });
    connected.reject(new GatewayError(codeFor(disconnect, closeCode), disconnect.why));
    ended.resolve(disconnect);
    if (isOpen) void letGo();
  };
  const endAfter = (ms: number, why: string): void => {
    cancelDeadline();
    cancelDeadline = host.clock.after(ms, () => end({ why }));
  };
  const isUp = (): void => {
    cancelDeadline();
    host.alive();
    host.report({ linked: true, connected: true });
    connected.resolve();
  };

  const events = library.WebSocketShardEvents;
  manager.on(events.Hello, () => {
    isOpen = true;
    if (isOver) void letGo();
    else host.alive();
  });
  manager.on(events.Ready, () => {
    isUp();
    parts.onFresh();
  });
  manager.on(events.Resumed, isUp);
  manager.on(events.HeartbeatComplete, () => host.alive());
  manager.on(events.Dispatch, ({ t, s, d }) => {
    if (isOver) return;
    host.alive();
    parts.onDispatch({ type: t, sequence: s, data: d });
  });
  manager.on(events.Closed, (code) => {
    isOpen = false;
    if (isOver) return;
    closeCode = code;
    host.report({ connected: false });
    const final = FINAL.get(code);
    if (final !== undefined) end({ why: final, isFinal: true });
    else endAfter(RECONNECT_MS, `Discord closed the connection (${code}) and could not be reached again`);
  });
  // Its text may name addresses; the code is enough.
  manager.on(events.SocketError, (error) => {
    const { code } = error as NodeJS.ErrnoException;
    end({ why: `no connection to Discord${code ? ` (${code})` : ""}` });
  });
  manager.on(events.Error, () => end({ why: "the connection to Discord failed" }));

  return {
    ended: ended.promise,
    end,
    async connect() {
      endAfter(START_MS, "Discord did not answer in time");
      manager.connect().catch(() => end({ why: "the connection to Discord could not be opened" }));
      await connected.promise;
    },
    async close() {
      if (isOver) return;
      isOver = true;
      cancelDeadline();
      host.report({ connected: false });
      if (isOpen) await letGo();
    },
  };
}

function codeFor({ isFinal }: Disconnect, closeCode: number | undefined): ErrorCode {
  if (!isFinal) return "CHANNEL_OFFLINE";
  return closeCode === TOKEN_REFUSED ? "CHANNEL_AUTH" : "CHANNEL_SETTINGS";
}

function presenceOf({ status, activity }: Presence) {
  type Data = NonNullable<ConstructorParameters<GatewayLibrary["WebSocketManager"]>[0]["initialPresence"]>;
  // A custom status is shown by its `state`; other kinds by their name.
  const activities = activity ? [{ ...activity, ...(activity.type === 4 ? { state: activity.name } : {}) }] : [];
  return { status, activities, since: null, afk: false } as unknown as Data;
}
