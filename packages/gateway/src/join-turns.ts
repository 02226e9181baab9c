// Joins the rooms into what happens to a message in its lane: turn, commands, chores.
import { modelOverrideOf, rightsOf, type Clock, type Ledger, type RunRecord } from "@chela/sdk";
import { contextSettings } from "./agent/room.ts";
import type { Approvals } from "./approvals/room.ts";
import type { AuditTrail } from "./audit/room.ts";
import type { LogSink } from "./base/log.ts";
import type { Budgets } from "./budgets/room.ts";
import { accountSettings } from "./channels/room.ts";
import { createCommandRunner } from "./command-world/command-world.ts";
import { commandSettings, historyLimit, type AgentSettings, type ConfigStore } from "./config/room.ts";
import type { Outbox } from "./delivery/room.ts";
import { ContextKeeper } from "./flow/context-keeper.ts";
import type { InboundFlow } from "./flow/inbound.ts";
import type { Workbench } from "./flow/line.ts";
import { MessageBody, requesterOf } from "./flow/message-body.ts";
import { patientCommit } from "./flow/patient-commit.ts";
import { runCommand } from "./flow/run-command.ts";
import { sayInSession } from "./flow/say-in-session.ts";
import type { TurnBus } from "./flow/turn-bus.ts";
import type { TurnParts } from "./flow/turn-parts.ts";
import { setStage } from "./flow/turn-stage.ts";
import { runTurn } from "./flow/turn.ts";
import { choreFor, runCompaction } from "./flow/upkeep.ts";
import type { Prompts } from "./join-prompt.ts";
import type { Models } from "./models/room.ts";
import { rememberByConfig } from "./remember-by-config.ts";
import { listAgents } from "./routing/room.ts";
import {
  isStale,
  resetRuleFor,
  resetTypeOf,
  type Branches,
  type Lanes,
  type SessionStore,
  type Transcripts,
} from "./sessions/room.ts";
import type { Sandboxes } from "./sandbox/room.ts";
import type { Subagents } from "./subagents/room.ts";
import type { Toolbox, ToolSubject } from "./tools/room.ts";
import { findRequester } from "./who-is-behind.ts";

export interface TurnRoomParts {
  readonly version: string;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly ledger: Ledger;
  readonly models: Models;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly branches: Branches;
  readonly lanes: Lanes;
  readonly bus: TurnBus;
  readonly outbox: Outbox;
  readonly tools: Toolbox;
  readonly approvals: Approvals;
  readonly budgets: Budgets;
  readonly audit: AuditTrail;
  readonly sandboxes: Pick<Sandboxes, "need" | "ready">;
  readonly prompts: Prompts;
  readonly writeReply: TurnParts["writeReply"];
  readonly takeIn: TurnParts["takeIn"];
  readonly filesBehind: TurnParts["filesBehind"];
  /** Ends what waits for the disk. */
  readonly shutdown: AbortSignal;
  readonly restart: () => void;
  inbound(): InboundFlow;
  subagents(): Promise<Subagents>;
  agentOf(agentId: string): AgentSettings;
  /** Makes sure that a conversation that lies in files is there before it is continued. */
  completeImport(sessionKey: string): Promise<void>;
}

const MAX_STEPS = 100;

export function joinTurns(parts: TurnRoomParts): Workbench {
  const { clock, log, config, ledger, models, sessions, transcripts, lanes, tools, prompts } = parts;
  const keeper = new ContextKeeper();
  const context = rememberByConfig(config, (agentId: string) =>
    contextSettings(config.current(), { anthropic: models.hasCredential("anthropic", agentId) }),
  );

  const candidates: TurnParts["candidates"] = (agentId, entry, terms) =>
    models.candidates({ agentId, override: terms?.model ?? modelOverrideOf(entry), fallbacks: terms?.fallbacks });

  const turnParts: TurnParts = {
    ledger,
    clock,
    log,
    sessions,
    transcripts,
    tools,
    keeper,
    budgets: parts.budgets,
    candidates,
    commit: patientCommit(ledger, clock, log, parts.shutdown),
    settings(agentId) {
      const { timeoutSeconds, thinkingDefault, userTimezone } = parts.agentOf(agentId);
      return {
        timeoutMs: timeoutSeconds * 1e3,
        maxSteps: MAX_STEPS,
        context: context(agentId),
        ...(userTimezone ? { timeZone: userTimezone } : {}),
        ...(thinkingDefault ? { thinking: thinkingDefault } : {}),
      };
    },
    isOver({ sessionKey, channel }, entry) {
      const rule = resetRuleFor(config.current().session, { channel, type: resetTypeOf(sessionKey) });
      return isStale(entry, rule, clock.now()) !== undefined;
    },
    historyLimit: ({ channel, account, agentId }) =>
      historyLimit(config.current(), accountSettings(config.current(), channel, account) ?? {}, agentId),
    workspace: (agentId) => parts.agentOf(agentId).workspace,
    requester: (message, body) => findRequester(message, body, ledger),
    async subject({ agentId, sessionKey, body }, entry, requester) {
      // With the first turn it is decided which conversations are kept in a sandbox.
      await parts.sandboxes.ready();
      return {
        agentId,
        sessionKey,
        ...groupOf(body as MessageBody),
        sandboxed: parts.sandboxes.need({ agentId, sessionKey, requester }).kind === "required",
        ...(entry.spawnDepth === undefined ? {} : { subagentDepth: entry.spawnDepth }),
      };
    },
    prompt: (question) => prompts.prepare(question),
    async refresh(agentId, sessionId) {
      prompts.renew(sessionId);
      return prompts.rules(agentId);
    },
    runCommands: (record, body) => runner.run(record, body),
    converse: (call, signal) => models.converse(call, signal),
    emit: (event) => parts.bus.emit(event),
    outboxRows: (items, at) => parts.outbox.rows(items, at),
    deliver: (items) => parts.outbox.sendRows(items),
    writeReply: parts.writeReply,
    takeIn: parts.takeIn,
    filesBehind: parts.filesBehind,
    steering: (record) => parts.inbound().takeSteering(record),
    settle: (record, outcome) => parts.inbound().settle(record, outcome),
    async afterTurn(message, entry, model) {
      const { agentId, sessionKey, body } = message;
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      const requester = await findRequester(message, MessageBody().parse(body), ledger);
      const knows = rightsOf(requester, sessionKey).notes;
      const chore = choreFor(entry, model, context(agentId), { today, mayKnowNotes: knows });
      if (chore) await parts.inbound().chore({ runId: chore.runId, agentId, sessionKey, body: chore.body });
    },
  };

  const runner = createCommandRunner({
    version: parts.version,
    startedAt: parts.startedAt,
    clock,
    ledger,
    config,
    models,
    transcripts,
    branches: parts.branches,
    approvals: parts.approvals,
    budgets: parts.budgets,
    audit: parts.audit,
    inbound: () => parts.inbound(),
    subagents: () => parts.subagents(),
    isBusy: (sessionKey) => lanes.runIds(sessionKey).length > 0,
    settings: () => commandSettings(config.current()),
    workspace: (agentId) => parts.agentOf(agentId).workspace,
    agents: () => listAgents(config.current()),
    restart: () => parts.restart(),
    async tools(message, body, entry) {
      const [model] = await candidates(message.agentId, entry);
      if (!model) return [];
      const requester = requesterOf(message, body);
      const subject = await turnParts.subject(message, entry, requester);
      return tools.for({ ...subject, model, requester }).described.map(({ name }) => name);
    },
    async contextReport(message, body, entry) {
      const stage = await setStage(message, body, entry, turnParts);
      const { messages } = await transcripts.read(entry.sessionId);
      return {
        usedTokens: entry.totalTokens ?? 0,
        windowTokens: stage.model.contextWindow,
        systemChars: stage.prompt.system.length,
        messages: messages.length,
        files: await prompts.files(message.agentId, message.sessionKey, entry.sessionId),
        tools: stage.tools.described.map((tool) => ({ name: tool.name, chars: JSON.stringify(tool).length })),
        skills: [],
      };
    },
  });

  const turn = async (record: RunRecord, signal: AbortSignal, others: readonly RunRecord[]) => {
    const { sessionKey, body } = record.message;
    if (record.state === "queued") await parts.completeImport(sessionKey);
    const chore = body["chore"] === undefined ? undefined : MessageBody().parse(body).chore;
    if (chore?.kind === "compaction") return runCompaction(record, turnParts, signal);
    if (chore?.kind === "say") return sayInSession(record, turnParts);
    return runTurn(record, turnParts, signal, others);
  };

  return {
    commands: runner.commands,
    runCommands: (record, body) => runner.run(record, body),
    command: (record) => runCommand(record, turnParts),
    turn,
  };
}

/** The operator's limits on tools for the group a message was written in. */
function groupOf({ origin }: MessageBody): Pick<ToolSubject, "group"> {
  return origin?.group ? { group: origin.group as NonNullable<ToolSubject["group"]> } : {};
}
