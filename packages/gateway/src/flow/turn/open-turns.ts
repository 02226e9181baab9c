// Opens what happens to a message in its lane: turn, commands, chores.
import type { House } from "../../house/house.ts";
import { orRefusal, textOf, type ChatCommand, type RunRecord } from "@chela/sdk";
import { contextSettings } from "../../rooms/agent/room.ts";
import { createCommands } from "../../rooms/commands/room.ts";
import { runChatCommands, type TurnFacts } from "../commands/chat-call.ts";
import { ContextFitter } from "./context-fitter.ts";
import type { TurnRunner } from "../queue.ts";
import { MessageBody, requesterOf } from "../message-body.ts";
import { patientCommit } from "./patient-commit.ts";
import { runCommand } from "../commands/run-command.ts";
import { sayInSession } from "../say-in-session.ts";
import { candidatesFor, subjectOf, type TurnKit } from "./kit.ts";
import { setStage } from "./stage.ts";
import { runTurn } from "./turn.ts";
import { runCompaction } from "../upkeep.ts";
import type { Prompts } from "./prompt.ts";
import { rememberByConfig } from "../../house/remember-by-config.ts";
import type { Toolbox } from "../../rooms/tools/room.ts";

export interface TurnRoomParts {
  readonly tools: Toolbox;
  /** Chat commands of all rooms. */
  readonly table: ReadonlyArray<ChatCommand<House>>;
  readonly prompts: Prompts;
  /** The skill that people call by this word. */
  skillCalled(word: string): string | undefined;
}

export function openTurns(house: House, { tools, table, prompts, skillCalled }: TurnRoomParts): TurnRunner {
  const { clock, log, config, ledger, models, transcripts } = house;
  const kit: TurnKit = {
    house,
    tools,
    prompts,
    fitter: new ContextFitter(),
    commit: patientCommit(ledger, clock, log, house.shutdown.signal),
    contextOf: rememberByConfig(house, (agentId: string) =>
      contextSettings(config.current(), { anthropic: models.hasCredential("anthropic", agentId) }),
    ),
    runCommands: (record, body) => runChatCommands(record, body, commands, house, facts),
  };

  const commands = createCommands({
    table,
    house,
    knowsModel: (ref) => orRefusal(() => models.resolve(ref) !== undefined) === true,
    skillCalled,
  });
  const facts: TurnFacts = {
    async tools(message, body, entry) {
      const [model] = await candidatesFor(house, message.agentId, entry);
      if (!model) return [];
      const requester = requesterOf(message, body);
      const subject = await subjectOf(house, message, entry, requester);
      return tools.for({ ...subject, model, requester }).described.map(({ name }) => name);
    },
    async runTool(message, body, entry, name, args) {
      const [model] = await candidatesFor(house, message.agentId, entry);
      if (!model) return "There is no model, and so no tools.";
      const { agentId, runId } = message;
      const requester = requesterOf(message, body);
      const subject = { ...(await subjectOf(house, message, entry, requester)), model, requester };
      const call = { type: "toolCall" as const, id: `command_${runId}`, name, arguments: args };
      const signal = house.shutdown.signal;
      const turn = { runId, workspace: house.workspaceOf(agentId), signal, update: () => {} };
      return textOf(await tools.for(subject).run(call, turn));
    },
    async contextReport(message, body, entry) {
      const stage = await setStage(message, body, entry, kit);
      const { messages } = await transcripts.read(entry.sessionId);
      return {
        usedTokens: entry.totalTokens ?? 0,
        windowTokens: stage.model.contextWindow,
        systemChars: stage.prompt.system.length,
        messages: messages.length,
        files: await prompts.files(message.agentId, message.sessionKey, entry.sessionId),
        tools: stage.tools.described.map((tool) => ({ name: tool.name, chars: JSON.stringify(tool).length })),
        skills: (stage.prompt.sources?.skills.entries ?? []).map(({ name, blockChars }) => ({
          name,
          chars: blockChars,
        })),
      };
    },
  };

  const turn = async (record: RunRecord, signal: AbortSignal, others: readonly RunRecord[]) => {
    const { sessionKey, body } = record.message;
    if (record.state === "queued") await house.files.complete(sessionKey);
    const chore = body["chore"] === undefined ? undefined : MessageBody().parse(body).chore;
    if (chore?.kind === "compaction") return runCompaction(record, kit, signal);
    if (chore?.kind === "say") return sayInSession(record, kit);
    return runTurn(record, kit, signal, others);
  };

  return {
    commands,
    runCommands: (record, body) => runChatCommands(record, body, commands, house, facts),
    command: (record) => runCommand(record, kit),
    turn,
  };
}
