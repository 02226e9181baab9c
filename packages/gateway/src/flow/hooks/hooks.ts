// Hooks on what happens here: turns events of the gateway into the ones handlers know, and shows what they have to say.
import { announceText } from "../reply/write-reply.ts";
import type { House } from "../../house/house.ts";
import {
  agentOfSessionKey,
  GatewayError,
  type Change,
  type CommitNote,
  type HookSignal,
  type RunRecord,
} from "@chela/sdk";
import { waitAtMost, redactSecrets } from "@chela/sdk/base";
import type { Commander } from "../end-conversations.ts";
import type { InboundHooks } from "../arrival.ts";
import type { MessageBody } from "../message-body.ts";
import type { TakenIn } from "../turn/kit.ts";
import type { TurnEvent } from "../turn/events.ts";
import type { FileQuestion } from "./hook-teller.ts";
import { createHooks, type BootErrand, type Hooks } from "../../rooms/hooks/room.ts";
import { hearsSignals, tellBrought } from "./brought-hooks.ts";
import { fitted, inboundContext, lastRemarks } from "./contexts.ts";
import { hookCatalogueParts } from "./parts.ts";
import { CHANGES_TOLD, OWN_RUN, signalOfChange } from "./told-changes.ts";
import { FILE_LIMITS, type InjectedFile } from "../../rooms/workspace/room.ts";

export type HookHouse = Pick<
  House,
  | "config"
  | "paths"
  | "clock"
  | "version"
  | "startedAt"
  | "ids"
  | "log"
  | "ledger"
  | "transcripts"
  | "workspaceOf"
  | "keys"
  | "channels"
  | "outbox"
  | "runEvents"
  | "inbound"
  | "plugins"
  | "typedHooks"
>;

export interface HookServices extends InboundHooks {
  readonly hooks: Hooks;
  files(question: FileQuestion, files: readonly InjectedFile[]): Promise<readonly InjectedFile[]>;
  committed(note: CommitNote): void;
  told(event: TurnEvent): void;
  transcribed(record: RunRecord, body: MessageBody, heard: { text: string; mimeType: string }): void;
  takenIn(record: RunRecord, taken: TakenIn): void;
  tell(signal: HookSignal): void;
  started(): void;
  stopping(): Promise<void>;
}

const MOST_REMEMBERED = 500;
/** Before this is told, hooks may still have much to hear. */
const SHUTDOWN_MS = 10_000;

export function openHookServices(house: HookHouse): HookServices {
  const { ledger, log, transcripts, workspaceOf } = house;
  const places = new Map<string, ChatAddress>();
  const given = new Map<string, { readonly from: readonly InjectedFile[]; readonly files: readonly InjectedFile[] }>();
  const notes = new Map<string, readonly string[]>();
  /** Those that a model answers; commands end as turns do. */
  const turns = new Map<string, true>();
  /** What is looked up for one change must not let a later one overtake it. */
  let inOrder: Promise<void> = Promise.resolve();
  const agentOf = (sessionKey: string): string => agentOfSessionKey(sessionKey) ?? house.keys().defaultAgentId;

  const own = createHooks({
    ...hookCatalogueParts(house),
    log,
    say,
    lastRemarks: (sessionId, newest) => lastRemarks(transcripts, sessionId, newest),
    runErrand: (errand) => runErrand(errand, house),
  });
  /** The owner's handlers first; whoever forbids something, the plugins need not hear of it. */
  const hooks: Pick<Hooks, "emit"> = {
    async emit(signal) {
      const verdict = await own.emit(signal);
      return verdict.kind === "veto" || !hearsSignals(house) ? verdict : tellBrought(signal, house, say);
    },
  };
  /** Nobody waits for those who only watch. */
  const tell = (signal: HookSignal): void => void hooks.emit(signal);

  /** Where a person just wrote is where they are answered; a conversation that is led elsewhere knows its own place. */
  async function say(sessionKey: string, text: string): Promise<void> {
    const runId = `${OWN_RUN}${house.ids.uuid()}`;
    const place = places.get(sessionKey);
    if (!place) return announceText(house, sessionKey, text, runId);
    const { replies } = await house.channels();
    const address = { ...place, runId, agentId: agentOf(sessionKey), at: house.clock.now() };
    const rows = await replies.compose(address, { texts: [text] });
    await ledger.commit(rows.map((item): Change => ({ kind: "outbox-add", item })));
    for (const item of rows) await house.outbox.send({ ...item, attempts: 0, state: "pending" });
  }

  async function commandContext(sessionKey: string, { source, senderId, text }: Commander) {
    const entry = await ledger.session(sessionKey);
    const agentId = agentOf(sessionKey);
    return {
      agentId,
      workspaceDir: workspaceOf(agentId),
      commandSource: source,
      senderId,
      ...(entry ? { sessionId: entry.sessionId, sessionEntry: entry } : {}),
      ...(text ? { text } : {}),
    };
  }

  return {
    hooks: own,
    async received(message, { agentId, sessionKey }, body) {
      const { channel, account } = message;
      if (body.origin) remember(places, sessionKey, { channel, account, ...body.origin.target });
      else places.delete(sessionKey);
      const context = inboundContext(message, { agentId, sessionKey }, body, house.clock.now());
      const verdict = await hooks.emit({ name: "message:received", sessionKey, context });
      if (verdict.kind === "go") return undefined;
      log.info("a hook refused a message", { hook: verdict.hook, why: verdict.why, session: sessionKey });
      return `the hook ${verdict.hook} refused it: ${verdict.why}`;
    },
    async command(action, sessionKey, by) {
      const context = await commandContext(sessionKey, by);
      await hooks.emit({ name: `command:${action}`, sessionKey, context } as HookSignal);
    },
    given(command, sessionKey, { text, ...by }) {
      // Keys that were typed into a command are told to nobody.
      const told = { ...by, ...(text ? { text: redactSecrets(text) } : {}) };
      inOrder = inOrder
        .then(async () => {
          const context = { ...(await commandContext(sessionKey, told)), command };
          tell({ name: "command:given", sessionKey, context });
        })
        .catch((error: unknown) => log.warn("hooks missed a command", { error: String(error) }));
    },
    async files(question, files) {
      const { sessionKey, ...who } = question;
      const known = given.get(who.sessionId);
      if (known?.from === files) return known.files;
      const bootstrapFiles = files.map(({ name, path, content }) => ({ name, path, content }));
      const context = { ...who, bootstrapFiles };
      const verdict = await hooks.emit({ name: "agent:bootstrap", sessionKey, context });
      if (verdict.kind === "veto") throw new GatewayError("HOOK_VETO", `${verdict.hook}: ${verdict.why}`);
      const left = fitted(context.bootstrapFiles, files, fileTotal(house));
      remember(given, who.sessionId, { from: files, files: left });
      return left;
    },
    committed({ commits }) {
      const relevant = commits.flat().filter(({ kind }) => CHANGES_TOLD.has(kind));
      for (const change of relevant) {
        inOrder = inOrder
          .then(() => signalOfChange(change, house))
          .then((signal) => signal && tell(signal))
          .catch((error: unknown) => log.warn("hooks missed something", { error: String(error) }));
      }
    },
    told(event) {
      const { runId, sessionKey } = event;
      const context = { agentId: agentOf(sessionKey), runId };
      if (event.kind === "compaction-started") tell({ name: "session:compact:before", sessionKey, context });
      else if (event.kind === "compaction-ended") {
        const { wasCompacted } = event;
        tell({ name: "session:compact:after", sessionKey, context: { ...context, wasCompacted } });
      } else if (event.kind === "turn-started") {
        const body = event.message.body as MessageBody;
        const bodyForAgent = [...(notes.get(runId) ?? []), body.text].join("\n");
        notes.delete(runId);
        const inbound = inboundContext(event.message, event.message, body, event.message.admittedAt);
        tell({ name: "message:preprocessed", sessionKey, context: { ...inbound, bodyForAgent } });
        const { provider, id } = event.model;
        const turn = { ...context, channelId: event.message.channel, model: `${provider}/${id}` };
        remember(turns, runId, true);
        tell({ name: "agent:turn:start", sessionKey, context: turn });
      } else if (event.kind === "turn-ended" && turns.delete(runId)) {
        const { outcome, startedAt, endedAt } = event;
        const took = startedAt === undefined ? {} : { durationMs: endedAt - startedAt };
        const error = outcome.error === undefined ? {} : { error: outcome.error };
        tell({
          name: "agent:turn:end",
          sessionKey,
          context: { ...context, status: outcome.status, ...took, ...error },
        });
      }
    },
    tell,
    transcribed({ message }, body, { text, mimeType }) {
      const inbound = inboundContext(message, message, body, message.admittedAt);
      const context = { ...inbound, transcript: text, mediaType: mimeType };
      tell({ name: "message:transcribed", sessionKey: message.sessionKey, context });
    },
    takenIn: ({ message }, taken) => remember(notes, message.runId, taken.notes),
    started: () => tell({ name: "gateway:startup", sessionKey: "", context: { version: house.version } }),
    async stopping() {
      const told = hooks.emit({ name: "gateway:shutdown", sessionKey: "", context: {} });
      if ((await waitAtMost(SHUTDOWN_MS, told, house.clock)) === "late")
        log.warn("hooks were not waited for any longer");
    },
  };
}

interface ChatAddress {
  readonly channel: string;
  readonly account: string;
  readonly to: string;
  readonly threadId?: string;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_REMEMBERED && oldest !== undefined) map.delete(oldest);
}

function fileTotal({ config }: HookHouse): { perFile: number; total: number } {
  const { bootstrapMaxChars, bootstrapTotalMaxChars } = config.current().agents?.defaults ?? {};
  return { perFile: bootstrapMaxChars ?? FILE_LIMITS.perFile, total: bootstrapTotalMaxChars ?? FILE_LIMITS.total };
}

/**
 * Admitted like any message, so that it is carried out whatever happens to this process. One that an earlier process left
 * undone stands for this start as well, or a gateway that is started again and again would have more to do each time.
 */
async function runErrand({ text, ...errand }: BootErrand, house: HookHouse): Promise<void> {
  const [last] = await house.ledger.runs({ sessionKey: errand.sessionKey, limit: 1 });
  if (last && (last.endedAt ?? Infinity) >= house.startedAt) return;
  await house.inbound.chore({ ...errand, body: { text } });
}
