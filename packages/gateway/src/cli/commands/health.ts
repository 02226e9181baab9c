// `chela health`: one question, one answer, and a line for each account of a channel.
import type { CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { probeWords, stateWord, wayWords } from "../../rooms/channels/cli/channel-words.ts";
import { cleanForTerminal, count } from "../../base/terminal/layout.ts";

type Health = MethodAnswer<"health">;

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const health = await call.gateway.call("health", flags.has("verbose") ? { probe: true } : {});
  if (flags.has("json")) terminal.printJson(health);
  else {
    const { style } = terminal;
    const agents = health.agents ?? [];
    const sessions = agents.reduce((sum, agent) => sum + agent.sessions.count, 0);
    const state = health.ok ? style.green("The gateway is well.") : style.red("The gateway is not well.");
    terminal.print(`${state} ${count(agents.length, "agent")}, ${count(sessions, "session")}.`);
    for (const line of channelLines(health, call)) terminal.print(line);
  }
  return health.ok ? 0 : 1;
}

function channelLines({ channelOrder = [], channels = {}, ts }: Health, { terminal }: CommandCall): string[] {
  return channelOrder.flatMap((id) =>
    Object.entries(channels[id]?.accounts ?? {}).map(([accountId, account]) => {
      const words = [stateWord(account, terminal.style), ...wayWords(account), ...probeWords(account, ts)];
      const why = account.lastError ? [cleanForTerminal(account.lastError)] : [];
      return `${id} (${cleanForTerminal(accountId)}): ${[...words, ...why].join(", ")}`;
    }),
  );
}
