// Actions in a chat besides sending: reactions, edits, pins, threads, and looking at what is there.
import {
  GatewayError,
  toGatewayError,
  type ChannelConnection,
  type ChatMessage,
  type Ledger,
  type SendOutcome,
  type Target,
} from "@chela/sdk";
import type { MessageAction, MessageRequest } from "./request.ts";
import type { Spot } from "./reach.ts";

export interface ActQuestion {
  readonly request: MessageRequest;
  readonly spot: Spot;
  readonly connection: ChannelConnection;
  /** The message the turn answers: what "this message" means when none is named. */
  readonly askedBy: string | undefined;
  /** Whether somebody's words may be shown to whoever asks. */
  mayShow(message: ChatMessage): Promise<boolean>;
}

type ActionResult = Readonly<Record<string, unknown>>;
type Deed = (question: ActQuestion) => Promise<ActionResult>;

const DEFAULT_LIMIT = 20;
const MOST = 100;

const DEEDS: Readonly<Partial<Record<MessageAction, Deed>>> = {
  async react({ request, spot, connection, askedBy }) {
    const { emoji = "", remove = false } = request;
    if (emoji === "" && !remove) throw missing("react", "emoji");
    await connection.react?.(spot.target, messageIdOf(request, askedBy), emoji, remove);
    return { ok: true };
  },
  async reactions({ request, spot, connection, askedBy }) {
    return { reactions: await connection.reactions?.(spot.target, messageIdOf(request, askedBy)) };
  },
  async edit({ request, spot, connection }) {
    const text = request.message;
    if (!text) throw missing("edit", "message");
    const outcome = await connection.edit?.(spot.target, messageIdOf(request), text);
    return { ok: true, messageId: sentId(outcome) };
  },
  async unsend({ request, spot, connection }) {
    await connection.unsend?.(spot.target, messageIdOf(request));
    return { ok: true };
  },
  pin: (question) => setPin(question, false),
  unpin: (question) => setPin(question, true),
  async "list-pins"({ spot, connection, mayShow }) {
    return { messages: await shown((await connection.pins?.(spot.target)) ?? [], mayShow) };
  },
  async read({ request, spot, connection, mayShow }) {
    const { before, after } = request;
    const range = { limit: limitOf(request), ...(before ? { before } : {}), ...(after ? { after } : {}) };
    return { messages: await shown((await connection.history?.(spot.target, range)) ?? [], mayShow) };
  },
  async "thread-create"({ request, spot, connection }) {
    if (!request.threadName) throw missing("thread-create", "threadName");
    const made: Target | undefined = await connection.createThread?.(
      spot.target,
      request.threadName,
      request.messageId,
    );
    return { ok: true, thread: made };
  },
  async "thread-list"({ spot, connection }) {
    return { threads: await connection.threads?.(spot.target) };
  },
  async "channel-list"({ request, connection }) {
    return { groups: await connection.directory?.groups?.(request.query ?? "", limitOf(request)) };
  },
  async "member-info"({ request, spot, connection }) {
    return { members: await connection.directory?.members?.(spot.chat.id, limitOf(request)) };
  },
};

export async function act(question: ActQuestion): Promise<ActionResult> {
  const deed = DEEDS[question.request.action];
  if (!deed) throw new TypeError(`${question.request.action} is no deed`);
  try {
    return await deed(question);
  } catch (error) {
    throw toGatewayError(error, "CHANNEL_REFUSED");
  }
}

/** How far back our own messages are known. */
const MOST_OWN = 1000;

/** Whether a message is one of ours, by its receipt: some platforms let a bot delete what others wrote. */
export async function isOurs(messageId: string, { channel, account, target }: Spot, ledger: Ledger): Promise<boolean> {
  const sent = await ledger.deliveries({ state: "delivered", channel, limit: MOST_OWN });
  return sent.some((row) => row.receipt?.messageId === messageId && row.account === account && row.to === target.to);
}

async function setPin({ request, spot, connection, askedBy }: ActQuestion, isRemoved: boolean): Promise<ActionResult> {
  await connection.pin?.(spot.target, messageIdOf(request, askedBy), isRemoved);
  return { ok: true };
}

function messageIdOf({ action, messageId }: MessageRequest, otherwise?: string): string {
  const id = messageId ?? otherwise;
  if (!id) throw missing(action, "messageId");
  return id;
}

function sentId(outcome: SendOutcome | undefined): string | undefined {
  if (outcome?.kind === "sent") return outcome.messageId;
  throw new GatewayError("CHANNEL_REFUSED", outcome?.why ?? "there was no answer");
}

/** Words of people who may not speak to the agent are not shown to it either. */
async function shown(messages: readonly ChatMessage[], mayShow: ActQuestion["mayShow"]): Promise<ActionResult[]> {
  return Promise.all(
    messages.map(async (message) => {
      const { id, at, sender, text, isOurs: isFromUs } = message;
      const from = isFromUs ? "you" : (sender.name ?? sender.username ?? sender.id);
      const when = new Date(at).toISOString();
      if (isFromUs || (await mayShow(message))) return { id, at: when, from, text };
      return { id, at: when, hidden: "The sender may not speak to you here." };
    }),
  );
}

function limitOf({ limit = DEFAULT_LIMIT }: MessageRequest): number {
  return Math.min(Math.max(1, Math.floor(limit)), MOST);
}

function missing(action: string, field: string): GatewayError {
  return new GatewayError("MESSAGE_REQUEST", `"${action}" needs ${field}.`);
}
