// Workers: other agents that answer in place of a model. One process for each worker and place, started with the first need, let
// go when idle, kept from starting again and again, and ended with everything it started.
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import {
  GatewayError,
  once,
  type Clock,
  type ImageBlock,
  type Ledger,
  type Logger,
  type Requester,
  type RunningService,
  type SandboxView,
} from "@chela/sdk";
import { isInside } from "@chela/sdk/files";
import { signalTree } from "../../../base/process-tree.ts";
import { startTimeOf } from "../../../base/processes.ts";
import { RpcFault } from "../wire/rpc-peer.ts";
import type { StopReason } from "../wire/session-blocks.ts";
import type { PermissionQuestion, SessionUpdate } from "../wire/agent-frames.ts";
import { AgentProcess } from "./agent-process.ts";
import { canLast, optionFor, subjectOf, type Decision } from "./permission.ts";
import { findWorker, type WorkerChoice, type WorkerConfig } from "./settings.ts";
import { PROCESSES } from "./left-workers.ts";
import { startHere, startInside, type StartedAgent } from "./start-agent.ts";

export interface WorkersHouse {
  readonly clock: Clock;
  readonly log: Logger & { redact(text: string): string };
  readonly ledger: Pick<Ledger, "value" | "commit">;
  readonly config: { current(): WorkerConfig };
  readonly version: string;
  /** What `~/` means. */
  readonly home: string;
  workspaceOf(agentId: string): string;
  /** The sandbox of the conversation; undefined when it is kept in none. */
  enterSandbox(subject: WorkerSubject): Promise<SandboxView | undefined>;
  /** Puts a question to the people who may answer; null means that nobody did. */
  ask(question: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Decision>;
}

export interface WorkerSubject {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly requester: Requester;
}

export interface WorkerTurn extends WorkerSubject {
  readonly runId: string;
  /** Of the transcript: a conversation that begins anew begins anew with its worker. */
  readonly sessionId: string;
  readonly choice: WorkerChoice;
  readonly text: string;
  readonly images: readonly ImageBlock[];
  hear(update: SessionUpdate): void;
  /** Told to the sender besides the answer. */
  notice(sentence: string): void;
}

export type WorkerAnswer =
  | { readonly kind: "ended"; readonly stopReason: StopReason }
  /** One or two sentences for the person. */
  | { readonly kind: "failed"; readonly why: string };

export interface Workers extends RunningService {
  /** Never repeats: what failed in the middle is told as that. */
  answer(turn: WorkerTurn, signal: AbortSignal): Promise<WorkerAnswer>;
  /** Those that run. */
  list(): ReadonlyArray<{
    readonly worker: string;
    readonly pid?: number;
    readonly place: string;
    readonly busy: number;
  }>;
  close(): Promise<void>;
}

interface Running {
  readonly name: string;
  readonly place: string;
  readonly started: StartedAgent;
  readonly process: AgentProcess;
  busy: number;
  isGreeted: boolean;
  isOver: boolean;
  cancelIdle: (() => void) | undefined;
}

const Left = once(() => z.array(z.object({ pid: z.int(), startTime: z.number() })));
const Kept = once(() => z.object({ worker: z.string(), of: z.string(), sessionId: z.string(), cwd: z.string() }));

const GREET_MS = 60_000;
const MOST_FALLS = 3;
const REST_MS = 30_000;
const TTL_MINUTES = 15;
const MOST_SESSIONS = 8;

export function createWorkers(house: WorkersHouse): Workers {
  const { clock, log, ledger, config } = house;
  const running = new Map<string, Promise<Running>>();
  const open = new Set<Running>();
  const falls = new Map<string, { count: number; at: number }>();
  let isClosed = false;
  let atWork = 0;

  async function answer(turn: WorkerTurn, signal: AbortSignal): Promise<WorkerAnswer> {
    const { choice } = turn;
    const found = findWorker(config.current(), choice.worker);
    if (found.kind === "refused") return failed(found.why);
    const most = config.current().acp?.maxConcurrentSessions ?? MOST_SESSIONS;
    if (atWork >= most)
      return failed(`${atWork} workers are at work, and ${most} is the most (acp.maxConcurrentSessions).`);
    atWork += 1;
    let worker: Running | undefined;
    try {
      const sandbox = await house.enterSandbox(turn);
      if (!sandbox && turn.requester.standing !== "owner") {
        return failed("Only an owner's workers run outside of a sandbox, and this conversation has none.");
      }
      const place = sandbox ? { kind: "found" as const, cwd: sandbox.workdir } : folderFor(turn);
      if (place.kind === "refused") return failed(place.why);
      const { cwd } = place;
      worker = await take(found.name, found.program, sandbox, cwd);
      return await converse(worker, turn, cwd, signal);
    } catch (error) {
      return failed(await explain(choice.worker, error, worker));
    } finally {
      atWork -= 1;
      if (worker) letGo(worker);
    }
  }

  function folderFor({ choice, agentId }: WorkerTurn) {
    const workspace = house.workspaceOf(agentId);
    const cwd = resolve(
      workspace,
      (choice.cwd ?? "").replace(/^~(?=\/|$)/, () => house.home),
    );
    if (!existsSync(cwd))
      return { kind: "refused" as const, why: `The worker cannot begin: there is no folder ${cwd}.` };
    if (choice.isAsked && !isInside(realpathSync(workspace), realpathSync(cwd))) {
      const why = `The worker cannot begin in ${cwd}: an agent may only name folders of its workspace.`;
      return { kind: "refused" as const, why };
    }
    return { kind: "found" as const, cwd };
  }

  async function converse(worker: Running, turn: WorkerTurn, cwd: string, signal: AbortSignal): Promise<WorkerAnswer> {
    const sessionId = await sessionOf(worker, turn, cwd);
    const said = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
    const seen = worker.process.takesImages
      ? turn.images.map(({ mimeType, data }) => ({ type: "image", mimeType, data }))
      : [];
    if (turn.images.length > seen.length) turn.notice("The worker cannot look at pictures: they were left out.");
    const hearer = {
      update: (update: SessionUpdate) => turn.hear(update),
      permit: (question: PermissionQuestion, taken: AbortSignal) =>
        permit(worker.name, turn, cwd, question, AbortSignal.any([taken, signal])),
    };
    const stopReason = await worker.process.prompt(sessionId, [...said, ...seen], hearer, signal);
    return { kind: "ended", stopReason };
  }

  /** The worker's own session of this conversation, also of one that ran before. */
  async function sessionOf(worker: Running, turn: WorkerTurn, cwd: string): Promise<string> {
    const key = `acp.session:${turn.sessionKey}`;
    const value = await ledger.value(key);
    const kept = value === undefined ? undefined : Kept().safeParse(JSON.parse(value)).data;
    const isOurs = kept?.worker === worker.name && kept.of === turn.sessionId && kept.cwd === cwd;
    if (kept && isOurs) {
      if (worker.process.has(kept.sessionId) || (await worker.process.takeUp(kept.sessionId, cwd)))
        return kept.sessionId;
      turn.notice(`${worker.name} was started anew and does not remember what was said before.`);
    }
    const sessionId = await worker.process.begin(cwd);
    const next = { worker: worker.name, of: turn.sessionId, sessionId, cwd };
    await ledger.commit([{ kind: "value-put", key, value: JSON.stringify(next) }]);
    return sessionId;
  }

  /** Never a silent no: what nobody could answer is said. */
  async function permit(
    worker: string,
    turn: WorkerTurn,
    cwd: string,
    { toolCall, options }: PermissionQuestion,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { agentId, sessionKey, runId } = turn;
    const command = subjectOf(worker, toolCall);
    const more = canLast(options) ? {} : { onlyOnce: true };
    const reason = `The worker ${worker} asks before it does this; what always means, it decides itself.`;
    const asked = { command, cwd, agentId, sessionKey, runId, host: "acp", reason, ...more };
    const decision = await house.ask(asked, signal);
    if (decision === null && !signal.aborted) {
      turn.notice(
        `${worker} wanted to do this, and nobody who may allow it answered, so it was refused: ${command.slice(0, 300)}`,
      );
    }
    return optionFor(options, decision);
  }

  function take(
    name: string,
    program: {
      command: string;
      args?: readonly string[] | undefined;
      env?: Readonly<Record<string, string>> | undefined;
    },
    sandbox: SandboxView | undefined,
    cwd: string,
  ): Promise<Running> {
    const { command, args = [], env = {} } = program;
    const place = sandbox ? `sandbox ${sandbox.scope}` : "here";
    const key = JSON.stringify([name, command, args, env, place]);
    const known = running.get(key);
    const wanted = known ?? start(key, name, { command, args, env }, sandbox, cwd, place);
    running.set(key, wanted);
    return wanted.then((worker) => {
      worker.cancelIdle?.();
      worker.cancelIdle = undefined;
      worker.busy += 1;
      return worker;
    });
  }

  async function start(
    key: string,
    name: string,
    program: { command: string; args: readonly string[]; env: Readonly<Record<string, string>> },
    sandbox: SandboxView | undefined,
    cwd: string,
    place: string,
  ): Promise<Running> {
    try {
      if (isClosed) throw new GatewayError("TURN_FAILED", "the gateway is stopping");
      refuseWhileResting(key);
      const facts = {
        clock,
        version: house.version,
        complain: (why: string) => log.debug("a worker's frame", { name, why }),
      };
      const process = new AgentProcess(facts);
      const heard = (chunk: Buffer): void => process.take(chunk);
      const started = sandbox ? await startInside(program, sandbox, heard) : startHere(program, cwd, heard, clock);
      const worker: Running = {
        name,
        place,
        started,
        process,
        busy: 0,
        isGreeted: false,
        isOver: false,
        cancelIdle: undefined,
      };
      open.add(worker);
      void started.ended.then((how) => ended(key, worker, how));
      await noteProcesses();
      const cancel = clock.after(GREET_MS, () => void started.end());
      await process
        .greet(started, facts)
        .finally(cancel)
        .catch((error: unknown) => rejectStart(worker, error));
      worker.isGreeted = true;
      return worker;
    } catch (error) {
      running.delete(key);
      throw error;
    }
  }

  /** How it ended says more than that nobody answers any more. */
  async function rejectStart({ started }: Running, error: unknown): Promise<never> {
    const own = Promise.race([started.ended, Promise.resolve(undefined)]);
    const how = await own;
    await started.end();
    const why = how ?? (error instanceof RpcFault ? error.message : String(error));
    throw new GatewayError("TURN_FAILED", why.startsWith("the other side is gone") ? await started.ended : why);
  }

  function ended(key: string, worker: Running, how: string): void {
    worker.isOver = true;
    open.delete(worker);
    running.delete(key);
    worker.cancelIdle?.();
    void noteProcesses().catch(() => {});
    if (isClosed || (worker.isGreeted && worker.busy === 0)) return;
    const last = falls.get(key);
    const count = last && clock.steady() - last.at < REST_MS ? last.count + 1 : 1;
    falls.set(key, { count, at: clock.steady() });
    log.warn("a worker ended while it was needed", { worker: worker.name, how: log.redact(how) });
  }

  function refuseWhileResting(key: string): void {
    const fallen = falls.get(key);
    if (!fallen || fallen.count < MOST_FALLS || clock.steady() - fallen.at >= REST_MS) return;
    throw new GatewayError(
      "TURN_FAILED",
      `it ended ${fallen.count} times in a row; it is started again in half a minute`,
    );
  }

  function letGo(worker: Running): void {
    worker.busy -= 1;
    if (worker.busy > 0 || worker.isOver) return;
    const minutes = config.current().acp?.runtime?.ttlMinutes ?? TTL_MINUTES;
    worker.cancelIdle = clock.after(minutes * 60_000, () => void worker.started.end());
  }

  /** By their numbers and the moments they began, so that the next start ends those that a crash left. */
  async function noteProcesses(): Promise<void> {
    const left = [...open].flatMap(({ started: { pid } }) => {
      const startTime = pid === undefined ? undefined : startTimeOf(pid);
      return pid === undefined || startTime === undefined ? [] : [{ pid, startTime }];
    });
    await ledger.commit([{ kind: "value-put", key: PROCESSES, value: JSON.stringify(left) }]);
  }

  async function explain(name: string, error: unknown, worker: Running | undefined): Promise<string> {
    if (GatewayError.is(error)) return `${name} does not answer: ${error.detail}.`;
    if (!(error instanceof RpcFault)) throw error;
    // How it ended says more than that nobody answers any more.
    const how = worker?.isOver ? await worker.started.ended : error.message;
    const asked = worker ? " What it had done by then is not known, so it was not asked again." : "";
    return log.redact(`${name} does not answer: ${how}.${asked}`);
  }

  return {
    answer,
    list: () =>
      [...open].map(({ name, place, busy, started: { pid } }) => ({
        worker: name,
        place,
        busy,
        ...(pid === undefined ? {} : { pid }),
      })),
    async close() {
      isClosed = true;
      await Promise.all([...open].map(({ started }) => started.end()));
    },
  };
}

/** What an earlier process of the gateway left running. */
export async function endLeftBehind({ ledger, log }: Pick<WorkersHouse, "ledger" | "log">): Promise<void> {
  const value = await ledger.value(PROCESSES);
  const left = value === undefined ? [] : (Left().safeParse(JSON.parse(value)).data ?? []);
  const alive = left.filter(({ pid, startTime }) => startTimeOf(pid) === startTime).map(({ pid }) => pid);
  if (alive.length > 0) {
    log.info("workers an earlier process left are ended", { count: alive.length });
    signalTree(alive, "SIGKILL");
  }
  if (left.length > 0) await ledger.commit([{ kind: "value-put", key: PROCESSES, value: "[]" }]);
}

const failed = (why: string): WorkerAnswer => ({ kind: "failed", why });
