// Rules for messages that arrive while their session is busy. Pure.

export type QueueMode = "steer" | "followup" | "collect" | "steer-backlog" | "steer+backlog" | "queue" | "interrupt";

const QUEUE_MODES: readonly QueueMode[] = [
  "steer",
  "followup",
  "collect",
  "steer-backlog",
  "steer+backlog",
  "queue",
  "interrupt",
];

export interface QueueRule {
  readonly mode: QueueMode;
  /** Quiet time before what was collected is answered. */
  readonly debounceMs: number;
  /** Waits this long even on an idle lane. */
  readonly holdMs?: number;
  /** Jobs with the same one that wait side by side are answered in one turn. */
  readonly together?: string;
  /** Said to the running turn, and answered by itself as well. */
  readonly staysInQueue?: true;
  /** In mode interrupt: it takes the place of what the same person asked for, and waits behind all else. */
  readonly interruptsOwn?: true;
}

export interface QueueSettings {
  readonly mode: QueueMode;
  readonly debounceMs: number;
  readonly cap: number;
  readonly drop: "old" | "new" | "summarize";
}

/** The part of the configuration that is about queues. */
export interface QueueView {
  readonly mode?: string | undefined;
  readonly byChannel?: Readonly<Record<string, string | undefined>> | undefined;
  readonly debounceMs?: number | undefined;
  readonly debounceMsByChannel?: Readonly<Record<string, number | undefined>> | undefined;
  readonly cap?: number | undefined;
  readonly drop?: string | undefined;
}

/** What the session itself was told by /queue. */
export interface SessionQueue {
  readonly queueMode?: string | undefined;
  readonly queueDebounceMs?: number | undefined;
  readonly queueCap?: number | undefined;
  readonly queueDrop?: string | undefined;
}

const DEFAULT_DEBOUNCE_MS = 1000;
const DEFAULT_CAP = 20;

/** First what was said in the session, then what is configured for the channel, then for all. */
export function queueSettings(
  config: QueueView | undefined,
  session: SessionQueue | undefined,
  channel: string,
  fallback: QueueMode,
): QueueSettings {
  const mode = [session?.queueMode, config?.byChannel?.[channel], config?.mode].find(isQueueMode) ?? fallback;
  const drop = [session?.queueDrop, config?.drop].find(isDropPolicy) ?? "summarize";
  return {
    mode,
    drop,
    debounceMs:
      session?.queueDebounceMs ?? config?.debounceMsByChannel?.[channel] ?? config?.debounceMs ?? DEFAULT_DEBOUNCE_MS,
    cap: session?.queueCap ?? config?.cap ?? DEFAULT_CAP,
  };
}

/** How one message waits. `together` names whom it may be answered with; without one it is answered by itself. */
export function queueRule(
  settings: QueueSettings,
  {
    together,
    holdMs,
    mayEnd = "all",
  }: {
    readonly together?: string;
    readonly holdMs?: number;
    /** Whose work it may take the place of. */
    readonly mayEnd?: "all" | "own";
  },
): QueueRule {
  const { mode, debounceMs } = settings;
  // What is held back for more to come, such as an album, is answered together with it in every mode.
  const collects = together !== undefined && (mode === "collect" || Boolean(holdMs));
  return {
    mode,
    debounceMs,
    ...(collects ? { together } : {}),
    ...(holdMs ? { holdMs } : {}),
    ...(mode === "steer-backlog" || mode === "steer+backlog" ? { staysInQueue: true } : {}),
    ...(mode === "interrupt" && mayEnd === "own" ? { interruptsOwn: true } : {}),
  };
}

export function isSteering(rule: QueueRule | undefined): boolean {
  return rule !== undefined && ["steer", "queue", "steer-backlog", "steer+backlog"].includes(rule.mode);
}

function isQueueMode(mode: string | undefined): mode is QueueMode {
  return mode !== undefined && (QUEUE_MODES as readonly string[]).includes(mode);
}

function isDropPolicy(drop: string | undefined): drop is QueueSettings["drop"] {
  return drop === "old" || drop === "new" || drop === "summarize";
}
