// `chela health`: one question, one answer.
import type { CommandCall } from "../command-spec.ts";
import { callGateway } from "../gateway-client.ts";
import { count } from "../layout.ts";

interface Health {
  readonly ok: boolean;
  readonly durationMs: number;
  readonly defaultAgentId?: string;
  readonly agents?: ReadonlyArray<{ readonly agentId: string; readonly sessions: { readonly count: number } }>;
}

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const health = (await callGateway(call, "health", flags.has("verbose") ? { probe: true } : {})) as Health;
  if (flags.has("json")) terminal.printJson(health);
  else {
    const { style } = terminal;
    const agents = health.agents ?? [];
    const sessions = agents.reduce((sum, agent) => sum + agent.sessions.count, 0);
    const state = health.ok ? style.green("The gateway is well.") : style.red("The gateway is not well.");
    terminal.print(`${state} ${count(agents.length, "agent")}, ${count(sessions, "session")}.`);
  }
  return health.ok ? 0 : 1;
}
