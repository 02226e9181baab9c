// The way in: route, access, command, admission, lane. Every message walks these steps, whoever sent it.
import {
  GatewayError,
  type ErrandKind,
  type InboxMessage,
  type KnownPerson,
  type Requester,
  type RunOutcome,
  type RunRecord,
  type SessionEntry,
} from "@chela/sdk";
import { decideAccess, type Sender } from "../rooms/access/room.ts";
import { OneAtATime } from "../base/one-at-a-time.ts";
import type { CommandSettings, Recognition } from "../rooms/commands/room.ts";
import { listAgents, resolveRoute, type AgentsView, type KeyDefaults } from "../rooms/routing/room.ts";
import type { SessionStore } from "../rooms/sessions/room.ts";
import { createLine, type LineParts, type TurnRunner } from "./queue.ts";
import { CHORES, requesterOf, type MessageBody, type MessageOrigin } from "./message-body.ts";
import { askerOf, mayEnd } from "./queue-places.ts";
import { ownReplyId } from "./reply/delivery.ts";
import type { StopCause } from "./turn/outcome.ts";

export interface Inbound {
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly messageId: string;
  readonly sender: Sender;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly body: MessageBody;
}

/** A message from a channel: its gate and its route were decided before. */
export interface ChannelMessage {
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly messageId: string;
  readonly route: AdmittedRoute;
  readonly body: MessageBody;
}

/** Work without a sender. */
export type OwnWork = Pick<InboxMessage, "runId" | "agentId" | "sessionKey"> & { readonly body: MessageBody };

interface AdmittedRoute {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly matchedBy: string;
}

export type InboundOutcome =
  /** Committed: it will be answered, whatever happens to this process. */
  | {
      readonly kind: "accepted";
      readonly runId: string;
      readonly sessionKey: string;
      readonly acceptedAt: number;
      readonly done: Promise<RunOutcome>;
    }
  /** `done` is there while the first one is still under way. */
  | { readonly kind: "duplicate"; readonly run: RunRecord; readonly done?: Promise<RunOutcome> }
  | {
      readonly kind: "stopped";
      readonly sessionKey: string;
      readonly runIds: readonly string[];
      /** How many sub-agents of the conversation were stopped with it. */
      readonly helpers: number;
      /** Something goes on that others asked for. */
      readonly isLeft?: true;
    }
  /** A command of somebody who may not give it: no answer, so that nobody learns what exists. */
  | { readonly kind: "ignored"; readonly sessionKey: string }
  /** `tell` is for the sender, once for each `once`; without it they hear nothing. */
  | {
      readonly kind: "refused";
      readonly why: string;
      readonly tell?: { readonly once: string; readonly text: string };
    };

/** Who gave a command, and where. */
export interface Commander {
  readonly source: string;
  readonly senderId: string;
  readonly text?: string;
}

/** Where the owner's handlers are told of what comes in, and may say no. */
export interface InboundHooks {
  /** Why the message is refused; undefined when it may pass. */
  received(
    message: Pick<InboxMessage, "channel" | "account" | "messageId">,
    route: AdmittedRoute,
    body: MessageBody,
  ): Promise<string | undefined>;
  /** Never rejects. */
  command(action: "new" | "reset" | "stop", sessionKey: string, by: Commander): Promise<void>;
  /** Any other one; nobody waits. */
  given(command: string, sessionKey: string, by: Commander): void;
}

export interface InboundParts extends LineParts {
  readonly sessions: SessionStore;
  readonly hooks: InboundHooks;
  agents(): AgentsView;
  keys(): KeyDefaults;
  commandSettings(): CommandSettings;
  /** What the configuration says about answering in this session; `chatType` of a message from a channel. */
  sendPolicy(
    sessionKey: string,
    channel: string,
    entry: SessionEntry | undefined,
    chatType: MessageOrigin["chat"]["kind"] | undefined,
  ): "allow" | "deny";
  /** Counts a message of somebody whose messages are limited; says why when it is one too many. */
  takeQuota(
    runId: string,
    person: KnownPerson,
  ): Promise<{ readonly why: string; readonly once: string; readonly text: string } | undefined>;
  /** The model a person named behind /new. */
  chooseModel(sessionKey: string, ref: string): Promise<void>;
  /** Ends the sub-agents that work for a conversation, or only those that somebody has started; tells how many. */
  endHelpers(sessionKey: string, why: "stop" | "session-reset", only?: Requester): Promise<number>;
}

/** What a bare /new or /reset asks the agent. */
const GREETING =
  "A new conversation begins. Greet the person in one or two sentences and ask what they would like to do.";
const RESET_WAIT_MS = 15_000;

export function createInbound(parts: InboundParts) {
  const { ledger, clock, log, sessions, lanes, runs } = parts;
  const line = createLine(parts);
  /** A repeated message must see what became of the first, or its /new would stop the answer to it. */
  const arrivals = new OneAtATime();

  async function receive(message: Inbound): Promise<InboundOutcome> {
    const receivedAt = clock.now();
    const outcome = await arrivals.run(message.runId, () => decide(message, receivedAt));
    tellLog(message, outcome);
    return outcome;
  }

  /** The same way for somebody who writes in a channel. */
  async function receiveFromChannel(message: ChannelMessage): Promise<InboundOutcome> {
    const outcome = await arrivals.run(message.runId, () => walk(message, message.route, message.body));
    tellLog(message, outcome);
    return outcome;
  }

  function tellLog({ runId, channel }: { runId: string; channel: string }, outcome: InboundOutcome): void {
    log.info(`message ${outcome.kind}`, {
      run: runId,
      channel,
      ...(outcome.kind === "refused" ? { why: outcome.why } : {}),
      ...("sessionKey" in outcome ? { session: outcome.sessionKey } : {}),
    });
  }

  async function decide(message: Inbound, receivedAt: number): Promise<InboundOutcome> {
    const route = resolveRoute(message, parts.agents(), parts.keys());
    if (route.kind === "unroutable") return { kind: "refused", why: route.why };
    const access = decideAccess(message.sender, {});
    if (access.kind === "denied") return { kind: "refused", why: access.why };
    const times = { receivedAt, decidedAt: clock.now() };
    return walk(message, route, { ...message.body, sender: senderOf(message), times });
  }

  async function walk(
    message: Pick<Inbound, "runId" | "channel" | "account" | "messageId">,
    route: AdmittedRoute,
    body: MessageBody,
  ): Promise<InboundOutcome> {
    const { sessionKey, agentId, matchedBy } = route;
    const { commands, runCommands } = await parts.workshop();
    const recognise = (of: MessageBody): Recognition =>
      of.isPassedOn
        ? { kind: "text", text: of.text }
        : commands.recognise(of.text, requesterOf(message, of), parts.commandSettings());
    const recognition = recognise(body);
    if (await isSilenced(sessionKey, message.channel, body, recognition)) {
      return { kind: "refused", why: "send blocked by session policy" };
    }
    const seen = await ledger.run(message.runId);
    if (seen) return duplicate(seen);
    if (recognition.kind === "stop") {
      // One that comes again must not stop what was asked for since.
      const isOld = await ledger.delivery(ownReplyId(message.runId));
      if (isOld) return { kind: "ignored", sessionKey };
      const asked = { ...message, sessionKey, body };
      const only = mayEnd(asked) === "own" ? requesterOf(message, body) : undefined;
      const runIds = only ? lanes.stopOf(sessionKey, "stop", askerOf(asked)) : stop(sessionKey, "stop");
      void parts.hooks.command("stop", sessionKey, commanderOf(message.channel, body));
      const helpers = await parts.endHelpers(sessionKey, "stop", only);
      const isLeft = only !== undefined && lanes.runIds(sessionKey).some((id) => !runIds.includes(id));
      return { kind: "stopped", sessionKey, runIds, helpers, ...(isLeft ? { isLeft } : {}) };
    }
    if (recognition.kind === "ignored") return { kind: "ignored", sessionKey };
    const refused = await parts.hooks.received(message, route, body);
    if (refused !== undefined) return { kind: "refused", why: refused };
    const person = reachesAgent(recognition) ? body.sender?.person : undefined;
    const over = person && (await parts.takeQuota(message.runId, person));
    if (over) return { kind: "refused", why: over.why, tell: over };
    const { runId, channel, account, messageId } = message;
    const address = { runId, channel, account, messageId, agentId, sessionKey };
    const admitted = { ...address, body: { ...body, matchedBy }, admittedAt: clock.now() };
    const outcome = await admit(await prepare(admitted, recognition, { recognise, runCommands }));
    if (outcome.kind === "accepted") tellGiven(recognition, sessionKey, commanderOf(channel, body));
    return outcome;
  }

  /** Those that begin a conversation anew are told before they do. */
  function tellGiven(recognition: Recognition, sessionKey: string, by: Commander): void {
    const calls = recognition.kind === "command" ? [recognition.call] : [];
    for (const { name, args } of recognition.kind === "inline" ? recognition.calls : calls)
      if (name !== "new" && name !== "reset")
        parts.hooks.given(name, sessionKey, {
          source: by.source,
          senderId: by.senderId,
          ...(args ? { text: args } : {}),
        });
  }

  /** A session that is told to be silent still listens to commands: one of them lets it speak again. */
  async function isSilenced(
    sessionKey: string,
    channel: string,
    { origin }: MessageBody,
    recognition: Recognition,
  ): Promise<boolean> {
    if (recognition.kind === "command" || recognition.kind === "stop") return false;
    // The first message of a chat has no session yet that could say what kind of chat it is.
    return parts.sendPolicy(sessionKey, channel, await ledger.session(sessionKey), origin?.chat.kind) === "deny";
  }

  /** A new start is made at once; what was written behind it may hold directives of its own. */
  async function prepare(
    message: InboxMessage & { body: MessageBody },
    recognition: Recognition,
    { recognise, runCommands }: { recognise(of: MessageBody): Recognition } & Pick<TurnRunner, "runCommands">,
  ): Promise<InboxMessage> {
    const { body, sessionKey } = message;
    if (recognition.kind === "text") return message;
    const recognised = { ...message, body: { ...body, recognised: { ...recognition } } };
    if (recognition.kind !== "command" || !["new", "reset"].includes(recognition.call.name)) return recognised;
    const { outcome } = await runCommands({ message: recognised, state: "queued" }, recognised.body);
    if (outcome.kind !== "reset") return recognised;
    const action = recognition.call.name === "new" ? "new" : "reset";
    await reset(sessionKey, action, commanderOf(message.channel, { ...body, text: outcome.rest }));
    if (outcome.model) await parts.chooseModel(sessionKey, outcome.model);
    if (outcome.rest === "") return { ...message, body: { ...body, instruction: GREETING } };
    const rest = { ...body, text: outcome.rest };
    const more = recognise(rest);
    return { ...message, body: more.kind === "inline" ? { ...rest, recognised: { ...more } } : rest };
  }

  async function admit(message: InboxMessage): Promise<InboundOutcome> {
    const record: RunRecord = { message, state: "queued" };
    // What has to be read is read before anything is promised; behind the promise nothing can fail or change its place.
    const queue = await line.queueFor(record);
    const admission = await ledger.admit(message);
    if (admission.kind === "duplicate") return duplicate(admission.run);
    const { runId, sessionKey, admittedAt } = message;
    return { kind: "accepted", runId, sessionKey, acceptedAt: admittedAt, done: line.enqueue(record, queue) };
  }

  function duplicate(run: RunRecord): InboundOutcome {
    const done = runs.waitFor(run.message.runId);
    return { kind: "duplicate", run, ...(done ? { done } : {}) };
  }

  function stop(sessionKey: string, cause: StopCause, runId?: string): string[] {
    return lanes.stop(sessionKey, cause, runId);
  }

  /** Stops what was asked for before this message. What came behind it is none of its business. */
  async function stopEarlier({ sessionKey, admittedAt }: InboxMessage): Promise<void> {
    for (const runId of lanes.runIds(sessionKey)) {
      const run = await ledger.run(runId);
      if (run && run.message.admittedAt < admittedAt) stop(sessionKey, "stop", runId);
    }
  }

  /** Stops what runs in the session, waits for it, and starts the session anew. */
  async function reset(sessionKey: string, action: "new" | "reset", by: Commander) {
    await parts.endHelpers(sessionKey, "session-reset");
    stop(sessionKey, "rpc");
    const waited = await Promise.race([
      lanes.settled(sessionKey).then(() => true),
      new Promise<boolean>((resolve) => clock.after(RESET_WAIT_MS, () => resolve(false))),
    ]);
    if (!waited) throw new GatewayError("PROTOCOL_UNAVAILABLE", `session ${sessionKey} is still active`);
    // Before it is over: what a handler keeps of it is not lost when this process ends here, but kept once more.
    await parts.hooks.command(action, sessionKey, by);
    return sessions.reset(sessionKey);
  }

  /** After a start: every message that was accepted and not answered goes back into its lane, in order. */
  async function resume(): Promise<number> {
    const unfinished = await ledger.unfinishedRuns();
    const known = new Set(listAgents(parts.agents()).map(({ id }) => id));
    for (const record of unfinished) {
      const { agentId, sessionKey, runId } = record.message;
      void line.enqueue(record, await line.queueFor(record), true);
      // What it may do went with its agent; no lane moves before this is settled.
      if (!known.has(agentId)) stop(sessionKey, "rpc", runId);
    }
    if (unfinished.length > 0) log.info("taking up unanswered messages", { count: unfinished.length });
    return unfinished.length;
  }

  /** What nobody sent: admitted and run like a message, once per run id, and never taken for a command. */
  async function ownWork(channel: string, work: OwnWork): Promise<InboundOutcome> {
    const { runId } = work;
    const message = { ...work, channel, account: "default", messageId: runId, admittedAt: clock.now() };
    line.release(work.sessionKey);
    return admit(message);
  }
  const chore = (work: OwnWork) => ownWork(CHORES, work);
  const errand = (kind: ErrandKind, work: OwnWork) => ownWork(kind, work);

  const { takeSteering, settle } = line;
  return { receive, receiveFromChannel, takeSteering, settle, stop, stopEarlier, reset, resume, chore, errand };
}

/** What is answered without a model costs nobody anything; a new conversation begins with a greeting. */
function reachesAgent(recognition: Recognition): boolean {
  if (recognition.kind === "inline") return recognition.text !== "";
  return recognition.kind !== "command" || ["new", "reset"].includes(recognition.call.name);
}

function commanderOf(source: string, { sender, text }: MessageBody): Commander {
  return { source, senderId: sender?.id ?? "", ...(text ? { text } : {}) };
}

function senderOf({ sender, body }: Inbound): NonNullable<MessageBody["sender"]> {
  return {
    kind: "operator",
    id: body.client?.id ?? "",
    ...(body.client?.name ? { name: body.client.name } : {}),
    ...grantsOf(sender.scopes),
  };
}

/** What somebody who came through our own door may ask of the gateway in a chat. */
export function grantsOf(scopes: readonly string[]) {
  const isOwner = scopes.includes("operator.admin");
  return {
    isOwner,
    standing: isOwner ? ("owner" as const) : ("operator" as const),
    isAuthorised: isOwner || scopes.includes("operator.write"),
    canApprove: isOwner || scopes.includes("operator.approvals"),
  };
}

export type InboundFlow = ReturnType<typeof createInbound>;
