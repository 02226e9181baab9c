// Tells plugins what the owner's hooks are told: handlers on events, and the typed hooks that hear of the same.
import type { Contribution, EventHook, HookContexts, HookSignal } from "@chela/sdk";
import { isObject, waitAtMost } from "@chela/sdk/base";
import type { House } from "../../house/house.ts";

type BroughtHouse = Pick<House, "plugins" | "typedHooks" | "clock" | "log">;
type Verdict = { readonly kind: "go" } | { readonly kind: "veto"; readonly hook: string; readonly why: string };

const HANDLER_MS = 5_000;

/** Whether somebody among the plugins hears anything of this. */
export function hearsSignals({ plugins }: Pick<House, "plugins">): boolean {
  return plugins.brought().some(({ eventHooks = [], typedHooks = [] }) => eventHooks.length + typedHooks.length > 0);
}

/** Never rejects. Texts for the person are given to `say`. */
export async function tellBrought(
  signal: HookSignal,
  house: BroughtHouse,
  say: (sessionKey: string, text: string) => Promise<void>,
): Promise<Verdict> {
  const verdict = await tellTyped(signal, house);
  for (const hook of listening(house.plugins.brought(), signal.name)) await tellOne(hook, signal, house, say);
  return verdict;
}

function listening(brought: ReadonlyArray<Contribution<House>>, name: HookSignal["name"]): readonly EventHook[] {
  const [kind] = name.split(":");
  return brought.flatMap(({ eventHooks = [] }) =>
    eventHooks.filter(({ events }) =>
      events.some((event) => event === name || event === kind || event === `${kind}:*`),
    ),
  );
}

async function tellOne(
  hook: EventHook,
  signal: HookSignal,
  { clock, log }: BroughtHouse,
  say: (sessionKey: string, text: string) => Promise<void>,
): Promise<void> {
  const { name, sessionKey, context } = signal;
  const end = new AbortController();
  const colon = name.indexOf(":");
  const event = {
    type: name.slice(0, colon),
    action: name.slice(colon + 1),
    sessionKey,
    timestamp: clock.now(),
    context,
  };
  try {
    const left = await waitAtMost(HANDLER_MS, hook.run(event, end.signal), clock);
    if (left === "late") return log.warn("a hook of a plugin took too long", { plugin: hook.from, event: name });
    takeFiles(signal, left.context);
    const texts = Array.isArray(left.messages) ? left.messages.filter((one) => typeof one === "string") : [];
    if (sessionKey !== "")
      for (const one of texts.slice(0, 10)) await say(sessionKey, one.slice(0, 4_000).toWellFormed());
  } catch (error) {
    log.warn("a hook of a plugin failed", { plugin: hook.from, event: name, error: String(error) });
  } finally {
    end.abort();
  }
}

/** The one event whose context handlers change. */
function takeFiles(signal: HookSignal, left: unknown): void {
  if (signal.name !== "agent:bootstrap" || !isObject(left) || !Array.isArray(left["bootstrapFiles"])) return;
  const files = left["bootstrapFiles"]
    .filter(isObject)
    .flatMap(({ name, path, content }) =>
      typeof name === "string" && typeof content === "string" ? [{ name, path: String(path ?? name), content }] : [],
    );
  (signal.context as HookContexts["agent:bootstrap"]).bootstrapFiles = files;
}

async function tellTyped(signal: HookSignal, { typedHooks }: BroughtHouse): Promise<Verdict> {
  const { sessionKey } = signal;
  switch (signal.name) {
    case "message:received": {
      const { from, content, timestamp, metadata, ...place } = signal.context;
      const context = { ...place, sessionKey };
      let claimedBy: string | undefined;
      const claim = {
        content,
        body: content,
        timestamp,
        channel: place.channelId,
        senderId: from,
        isGroup: metadata["chatType"] === "group",
        ...place,
        metadata,
      };
      await typedHooks.change(
        "inbound_claim",
        () => claim,
        context,
        (voice) => {
          if (voice.kind !== "said" || voice.returned["handled"] !== true) return "go on";
          claimedBy = voice.from;
          return "enough";
        },
      );
      void typedHooks.watch("message_received", { from, content, timestamp, metadata }, context);
      return claimedBy === undefined
        ? { kind: "go" }
        : { kind: "veto", hook: claimedBy, why: "it took the message for itself" };
    }
    case "message:sent": {
      const { to, content, success, error, ...place } = signal.context;
      void typedHooks.watch(
        "message_sent",
        { to, content, success, ...(error === undefined ? {} : { error }) },
        { ...place, sessionKey },
      );
      break;
    }
    case "session:start":
    case "session:end": {
      const { agentId, sessionId } = signal.context;
      const name = signal.name === "session:start" ? "session_start" : "session_end";
      void typedHooks.watch(name, { sessionId, sessionKey }, { agentId, sessionId, sessionKey });
      break;
    }
    case "session:compact:before":
    case "session:compact:after": {
      const { agentId, runId } = signal.context;
      const name = signal.name === "session:compact:before" ? "before_compaction" : "after_compaction";
      void typedHooks.watch(name, { messageCount: 0 }, { agentId, sessionKey, runId });
      break;
    }
    case "command:new":
    case "command:reset": {
      const { agentId, sessionId, workspaceDir } = signal.context;
      void typedHooks.watch(
        "before_reset",
        { reason: signal.name.slice("command:".length) },
        { agentId, sessionKey, sessionId, workspaceDir },
      );
      break;
    }
    case "gateway:startup":
      void typedHooks.watch("gateway_start", {}, {});
      break;
    case "gateway:shutdown":
      await typedHooks.watch("gateway_stop", {}, {});
      break;
    default:
      break;
  }
  return { kind: "go" };
}
