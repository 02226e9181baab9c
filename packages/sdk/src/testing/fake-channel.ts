// A channel without a platform: a test says what people write there, and reads what was sent to them.
import type {
  Channel,
  ChannelConnection,
  ChannelContent,
  ChannelEvent,
  ChannelHost,
  ChannelTraits,
  Disconnect,
  OutboundMessage,
  Received,
  SendOutcome,
  Target,
} from "../channel.ts";
import { commonPolicy } from "../channel-policy.ts";

export interface FakeSent extends OutboundMessage {
  readonly account: string;
  readonly messageId: string;
  /** What it says now, after edits. */
  text: string;
  isUnsent?: boolean;
}

export interface FakeChannelOptions {
  readonly id?: string;
  readonly traits?: Partial<ChannelTraits>;
  /** Capabilities to leave out or to replace. */
  readonly without?: ReadonlyArray<keyof ChannelConnection>;
}

export interface SaidOptions {
  readonly id?: string;
  readonly account?: string;
  readonly from?: string;
  readonly name?: string;
  readonly chat?: Partial<ChannelEvent["chat"]>;
  readonly roles?: readonly string[];
  readonly isBot?: boolean;
  readonly at?: number;
  readonly content?: ChannelContent;
  readonly more?: Partial<Extract<ChannelContent, { kind: "message" }>>;
}

export interface FakeChannel {
  readonly channel: Channel;
  /** Everything the channel was asked to send, in order. */
  readonly sent: readonly FakeSent[];
  /** Everything else it was asked to do, such as `typing 5` or `react m1 👀`. */
  readonly done: readonly string[];
  /** Somebody writes; resolves when the gateway has decided. */
  say(text: string, options?: SaidOptions): Promise<Received>;
  /** Resolves when this many messages were sent. */
  until(count: number): Promise<readonly FakeSent[]>;
  /** Resolves when something that fits was done. */
  untilDone(fits: (deed: string) => boolean): Promise<string>;
  /** What becomes of the next messages; then they are sent again. */
  failNext(...outcomes: SendOutcome[]): void;
  /** Breaks the connection of an account. */
  cut(why?: Disconnect, account?: string): void;
  /** Files people send along, by their `ref`. */
  readonly files: Map<string, Uint8Array>;
  isConnected(account?: string): boolean;
  untilConnected(account?: string): Promise<void>;
}

interface Line {
  readonly host: ChannelHost;
  readonly end: (why: Disconnect) => void;
}

export function createFakeChannel(options: FakeChannelOptions = {}): FakeChannel {
  const id = options.id ?? "fake";
  const sent: FakeSent[] = [];
  const done: string[] = [];
  const lines = new Map<string, Line>();
  const failures: SendOutcome[] = [];
  const files = new Map<string, Uint8Array>();
  const waiting = new Set<() => void>();
  let counter = 0;
  const wake = (): void => [...waiting].forEach((look) => look());
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const again = (): void => {
        const found = look();
        if (found === undefined) return;
        waiting.delete(again);
        resolve(found);
      };
      waiting.add(again);
      again();
    });
  const note = (deed: string): void => {
    done.push(deed);
    wake();
  };
  const find = (messageId: string): FakeSent | undefined => sent.find((one) => one.messageId === messageId);

  function connect(host: ChannelHost): ChannelConnection {
    const { promise, resolve } = Promise.withResolvers<Disconnect>();
    const { account } = host;
    lines.set(account, { host, end: resolve });
    host.report({ self: { id: `bot-${account}` } });
    wake();
    const connection: ChannelConnection = {
      ended: promise,
      close: async () => void lines.delete(account),
      async send(message) {
        const failure = failures.shift();
        if (failure && failure.kind === "failed") return failure;
        const messageId = `out-${(counter += 1)}`;
        sent.push({ ...message, account, messageId, text: textOf(message) });
        wake();
        return failure ?? { kind: "sent", messageId };
      },
      async edit(_target, messageId, markdown) {
        const message = find(messageId);
        if (!message) return { kind: "failed", reason: "rejected", why: "there is no such message" };
        message.text = markdown;
        note(`edit ${messageId} ${markdown}`);
        return { kind: "sent", messageId };
      },
      async unsend(_target, messageId) {
        const message = find(messageId);
        if (message) message.isUnsent = true;
        note(`unsend ${messageId}`);
      },
      react: async (_target, messageId, emoji, isRemoved) =>
        note(`${isRemoved ? "unreact" : "react"} ${messageId} ${emoji}`),
      typing: async ({ to }) => note(`typing ${to}`),
      pin: async (_target, messageId, isRemoved) => note(`${isRemoved ? "unpin" : "pin"} ${messageId}`),
      createThread: async ({ to }, name) => (note(`thread ${to} ${name}`), { to, threadId: `t-${name}` }),
      directory: { self: async () => ({ kind: "user", id: `bot-${account}` }) },
      resolveName: async (name) => (name.startsWith("known-") ? name.slice("known-".length) : undefined),
      async download(ref) {
        const bytes = files.get(ref);
        if (!bytes) throw new Error("there is no such file");
        return (async function* () {
          yield bytes;
        })();
      },
    };
    const left = Object.entries(connection).filter(
      ([name]) => !options.without?.includes(name as keyof ChannelConnection),
    );
    return Object.fromEntries(left) as unknown as ChannelConnection;
  }

  const channel: Channel = {
    id,
    label: "Fake",
    traits: {
      chats: ["direct", "group", "channel", "thread"],
      textLimit: 1000,
      measure: (markdown) => markdown.length,
      dedupe: "none",
      ...options.traits,
    },
    configure: (settings) =>
      typeof settings === "object" && settings !== null && "token" in settings
        ? { kind: "configured", account: settings.token, about: { mode: "socket", tokenSource: "config" } }
        : { kind: "incomplete", why: "token is missing" },
    policy: commonPolicy,
    readId: (written) => {
      const text = written.trim();
      if (text === "") return { kind: "unusable", why: "it is empty" };
      return text.startsWith("@") ? { kind: "name", name: text.slice(1) } : { kind: "id", id: text };
    },
    readTarget: (written) =>
      written.trim() === ""
        ? { kind: "unusable", why: "it is empty" }
        : {
            kind: "target",
            target: { to: written },
            chat: { kind: written.startsWith("g") ? "group" : "direct", id: written },
          },
    start: async (_account, host) => connect(host),
  };

  return {
    channel,
    sent,
    done,
    files,
    say(text, said = {}) {
      const line = lines.get(said.account ?? "default");
      if (!line) throw new Error("the account is not connected");
      return line.host.receive(eventOf(text, said, `in-${(counter += 1)}`));
    },
    until: (count) => until(() => (sent.length >= count ? sent : undefined)),
    untilDone: (fits) => until(() => done.find(fits)),
    failNext: (...outcomes) => void failures.push(...outcomes),
    cut(why = { why: "it was cut" }, account = "default") {
      lines.get(account)?.end(why);
    },
    isConnected: (account = "default") => lines.has(account),
    untilConnected: async (account = "default") => void (await until(() => lines.get(account))),
  };
}

function eventOf(text: string, said: SaidOptions, messageId: string): ChannelEvent {
  const from = said.from ?? "alice";
  const chat = { kind: "direct" as const, id: from, ...said.chat };
  const target: Target = { to: chat.id, ...(chat.threadId === undefined ? {} : { threadId: chat.threadId }) };
  return {
    id: said.id ?? messageId,
    messageId,
    at: said.at ?? 1_700_000_000_000,
    chat,
    sender: {
      id: from,
      name: said.name ?? from,
      ...(said.roles ? { roles: said.roles } : {}),
      ...(said.isBot ? { isBot: true } : {}),
    },
    replyTarget: target,
    content: said.content ?? { kind: "message", text, mentionsUs: false, ...said.more },
  };
}

function textOf({ content }: OutboundMessage): string {
  if (content.kind === "text") return content.markdown;
  return content.kind === "media" ? (content.caption ?? "") : content.poll.question;
}
