// Joins the rooms into what happens to a message in its lane: turn, commands, chores.
import { writeReply } from "../reply/write-reply.ts";
import type { House } from "../../house/house.ts";
import { modelOverrideOf, rightsOf, type RunRecord } from "@chela/sdk";
import { contextSettings } from "../../rooms/agent/room.ts";
import type { Approvals } from "../../rooms/approvals/room.ts";
import { accountSettings } from "../../rooms/channels/room.ts";
import { createCommandRunner } from "../commands/command-world.ts";
import { commandSettings, historyLimit } from "../../rooms/config/room.ts";
import { ContextFitter } from "./context-fitter.ts";
import type { TurnRunner } from "../queue.ts";
import { MessageBody, requesterOf } from "../message-body.ts";
import { patientCommit } from "./patient-commit.ts";
import { runCommand } from "../commands/run-command.ts";
import { sayInSession } from "../say-in-session.ts";
import type { TurnParts } from "./parts.ts";
import { setStage } from "./stage.ts";
import { runTurn } from "./turn.ts";
import { choreFor, runCompaction } from "../upkeep.ts";
import type { Prompts } from "./prompt.ts";
import { rememberByConfig } from "../../house/remember-by-config.ts";
import { listAgents } from "../../rooms/routing/room.ts";
import { isStale, resetRuleFor, resetTypeOf } from "../../rooms/sessions/room.ts";
import type { Toolbox, ToolSubject } from "../../rooms/tools/room.ts";
import { findRequester } from "./initiator.ts";

type TurnHouse = Pick<
  House,
  | "version"
  | "startedAt"
  | "clock"
  | "log"
  | "config"
  | "ledger"
  | "models"
  | "sessions"
  | "transcripts"
  | "branches"
  | "lanes"
  | "bus"
  | "outbox"
  | "budgets"
  | "audit"
  | "sandboxes"
  | "channels"
  | "media"
  | "hookStarter"
  | "shutdown"
  | "restart"
  | "inbound"
  | "subagents"
  | "agentOf"
  | "files"
>;

export interface TurnRoomParts {
  readonly tools: Toolbox;
  readonly approvals: Approvals;
  readonly prompts: Prompts;
}

const MAX_STEPS = 100;

export function openTurns(house: TurnHouse, { tools, approvals, prompts }: TurnRoomParts): TurnRunner {
  const { clock, log, config, ledger, models, sessions, transcripts, lanes } = house;
  const keeper = new ContextFitter();
  const context = rememberByConfig(house, (agentId: string) =>
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
    budgets: house.budgets,
    candidates,
    commit: patientCommit(ledger, clock, log, house.shutdown.signal),
    settings(agentId) {
      const { timeoutSeconds, thinkingDefault, userTimezone } = house.agentOf(agentId);
      return {
        timeoutMs: timeoutSeconds * 1e3,
        maxSteps: MAX_STEPS,
        context: context(agentId),
        ...(userTimezone ? { timeZone: userTimezone } : {}),
        thinking: thinkingDefault,
      };
    },
    isOver({ sessionKey, channel }, entry) {
      const rule = resetRuleFor(config.current().session, { channel, type: resetTypeOf(sessionKey) });
      return isStale(entry, rule, clock.now()) !== undefined;
    },
    historyLimit: ({ channel, account, agentId }) =>
      historyLimit(config.current(), accountSettings(config.current(), channel, account) ?? {}, agentId),
    workspace: (agentId) => house.agentOf(agentId).workspace,
    requester: (message, body) => findRequester(message, body, ledger),
    async subject({ agentId, sessionKey, body }, entry, requester) {
      // With the first turn it is decided which conversations are kept in a sandbox.
      await house.sandboxes.ready();
      return {
        agentId,
        sessionKey,
        ...groupOf(body as MessageBody),
        sandboxed: house.sandboxes.need({ agentId, sessionKey, requester }).kind === "required",
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
    emit: (event) => house.bus.emit(event),
    outboxRows: (items, at) => house.outbox.rows(items, at),
    deliver: async (items) => house.outbox.sendRows(items),
    writeReply: (record, body, reply) => writeReply(house, record, body, reply),
    async takeIn(record, body, signal) {
      const { takeIn } = await import("../../house/open-media.ts");
      return takeIn(record, body, signal, house);
    },
    async filesBehind(sessionKey, handles) {
      const { filesBehind } = await import("../../house/open-media.ts");
      return filesBehind(await house.media(), sessionKey, handles);
    },
    steering: (record) => house.inbound.takeSteering(record),
    settle: (record, outcome) => house.inbound.settle(record, outcome),
    async afterTurn(message, entry, model) {
      const { agentId, sessionKey, body } = message;
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      const requester = await findRequester(message, MessageBody().parse(body), ledger);
      const knows = rightsOf(requester, sessionKey).notes;
      const chore = choreFor(entry, model, context(agentId), { today, mayKnowNotes: knows });
      if (chore) await house.inbound.chore({ runId: chore.runId, agentId, sessionKey, body: chore.body });
    },
  };

  const runner = createCommandRunner({
    version: house.version,
    startedAt: house.startedAt,
    clock,
    ledger,
    config,
    models,
    transcripts,
    branches: house.branches,
    approvals,
    budgets: house.budgets,
    audit: house.audit,
    inbound: () => house.inbound,
    subagents: () => house.subagents.open(),
    isBusy: (sessionKey) => lanes.runIds(sessionKey).length > 0,
    settings: () => commandSettings(config.current()),
    workspace: (agentId) => house.agentOf(agentId).workspace,
    agents: () => listAgents(config.current()),
    restart: () => house.restart(),
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
    if (record.state === "queued") await house.files.complete(sessionKey);
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
