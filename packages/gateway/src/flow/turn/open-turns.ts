// Opens what happens to a message in its lane: turn, commands, chores.
import type { House } from "../../house/house.ts";
import { orRefusal, type ChatCommand, type RunRecord } from "@chela/sdk";
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
  /** Chat commands as they are now. */
  table(): ReadonlyArray<ChatCommand<House>>;
  readonly prompts: Prompts;
}

export function openTurns(house: House, { tools, table, prompts }: TurnRoomParts): TurnRunner {
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
  });
  const facts: TurnFacts = {
    async tools(message, body, entry) {
      const [model] = await candidatesFor(house, message.agentId, entry);
      if (!model) return [];
      const requester = requesterOf(message, body);
      const subject = await subjectOf(house, message, entry, requester);
      return tools.for({ ...subject, model, requester }).described.map(({ name }) => name);
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
        skills: [],
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
