// Receive: the one way in. Every message walks these numbered steps, through whichever door it came.
import { type ErrandKind, type InboxMessage, type Received, type RunRecord, OneAtATime } from "@chela/sdk";
import type { CommandCall, Recognition } from "../rooms/commands/room.ts";
import { commandSettings } from "../rooms/config/room.ts";
import { listAgents } from "../rooms/routing/room.ts";
import type { House } from "../house/house.ts";
import { answerEvent, type EventOutcome } from "./answer-event.ts";
import type {
  AdmittedRoute,
  Arrival,
  ChannelArrival,
  ClientArrival,
  InboundOutcome,
  NodeArrival,
  OwnWork,
} from "./arrival.ts";
import { EndConversations, commanderOf, type Commander } from "./end-conversations.ts";
import { judge } from "./judge.ts";
import { CHORES, requesterOf, type MessageBody } from "./message-body.ts";
import { Queue, type TurnRunner } from "./queue.ts";
import { routeOf } from "./route.ts";
import { sendPolicyOf } from "./send-policy-of.ts";
import type { StopCause } from "./turn/outcome.ts";

/** A message whose route and sender are settled. */
export type JudgedMessage = Pick<Arrival, "runId" | "channel" | "account" | "messageId"> & {
  readonly route: AdmittedRoute;
  readonly body: MessageBody;
};

interface Walked {
  readonly outcome: EventOutcome;
  /** Of a sender who may speak. */
  readonly message?: JudgedMessage;
}

/** What a bare /new or /reset asks the agent. */
const GREETING =
  "A new conversation begins. Greet the person in one or two sentences and ask what they would like to do.";

export class Inbound {
  readonly #house: House;
  readonly #queue: Queue;
  readonly #ends: EndConversations;
  /** A repeated message must see what became of the first, and events of one chat are taken in the order they came. */
  readonly #arrivals = new OneAtATime();

  constructor(house: House) {
    this.#house = house;
    this.#queue = new Queue(house);
    this.#ends = new EndConversations(house);
  }

  /** A message of our own clients, or of a node. */
  async receive(arrival: ClientArrival | NodeArrival): Promise<InboundOutcome> {
    const receivedAt = this.#house.clock.now();
    const { outcome } = await this.#arrivals.run(arrival.runId, () => this.#walk(arrival, receivedAt));
    if (outcome.kind === "failed") throw outcome.error;
    return outcome.kind === "settled" ? { kind: "refused", why: outcome.why } : outcome;
  }

  /** An event of a channel, which is acknowledged to its platform once this resolves. */
  receiveEvent(arrival: ChannelArrival): Promise<Received> {
    const receivedAt = this.#house.clock.now();
    const chat = JSON.stringify([arrival.channel, arrival.account, arrival.event.chat.id]);
    return this.#arrivals.run(chat, async () => {
      const { outcome, message } = await this.#walk(arrival, receivedAt);
      return answerEvent(arrival, outcome, message, this.#house);
    });
  }

  /** The list. Each step may end it; until step 9 nothing was promised to anybody. */
  async #walk(arrival: Arrival, receivedAt: number): Promise<Walked> {
    // 1. Route: which agent, which conversation.
    const route = await routeOf(arrival, this.#house);
    if (route.kind === "unroutable") return { outcome: this.#tellLog(arrival, { kind: "refused", why: route.why }) };
    // 2. Judge: may this sender speak here, and with which rights. A failure up to here lets an event come again.
    const judged = await judge(arrival, route, receivedAt, this.#house);
    if (judged.kind === "settled") return { outcome: judged };
    if (judged.kind === "denied") return { outcome: this.#tellLog(arrival, { kind: "refused", why: judged.why }) };
    const { runId, channel, account, messageId } = arrival;
    const message = { runId, channel, account, messageId, route, body: judged.body };
    try {
      return { message, outcome: this.#tellLog(message, await this.#take(message)) };
    } catch (error) {
      return { message, outcome: { kind: "failed", error } };
    }
  }

  async #take(message: JudgedMessage): Promise<InboundOutcome> {
    const { body, route } = message;
    const { ledger, hookTeller, people, config, turnServices } = this.#house;
    // 3. Recognise: which words are for the gateway; the answer is kept with the message.
    const { commands, runCommands } = await turnServices();
    const recognise = (of: MessageBody): Recognition =>
      of.isPassedOn
        ? { kind: "text", text: of.text }
        : commands.recognise(of.text, requesterOf(message, of), commandSettings(config.current()));
    const recognition = recognise(body);
    // 4. Silenced: a conversation that is told to be silent still listens to commands, one of which lets it speak again.
    if (await this.#isSilenced(message, recognition)) return { kind: "refused", why: "send blocked by session policy" };
    // 5. Seen before: the first one is answered, this one is told of it.
    const seen = await ledger.run(message.runId);
    if (seen) return this.#duplicate(seen);
    // 6. Stop acts at once; a command of somebody who may not give it is passed over.
    if (recognition.kind === "stop") return this.#ends.stopAsked(message);
    if (recognition.kind === "ignored") return { kind: "ignored", sessionKey: route.sessionKey };
    // 7. Veto: the owner's handlers may refuse it.
    const refused = await hookTeller.received(message, route, body);
    if (refused !== undefined) return { kind: "refused", why: refused };
    // 8. Quota: people whose messages are limited.
    const person = reachesAgent(recognition) ? body.sender?.person : undefined;
    const over = person && (await people.takeQuota(message.runId, person));
    if (over) return { kind: "refused", why: over.why, tell: over };
    // 9. Admit: on the disk, then in the queue.
    const outcome = await this.#admit(await this.#prepare(message, recognition, { recognise, runCommands }));
    if (outcome.kind === "accepted") this.#tellGiven(recognition, message);
    return outcome;
  }

  async #isSilenced({ channel, route, body }: JudgedMessage, recognition: Recognition): Promise<boolean> {
    if (recognition.kind === "command" || recognition.kind === "stop") return false;
    const { sessionKey } = route;
    // The first message of a chat has no session yet that could say what kind of chat it is.
    const entry = await this.#house.ledger.session(sessionKey);
    return sendPolicyOf(this.#house.config, sessionKey, channel, entry, body.origin?.chat.kind) === "deny";
  }

  /** A new start is made at once; what was written behind it may hold directives of its own. */
  async #prepare(
    { runId, channel, account, messageId, route, body: judged }: JudgedMessage,
    recognition: Recognition,
    { recognise, runCommands }: { recognise(of: MessageBody): Recognition } & Pick<TurnRunner, "runCommands">,
  ): Promise<InboxMessage> {
    const { agentId, sessionKey, matchedBy } = route;
    const body = { ...judged, matchedBy };
    const admittedAt = this.#house.clock.now();
    const message = { runId, channel, account, messageId, agentId, sessionKey, body, admittedAt };
    if (recognition.kind === "text") return message;
    const skill = recognition.kind === "command" ? await this.#skillNamed(recognition.call, agentId) : undefined;
    if (skill) return { ...message, body: { ...body, skill } };
    const recognised = { ...message, body: { ...body, recognised: { ...recognition } } };
    if (recognition.kind !== "command" || !["new", "reset"].includes(recognition.call.name)) return recognised;
    const { outcome } = await runCommands({ message: recognised, state: "queued" }, recognised.body);
    if (outcome.kind !== "reset") return recognised;
    const action = recognition.call.name === "new" ? "new" : "reset";
    await this.reset(sessionKey, action, commanderOf(channel, { ...body, text: outcome.rest }));
    if (outcome.model) await this.#chooseModel(sessionKey, outcome.model);
    if (outcome.rest === "") return { ...message, body: { ...body, instruction: GREETING } };
    const rest = { ...body, text: outcome.rest };
    const more = recognise(rest);
    return { ...message, body: more.kind === "inline" ? { ...rest, recognised: { ...more } } : rest };
  }

  /** A skill goes to the model, with what was written behind its name; all else about skills is answered without one. */
  async #skillNamed({ name, args }: CommandCall, agentId: string): Promise<MessageBody["skill"]> {
    if (name !== "skill" || args === "") return undefined;
    const [written = "", ...words] = args.split(/(?<=^\S+)\s+/);
    const found = (await this.#house.skills()).skills.find(agentId, written);
    const isForModel = found?.state === "ready" && found.skill.isForPeople && found.skill.commandTool === undefined;
    return isForModel ? { name: found.name, input: words.join(" ") } : undefined;
  }

  /** The model a person named behind /new. */
  async #chooseModel(sessionKey: string, ref: string): Promise<void> {
    const { provider, id } = this.#house.models.resolve(ref);
    await this.#house.sessions.update(sessionKey, (entry) => ({
      ...entry,
      providerOverride: provider,
      modelOverride: id,
    }));
  }

  async #admit(message: InboxMessage): Promise<InboundOutcome> {
    const record: RunRecord = { message, state: "queued" };
    // What has to be read is read before anything is promised; behind the promise nothing can fail or change its place.
    const place = await this.#queue.placeFor(record);
    const admission = await this.#house.ledger.admit(message);
    if (admission.kind === "duplicate") return this.#duplicate(admission.run);
    const { runId, sessionKey, admittedAt } = message;
    return { kind: "accepted", runId, sessionKey, acceptedAt: admittedAt, done: this.#queue.enqueue(record, place) };
  }

  #duplicate(run: RunRecord): InboundOutcome {
    const done = this.#house.runs.waitFor(run.message.runId);
    return { kind: "duplicate", run, ...(done ? { done } : {}) };
  }

  /** Those that begin a conversation anew are told before they do. */
  #tellGiven(recognition: Recognition, { channel, route, body }: JudgedMessage): void {
    const { source, senderId } = commanderOf(channel, body);
    const calls = recognition.kind === "command" ? [recognition.call] : [];
    for (const { name, args } of recognition.kind === "inline" ? recognition.calls : calls)
      if (name !== "new" && name !== "reset")
        this.#house.hookTeller.given(name, route.sessionKey, { source, senderId, ...(args ? { text: args } : {}) });
  }

  #tellLog({ runId, channel }: Pick<Arrival, "runId" | "channel">, outcome: InboundOutcome): InboundOutcome {
    this.#house.log.info(`message ${outcome.kind}`, {
      run: runId,
      channel,
      ...(outcome.kind === "refused" ? { why: outcome.why } : {}),
      ...("sessionKey" in outcome ? { session: outcome.sessionKey } : {}),
    });
    return outcome;
  }

  /** After a start: every message that was accepted and not answered goes back into its lane, in order. */
  async resume(): Promise<number> {
    const { ledger, config, log } = this.#house;
    const unfinished = await ledger.unfinishedRuns();
    const known = new Set(listAgents(config.current()).map(({ id }) => id));
    for (const record of unfinished) {
      const { agentId, sessionKey, runId } = record.message;
      void this.#queue.enqueue(record, await this.#queue.placeFor(record), true);
      // What it may do went with its agent; no lane moves before this is settled.
      if (!known.has(agentId)) this.stop(sessionKey, "rpc", runId);
    }
    if (unfinished.length > 0) log.info("taking up unanswered messages", { count: unfinished.length });
    return unfinished.length;
  }

  /** The gateway's own work, and what one agent says to another: nobody sent it, so it begins with step 9. */
  chore(work: OwnWork): Promise<InboundOutcome> {
    return this.#ownWork(CHORES, work);
  }

  /** Work that became due by itself: a job, a beat, a webhook, a sub-agent's task. */
  errand(kind: ErrandKind, work: OwnWork): Promise<InboundOutcome> {
    return this.#ownWork(kind, work);
  }

  /** Admitted and run like a message, once per run id, and never taken for a command. */
  async #ownWork(channel: string, work: OwnWork): Promise<InboundOutcome> {
    const { runId } = work;
    const admittedAt = this.#house.clock.now();
    this.#queue.release(work.sessionKey);
    return this.#admit({ ...work, channel, account: "default", messageId: runId, admittedAt });
  }

  stop(sessionKey: string, cause: StopCause, runId?: string): string[] {
    return this.#house.lanes.stop(sessionKey, cause, runId);
  }
  stopEarlier(message: InboxMessage): Promise<void> {
    return this.#ends.stopEarlier(message);
  }
  reset(sessionKey: string, action: "new" | "reset", by: Commander) {
    return this.#ends.reset(sessionKey, action, by);
  }
  takeSteering(record: RunRecord) {
    return this.#queue.takeSteering(record);
  }
  settle(...ended: Parameters<Queue["settle"]>): void {
    this.#queue.settle(...ended);
  }
}

/** What is answered without a model costs nobody anything; a new conversation begins with a greeting. */
function reachesAgent(recognition: Recognition): boolean {
  if (recognition.kind === "inline") return recognition.text !== "";
  return recognition.kind !== "command" || ["new", "reset"].includes(recognition.call.name);
}
