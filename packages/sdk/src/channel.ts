// The seam for channels: how a messaging platform hands messages to the gateway and takes them from it.
import type { ChannelSection } from "./config/channel-keys.ts";
import type { Lazy } from "./schema.ts";
import type { Clock, Ids, Logger } from "./time.ts";

/** From the platform's own type field. A parser that cannot tell says "group": the stricter rules hold there. */
export type ChatKind = "direct" | "group" | "channel";

/** A place where people talk, by ids that never change. Titles are for showing and decide nothing. */
export interface Chat {
  readonly kind: ChatKind;
  /** Of a direct chat the id of the other person, as in `ChannelSender.id`. */
  readonly id: string;
  /** A thread or topic inside this chat. */
  readonly threadId?: string;
  /** Where a thread is a chat of its own: the chat it belongs to, whose settings and bindings it inherits. */
  readonly parentId?: string;
  readonly guildId?: string;
  readonly teamId?: string;
  readonly title?: string;
}

/** One account of a channel. */
export interface Address {
  readonly channel: string;
  readonly account: string;
}

/** Where a message goes: an address in the channel's own words, such as `123`, `user:123` or `#room`. */
export interface Target {
  readonly to: string;
  readonly threadId?: string;
}

export interface ChannelSender {
  /** The platform's immutable id; "" when there is none, which matches nobody. */
  readonly id: string;
  /** Other immutable ids of the same person, such as a phone number beside an account id. */
  readonly otherIds?: readonly string[];
  readonly name?: string;
  readonly username?: string;
  readonly isBot?: boolean;
  /** Ids of the roles the sender has in the chat's guild. */
  readonly roles?: readonly string[];
}

export type MediaKind = "image" | "audio" | "voice" | "video" | "file" | "sticker";

/** Something attached to a message. It is fetched after the message was let in, and never before. */
export interface InboundMedia {
  readonly kind: MediaKind;
  /** What `download` needs to fetch it, also after a restart. */
  readonly ref: string;
  /** As the sender says; what it really is decide its bytes. */
  readonly mimeType?: string;
  readonly name?: string;
  readonly bytes?: number;
}

/** The message another one answers. Its text is somebody else's word: it is shown only if that sender may speak, too. */
export interface Quoted {
  readonly id: string;
  readonly isOurs: boolean;
  readonly sender?: ChannelSender;
  readonly text?: string;
}

export type ChannelContent =
  | {
      readonly kind: "message";
      readonly text: string;
      readonly media?: readonly InboundMedia[];
      /** Named by the platform's own mark-up. Patterns in the text and answers to our messages are looked for elsewhere. */
      readonly mentionsUs: boolean;
      readonly replyTo?: Quoted;
      readonly forwardedFrom?: string;
      /** Messages with the same one belong together and are answered together. */
      readonly albumId?: string;
    }
  /** A native command: `/name arguments`. It is addressed to us by its nature. */
  | { readonly kind: "command"; readonly text: string }
  /** A button below one of our messages was pressed. */
  | { readonly kind: "button"; readonly data: string; readonly on: string }
  | {
      readonly kind: "reaction";
      readonly emoji: string;
      readonly isRemoved: boolean;
      readonly on: string;
      readonly onOurs: boolean;
    }
  | { readonly kind: "edit"; readonly of: string; readonly text: string }
  /** Something else an agent may want to know: a poll was answered, somebody joined. */
  | { readonly kind: "notice"; readonly text: string };

/** Every kind there is, for whoever has to look at each of them. One that is missing here does not compile. */
export const CHANNEL_CONTENT_KINDS = Object.keys({
  message: true,
  command: true,
  button: true,
  reaction: true,
  edit: true,
  notice: true,
} satisfies Record<ChannelContent["kind"], true>) as readonly ChannelContent["kind"][];

/** Whatever comes in, of every kind: it passes the same gate before it has any effect. */
export interface ChannelEvent {
  /** Two events with the same id are the same event. */
  readonly id: string;
  /** The platform's id of the message it is about, for answers and reactions to it. */
  readonly messageId?: string;
  readonly at: number;
  readonly chat: Chat;
  readonly sender: ChannelSender;
  /** Where an answer goes. */
  readonly replyTarget: Target;
  readonly content: ChannelContent;
}

export type Received =
  /** Committed: it will be answered, whatever happens to this process. */
  | { readonly kind: "accepted" }
  /** Noted for later, answered before, or of no interest: nothing more will come of it. */
  | { readonly kind: "settled"; readonly why: string };

export interface OutboundMedia {
  readonly kind: MediaKind;
  /** Absolute path of a file the gateway owns; nobody else chose it. */
  readonly path: string;
  readonly mimeType: string;
  readonly name: string;
  readonly bytes: number;
}

export interface Button {
  readonly text: string;
  /** Comes back as a "button" event. */
  readonly data: string;
}

export interface Poll {
  readonly question: string;
  readonly options: readonly string[];
  readonly maxSelections?: number;
  readonly durationSeconds?: number;
  readonly isAnonymous?: boolean;
}

export type OutboundContent =
  /** Fits the channel's text limit; the channel writes it in its own dialect. */
  | { readonly kind: "text"; readonly markdown: string; readonly buttons?: ReadonlyArray<readonly Button[]> }
  | { readonly kind: "media"; readonly media: OutboundMedia; readonly caption?: string; readonly asVoice?: boolean }
  | { readonly kind: "poll"; readonly poll: Poll };

export interface OutboundMessage {
  /** The same however often it is tried: the platform's own key against duplicates, where it has one. */
  readonly key: string;
  readonly target: Target;
  readonly content: OutboundContent;
  /** The platform's id of the message this one answers. */
  readonly replyTo?: string;
  /** Nobody's telephone rings. */
  readonly isSilent?: boolean;
  /** It may have arrived already: the process died, or no answer came, when it was sent before. */
  readonly mayHaveArrived: boolean;
}

/** Decides whether and when a delivery is tried again. */
export type SendFailure =
  /** Too many at once; `retryAfterMs` says when, `holdsFor` whether for this chat or the whole account. */
  | "rate-limited"
  /** Not sent, and another attempt may work: no connection, an error of the platform. */
  | "unavailable"
  /** Nobody knows whether it was sent. */
  | "uncertain"
  /** The account may not do anything at the moment: a revoked token, a lost link. */
  | "unauthorised"
  /** This message will never be taken: malformed, too long, of a kind the chat does not allow. */
  | "rejected"
  /** This recipient cannot be reached: blocked, left, does not exist. */
  | "unreachable";

export type SendOutcome =
  | { readonly kind: "sent"; readonly messageId: string; readonly chatId?: string }
  | {
      readonly kind: "failed";
      readonly reason: SendFailure;
      /** For the operator: short, and without secrets. */
      readonly why: string;
      readonly retryAfterMs?: number;
      readonly holdsFor?: "chat" | "account";
    };

export interface ChatMessage {
  readonly id: string;
  readonly at: number;
  readonly sender: ChannelSender;
  readonly text: string;
  readonly isOurs: boolean;
}

/** Somebody or some place one can write to. */
export interface DirectoryEntry {
  readonly kind: "user" | "group";
  readonly id: string;
  readonly name?: string;
  readonly username?: string;
}

/** An entry of an allow-list: an id, or a name that has to be looked up once. */
export type WrittenId =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "unusable"; readonly why: string };

export type WrittenTarget =
  | { readonly kind: "target"; readonly target: Target; readonly chat: Pick<Chat, "kind" | "id"> }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "unusable"; readonly why: string };

/** Why a connection ended. */
export interface Disconnect {
  readonly why: string;
  /** Trying again is of no use before somebody has done something: logged out, token refused. */
  readonly isFinal?: boolean;
  /** Another program took the connection over; trying at once would only take it back. */
  readonly isConflict?: boolean;
}

/**
 * One account that is connected. `send` and `edit` never reject; the other methods may, with a GatewayError.
 * A capability is a method that is there: shared code asks for the method, never for the channel's name.
 */
export interface ChannelConnection {
  /** Resolves when the connection is over, for whatever reason but `close`. */
  readonly ended: Promise<Disconnect>;
  /** Ends the connection. What was not acknowledged to the platform comes again at the next start. */
  close(): Promise<void>;
  send(message: OutboundMessage, signal: AbortSignal): Promise<SendOutcome>;
  /** Whether a message that may have arrived did; undefined when the platform cannot tell. */
  findSent?(message: OutboundMessage): Promise<SendOutcome | undefined>;
  /** Puts other text into one of our messages. The same text again is no failure. */
  edit?(target: Target, messageId: string, markdown: string): Promise<SendOutcome>;
  /** Shows text that is still being written, in a form the platform forgets by itself. */
  draft?(target: Target, key: string, markdown: string): Promise<void>;
  unsend?(target: Target, messageId: string): Promise<void>;
  react?(target: Target, messageId: string, emoji: string, isRemoved: boolean): Promise<void>;
  reactions?(target: Target, messageId: string): Promise<ReadonlyArray<{ emoji: string; userIds: readonly string[] }>>;
  /** Shows that an answer is being written; has to be repeated before `traits.typingMs` is over. */
  typing?(target: Target): Promise<void>;
  markRead?(target: Target, messageId: string): Promise<void>;
  history?(target: Target, range: { limit: number; before?: string; after?: string }): Promise<ChatMessage[]>;
  pin?(target: Target, messageId: string, isRemoved: boolean): Promise<void>;
  pins?(target: Target): Promise<ChatMessage[]>;
  createThread?(target: Target, name: string, onMessageId?: string): Promise<Target>;
  threads?(target: Target): Promise<Array<{ id: string; name: string }>>;
  directory?: {
    self(): Promise<DirectoryEntry>;
    users?(query: string, limit: number): Promise<DirectoryEntry[]>;
    groups?(query: string, limit: number): Promise<DirectoryEntry[]>;
    members?(groupId: string, limit: number): Promise<DirectoryEntry[]>;
  };
  /** The one immutable id a name has now; undefined when nobody or several have it. */
  resolveName?(name: string, kind: DirectoryEntry["kind"]): Promise<string | undefined>;
  /** The bytes behind `InboundMedia.ref`, as they come. */
  download?(ref: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Offers the gateway's commands in the platform's own menu. */
  offerCommands?(commands: ReadonlyArray<{ name: string; description: string }>): Promise<void>;
  /** Asks the platform whether all is well; the answer is shown to operators. */
  probe?(): Promise<Readonly<Record<string, unknown>>>;
  /** Ends the link with the platform for good and forgets its credentials. */
  logout?(): Promise<void>;
}

/** What operators see of an account. Each flag stands for itself. */
export interface AccountReport {
  /** Credentials that were agreed with the platform are there. */
  readonly linked: boolean;
  readonly connected: boolean;
  readonly lastError?: string;
  /** Who we are there: name, username …; keys that end in `id` hold ids of ours, whose messages are never answered. */
  readonly self?: Readonly<Record<string, string>>;
}

/** What somebody has to do to link an account. */
export type LinkStep =
  /** To be shown as a QR code. */
  | { readonly kind: "qr"; readonly text: string }
  | { readonly kind: "code"; readonly code: string; readonly hint: string }
  | { readonly kind: "linked" };

export interface WebhookCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As it came, so that signatures can be checked before anything is parsed. */
  readonly body: Uint8Array;
}

/** A request whose body nobody has read yet. */
export type WebhookHead = Omit<WebhookCall, "body">;

export interface WebhookAnswer {
  readonly status: number;
  readonly body?: string;
  readonly type?: string;
}

/** What a channel does with requests at a path of its own. */
export interface WebhookReceiver {
  /** A larger body is refused. */
  readonly mostBytes: number;
  /**
   * What is answered without the body: it needs none, or its head shows no proof of who sent it (a secret, a signature of
   * the right form that is not old). Nothing of a body is read before this has nothing to say.
   */
  answerHead(head: WebhookHead): WebhookAnswer | undefined;
  answer(call: WebhookCall): Promise<WebhookAnswer>;
}

/** What the gateway does for one account of a channel. */
export interface ChannelHost {
  readonly account: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** A private directory for this account's files. */
  readonly directory: string;
  /**
   * Resolves when it is decided what becomes of the event and that is on the disk: only then may it be acknowledged to
   * the platform. Events of one chat are taken in the order of the calls. Rejects when nothing can be written; then the
   * event must come again.
   */
  receive(event: ChannelEvent): Promise<Received>;
  /** A sign of life. Without one for `traits.stallMs` the connection is taken for dead and made anew. */
  alive(): void;
  report(change: Partial<AccountReport>): void;
  /** Somebody has to act to link the account. */
  link(step: LinkStep): void;
  /** Small values that outlive the process, such as how far messages were read. */
  recall(name: string): Promise<string | undefined>;
  remember(name: string, value: string): Promise<void>;
  /** Takes requests on the gateway's own port, at a path of its own, until disposed. The channel checks signatures. */
  serve(path: string, receiver: WebhookReceiver): Disposable;
  /** Fetches without following the network into private places; what the operator configured is let through. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

export interface ChannelTraits {
  readonly chats: ReadonlyArray<ChatKind | "thread">;
  /** What `measure` of one message may be at most. */
  readonly textLimit: number;
  /** Size of a text as the platform counts it, in its dialect. */
  measure(markdown: string): number;
  /**
   * What keeps a repeated send from being seen twice. "key": the platform drops a second message with the same key.
   * "receipt": `findSent` knows whether it arrived. "none": a crash at the wrong instant may show a message twice.
   */
  readonly dedupe: "key" | "receipt" | "none";
  /** A living connection shows itself at least this often. */
  readonly stallMs?: number;
  /** How long a typing sign lasts. */
  readonly typingMs?: number;
  /** Edits of one message closer together than this are refused or seen as a flood; absent: no previews. */
  readonly previewEveryMs?: number;
  /** Sends at most this many messages a second, for each chat and in all. */
  readonly pace?: { readonly perChat?: number; readonly perAccount?: number };
  /** What session keys call the parts of a group; "thread" unless told. */
  readonly threadWord?: "topic" | "thread";
  /** Chats of two accounts can have the same id, such as `#general` on two networks. */
  readonly chatIdsArePerAccount?: true;
  /** How many characters may stand below a picture; 1000 unless told. */
  readonly captionLimit?: number;
}

/** What an account of a channel lets in. Lists hold what the operator wrote; `readId` says what an entry means. */
export interface ChannelPolicy {
  readonly dm: "pairing" | "allowlist" | "open" | "disabled";
  readonly allowFrom: readonly string[];
  readonly group: "allowlist" | "open" | "disabled";
  /** Who may speak in groups; absent: those of `allowFrom`. */
  readonly groupAllowFrom?: readonly string[];
  /** By chat id, `<guild id>/<chat id>` or `<guild id>/*`; "*" holds for every group that is not listed. */
  readonly groups: Readonly<Record<string, GroupPolicy>>;
  readonly reactions: "off" | "own" | "all" | "allowlist";
}

export interface GroupPolicy {
  readonly isEnabled?: boolean;
  readonly group?: ChannelPolicy["group"];
  readonly requireMention?: boolean;
  /** Who may speak here; absent: as for all groups. */
  readonly allowFrom?: readonly string[];
  /** Ids of roles whose holders may speak here. */
  readonly roles?: readonly string[];
  readonly systemPrompt?: string;
  readonly skills?: readonly string[];
  readonly tools?: Readonly<Record<string, unknown>>;
  readonly toolsBySender?: Readonly<Record<string, unknown>>;
  /** By thread id. */
  readonly topics?: Readonly<Record<string, GroupPolicy>>;
}

/** What operators are shown of the way an account is connected: only what is known, never a secret. */
export interface AccountAbout {
  /** How messages come in: "polling", "webhook", "socket", "http". */
  readonly mode?: string;
  /** Where the credential lies. */
  readonly tokenSource?: SecretPlace;
  readonly botTokenSource?: SecretPlace;
  readonly appTokenSource?: SecretPlace;
}

export type SecretPlace = "config" | "env" | "tokenFile";

export type Configured<Account> =
  | { readonly kind: "configured"; readonly account: Account; readonly about?: AccountAbout }
  /** What is missing or wrong, in words an operator can act on. */
  | { readonly kind: "incomplete"; readonly why: string };

/** What somebody needs to set the channel up, for forms: the steps at the platform, and the settings they end in. */
export interface SetupGuide {
  /** Markdown, one step each. */
  readonly steps: readonly string[];
  readonly fields: readonly SetupField[];
}

export interface SetupField {
  /** The setting; a dot leads into a block. */
  readonly name: string;
  readonly label: string;
  /** It is a list, written with commas. */
  readonly isList?: true;
  readonly isSecret?: true;
  /** The channel cannot do without it. */
  readonly isRequired?: true;
  readonly hint?: string;
  /** How one looks. */
  readonly example?: string;
}

/** A messaging platform. Its file must load nothing heavy: the platform's library is imported by `start`. */
export interface Channel<Account = unknown> {
  readonly id: string;
  readonly label: string;
  /** What may be written below `channels.<id>`; made with `channelBlock`. Without it whatever is written is kept. */
  readonly section?: Lazy<ChannelSection>;
  readonly setup?: SetupGuide;
  readonly traits: ChannelTraits;
  /** Reads the settings of one account; `env` fills in what is usually kept in the environment. */
  configure(settings: unknown, env: (name: string) => string | undefined): Configured<Account>;
  policy(settings: unknown): ChannelPolicy;
  readId(written: string): WrittenId;
  readTarget(written: string): WrittenTarget;
  /** Connects. Rejects with a GatewayError when that fails; whoever called tries again. */
  start(account: Account, host: ChannelHost): Promise<ChannelConnection>;
  /** How an account is linked that needs a person for it; tells the steps through `host.link`. */
  login?(account: Account, host: ChannelHost, signal: AbortSignal): Promise<void>;
}
