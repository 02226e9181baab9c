// Requests to send and change messages: what can be asked, by whom, and what comes of it.
import type { Button, Requester, SandboxView } from "@chela/sdk";

/** How far an action goes: it says something, touches what was said, or only looks. */
export type Reach = "send" | "touch" | "look";

export const ACTIONS = {
  send: "send",
  broadcast: "send",
  poll: "send",
  reply: "send",
  "thread-reply": "send",
  "thread-create": "send",
  react: "touch",
  edit: "touch",
  unsend: "touch",
  pin: "touch",
  unpin: "touch",
  reactions: "look",
  read: "look",
  "list-pins": "look",
  "thread-list": "look",
  "channel-list": "look",
  "member-info": "look",
} as const satisfies Readonly<Record<string, Reach>>;

export type MessageAction = keyof typeof ACTIONS;

/** Fields are those of the tool `message`; each action uses some of them. */
export interface MessageRequest {
  readonly action: MessageAction;
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  readonly target?: string | undefined;
  readonly targets?: readonly string[] | undefined;
  readonly message?: string | undefined;
  /** Handles, files of the workspace, or http(s) addresses. */
  readonly media?: readonly string[] | undefined;
  readonly file?: WrittenFile | undefined;
  readonly replyTo?: string | undefined;
  readonly threadId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly emoji?: string | undefined;
  readonly remove?: boolean | undefined;
  readonly poll?: PollRequest | undefined;
  readonly buttons?: ReadonlyArray<readonly Button[]> | undefined;
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly query?: string | undefined;
  readonly silent?: boolean | undefined;
  readonly asVoice?: boolean | undefined;
  readonly threadName?: string | undefined;
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean | undefined;
}

/** A file that came inside the request. */
export interface WrittenFile {
  readonly base64: string;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

interface PollRequest {
  readonly question: string;
  readonly options: readonly string[];
  readonly maxSelections?: number | undefined;
  readonly durationSeconds?: number | undefined;
  readonly isAnonymous?: boolean | undefined;
}

/** A poll as the tool and the command line write it. */
export interface PollFields {
  readonly pollQuestion?: string | undefined;
  readonly pollOption?: readonly string[] | undefined;
  readonly pollMulti?: boolean | undefined;
  readonly pollDurationHours?: number | undefined;
  readonly pollDurationSeconds?: number | undefined;
}

export function readPoll(fields: PollFields): MessageRequest["poll"] {
  const { pollQuestion, pollOption = [], pollMulti, pollDurationHours, pollDurationSeconds } = fields;
  if (pollQuestion === undefined) return undefined;
  const hours = pollDurationHours === undefined ? undefined : Math.round(pollDurationHours * 3600);
  return {
    question: pollQuestion,
    options: pollOption,
    maxSelections: pollMulti ? pollOption.length : undefined,
    durationSeconds: pollDurationSeconds ?? hours,
  };
}

/** Who asks. An operator may write everywhere; an agent is bound to its conversation. */
export type Actor =
  | {
      readonly kind: "operator";
      /** Messages with the same key are one message. */
      readonly key: string;
      /** Whose workspace files are sent from. */
      readonly agentId?: string | undefined;
      /** The conversation that is to know of the message, when it is not the one of the chat. */
      readonly sessionKey?: string | undefined;
      /** The conversation it was said in: it knows of it, and its files may go along. */
      readonly saidIn?: string | undefined;
      /** What had it sent, when that was no owner's doing: a webhook. */
      readonly sentFor?: string | undefined;
    }
  | {
      readonly kind: "agent";
      readonly key: string;
      readonly agentId: string;
      readonly sessionKey: string;
      readonly runId: string;
      readonly requester: Requester;
      readonly workspace: string;
      /** Then files are what it sees. */
      readonly sandbox?: SandboxView;
      readonly closedNotes?: readonly string[];
      readonly signal: AbortSignal;
    };

/** What became of a message to one target. Only a receipt of the platform makes it "delivered". */
export interface Delivered {
  readonly channel: string;
  readonly accountId?: string;
  readonly to: string;
  readonly threadId?: string;
  readonly state: "delivered" | "queued" | "undeliverable" | "planned";
  readonly messageId?: string;
  readonly chatId?: string;
  readonly error?: string;
}

export type MessageResult =
  | { readonly kind: "sent"; readonly action: MessageAction; readonly deliveries: readonly Delivered[] }
  | {
      readonly kind: "done";
      readonly action: MessageAction;
      readonly channel: string;
      readonly to?: string;
      readonly found: Readonly<Record<string, unknown>>;
    };

export interface MessageSender {
  /** Rejects with a GatewayError when nothing was done. What was committed is reported, delivered or not. */
  perform(request: MessageRequest, by: Actor): Promise<MessageResult>;
  /** What can be done there, as far as the connection is there to tell. */
  capabilitiesOf(channel: string, account?: string): Promise<readonly MessageAction[]>;
}
