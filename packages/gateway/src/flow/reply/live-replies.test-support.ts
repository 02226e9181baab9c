// One person in one chat, and everything they get to see of a run, in the order they see it.
import type {
  ChannelConnection,
  ChannelEvent,
  ChannelTraits,
  InboxMessage,
  Ledger,
  Logger,
  ModelInfo,
  OutboxItem,
} from "@chela/sdk";
import { createFakeClock, createMemoryLedger, type FakeClock } from "@chela/sdk/testing";
import type { LiveSettings } from "./live-settings.ts";
import { LiveReplies } from "./live-replies.ts";
import type { NewDelivery } from "./delivery.ts";
import type { TurnEvent } from "../turn/events.ts";

export interface Watched {
  readonly live: LiveReplies;
  readonly clock: FakeClock;
  readonly ledger: Ledger;
  /** Everything that was asked of the platform, such as `typing` or `react 👀`. */
  readonly seen: string[];
  /** Rows that were handed to the post. */
  readonly delivered: OutboxItem[];
  accept(text?: string, more?: { isDirect?: boolean; wasMentioned?: boolean; runId?: string }): void;
  start(alsoAnswers?: readonly string[]): void;
  write(delta: string): void;
  tell(event: DistributiveOmit<TurnEvent, "runId" | "sessionKey">): void;
  end(status?: "ok" | "error" | "aborted"): void;
  /** Lets everything happen that is due now. */
  settle(): Promise<void>;
}
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export const QUIET: LiveSettings = {
  streaming: "off",
  textChunkLimit: undefined,
  ackReaction: "👀",
  ackIn: { direct: false, group: "never" },
  removeAckAfterReply: false,
  marksRead: false,
  typing: "never",
  typingEveryMs: undefined,
  blocks: {
    minChars: 20,
    maxChars: 50,
    prefer: "paragraph",
    breakAt: "text_end",
    coalesce: { minChars: 20, maxChars: 60, idleMs: 1000 },
  },
  statusReactions: undefined,
};

const RUN = "run";
const ignore = (): void => {};
const SILENT: Logger = {
  log: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => SILENT,
};
const MODEL = { provider: "scripted", id: "test" } as ModelInfo;

export function watchLive(
  settings: Partial<LiveSettings>,
  {
    connection = {},
    traits = {},
    ledger = createMemoryLedger(),
  }: { connection?: Partial<ChannelConnection>; traits?: Partial<ChannelTraits>; ledger?: Ledger } = {},
): Watched {
  const clock = createFakeClock();
  const seen: string[] = [];
  const delivered: OutboxItem[] = [];
  let messages = 0;
  const platform: ChannelConnection = {
    ended: new Promise(() => {}),
    close: async () => {},
    async send({ content }) {
      seen.push(`send ${content.kind === "text" ? content.markdown : content.kind}`);
      return { kind: "sent", messageId: `m${(messages += 1)}` };
    },
    async edit(_target, messageId, markdown) {
      seen.push(`edit ${messageId} ${markdown}`);
      return { kind: "sent", messageId };
    },
    react: async (_target, _id, emoji, isRemoved) => void seen.push(`${isRemoved ? "unreact" : "react"} ${emoji}`),
    typing: async () => void seen.push("typing"),
    markRead: async (_target, messageId) => void seen.push(`read ${messageId}`),
    unsend: async (_target, messageId) => void seen.push(`unsend ${messageId}`),
    ...connection,
  };
  const measured: ChannelTraits = {
    chats: ["direct", "group"],
    textLimit: 100,
    measure: (markdown) => markdown.length,
    dedupe: "none",
    previewEveryMs: 1000,
    typingMs: 5000,
    ...traits,
  };
  const live = new LiveReplies({
    clock,
    log: SILENT,
    ledger,
    channels: { connection: () => platform, traits: () => measured },
    settings: () => ({ ...QUIET, ...settings }),
    composeBlock: async ({ runId, channel, account, target }, markdown): Promise<NewDelivery[]> => [
      {
        id: "to be named",
        runId,
        channel,
        account,
        to: target.to,
        payload: { content: { kind: "text", markdown } },
        createdAt: clock.now(),
      },
    ],
    deliver: async (item) => void delivered.push(item),
  });
  const tell: Watched["tell"] = (event) => live.hear({ ...event, runId: RUN, sessionKey: "s" } as TurnEvent);
  return {
    live,
    clock,
    ledger,
    seen,
    delivered,
    tell,
    accept(text = "hello", { isDirect = true, wasMentioned = false, runId = RUN } = {}) {
      live.accepted("fake", "default", eventOf(text, isDirect), { runId, agentId: "main", wasMentioned });
    },
    start(alsoAnswers = []) {
      tell({ kind: "turn-started", startedAt: 0, model: MODEL, message: messageOf(), alsoAnswers });
      tell({ kind: "step-started" });
    },
    write: (delta) => tell({ kind: "text", delta }),
    end(status = "ok") {
      tell({ kind: "turn-ended", endedAt: clock.now(), outcome: { status, texts: [] }, hasReply: false });
    },
    settle: () => clock.advance(0),
  };
}

function eventOf(text: string, isDirect: boolean): ChannelEvent {
  return {
    id: "e",
    messageId: "in1",
    at: 0,
    chat: { kind: isDirect ? "direct" : "group", id: "c" },
    sender: { id: "alice" },
    replyTarget: { to: "c" },
    content: { kind: "message", text, mentionsUs: false },
  };
}

function messageOf(): InboxMessage {
  const origin = {
    chat: { kind: "direct", id: "c" },
    target: { to: "c" },
    at: 0,
    wasMentioned: false,
    messageId: "in1",
  };
  return {
    runId: RUN,
    channel: "fake",
    account: "default",
    messageId: "e",
    agentId: "main",
    sessionKey: "s",
    body: { text: "hello", origin },
    admittedAt: 0,
  };
}
