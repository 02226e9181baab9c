// Agents as this process finds and changes them in the files, for commands that run without a gateway.
import { existsSync } from "node:fs";
import { systemClock } from "../base/clock.ts";
import { createIds } from "../base/ids.ts";
import { openStateDirectory, sessionSettings, type ConfigStore, type StatePaths } from "../rooms/config/room.ts";
import { createMirror, type SqliteLedger } from "../rooms/ledger/room.ts";
import { defaultAgent, mainSessionKey } from "../rooms/routing/room.ts";
import { createAgentDesk, type AgentDesk } from "../server/agents/agent-desk.ts";
import { allAgents } from "../server/agents/all-agents.ts";
import type { SessionEnding } from "../server/agents/remove-agent.ts";
import { SessionStore, Transcripts } from "../rooms/sessions/room.ts";
import type { AskFiles } from "./ask-gateway.ts";
import type { CommandCall } from "./command-spec.ts";
import { openConfig } from "./open-config.ts";
import { ledgerPath, writeLedger } from "./open-ledger.ts";
import { createCommandLog } from "./silent-log.ts";

/** The same answers as the methods of a gateway give. */
export function askHere(call: CommandCall): AskFiles {
  const { paths, notices } = openStateDirectory(call.env, call.state);
  for (const notice of notices) call.terminal.note(notice);
  const config = openConfig(paths, call.env);
  const desk = createAgentDesk({ config, clock: systemClock, paths });
  const methods: Readonly<Record<string, (params: never) => Promise<unknown>>> = {
    "agents.list": async () => ({ defaultId: defaultAgent(config.current()).id, agents: await desk.list() }),
    "agents.create": (params: Parameters<AgentDesk["create"]>[0]) => desk.create(params),
    "agents.update": async ({ agentId, ...change }: { agentId: string } & Parameters<AgentDesk["update"]>[1]) => ({
      agentId: await desk.update(agentId, change),
    }),
    "agents.files.get": async ({ agentId, name }: { agentId: string; name: string }) => ({
      file: await desk.files(desk.find(agentId)).get(name),
    }),
    "agents.delete": ({ agentId }: { agentId: string }) => removeHere(call, agentId, { desk, config, paths }),
  };
  return async (method, params) => methods[method]?.(params as never);
}

interface Here {
  readonly desk: AgentDesk;
  readonly config: ConfigStore;
  readonly paths: StatePaths;
}

async function removeHere(call: CommandCall, written: string, here: Here): Promise<unknown> {
  const agentId = here.desk.find(written).id;
  const tell = (text: string): void => call.terminal.note(text);
  const removal = existsSync(ledgerPath(here.paths))
    ? await writeLedger(here.paths, tell, (ledger) => here.desk.remove(agentId, true, endingOf(ledger, tell, here)))
    : await here.desk.remove(agentId, true, undefined);
  return { agentId, ...removal };
}

function endingOf(ledger: SqliteLedger, tell: (text: string) => void, { config, paths }: Here): SessionEnding {
  const [clock, ids, log] = [systemClock, createIds(), createCommandLog(tell)];
  const transcripts = new Transcripts({ ledger, ids, clock });
  const workspaceOf = (id: string): string =>
    allAgents(config.current(), paths).find((agent) => agent.id === id)?.workspace ?? "";
  const sessions = new SessionStore({ ledger, transcripts, clock, ids, workspaceOf });
  const homeSessionKey = (): string => {
    const defaultAgentId = defaultAgent(config.current()).id;
    return mainSessionKey(defaultAgentId, { ...sessionSettings(config.current()), defaultAgentId });
  };
  const mirror = createMirror({ ledger, stateDir: paths.stateDir, clock, ids, log, homeSessionKey });
  mirror.start();
  return {
    ledger,
    deleteSession: (key) => sessions.delete(key, { archiveTranscript: true }),
    mirrored: () => mirror.stop(),
    forgetMemory: async (agentId) => (await import("../rooms/memory/room.ts")).forgetAgent(ledger, agentId),
  };
}
